import {
  gridPoints,
  gridSize,
  pointsOf,
  seedsOf,
  withValue,
} from '../../../../emulator/study/grid';
import { parseStudy } from '../../../../emulator/study/study-document';

const study = (axes: string, seeds = '2') =>
  parseStudy(
    `{ name: s, base: incast16, axes: ${axes}, seeds: ${seeds}, figures: [jain] }`,
    's.yaml',
  ).value;
const labels = (axes: string): string[] =>
  [...gridPoints(study(axes))].map((point) => point.map(({ label }) => label).join(' '));

describe('the grid of a study', () => {
  test('crosses axes, the last one fastest', () => {
    expect(labels('[{ path: a, values: [1, 2] }, { path: b, values: [x, y] }]')).toEqual([
      '1 x',
      '1 y',
      '2 x',
      '2 y',
    ]);
  });

  test('goes along zipped axes together', () => {
    const zip = '[{ zip: [{ path: a, values: [1, 2] }, { path: b, values: [x, y] }] }]';
    expect(labels(zip)).toEqual(['1 x', '2 y']);
  });

  test('refuses to zip axes of different lengths', () => {
    const zip = '[{ zip: [{ path: a, values: [1, 2] }, { path: b, values: [x] }] }]';
    expect(() => labels(zip)).toThrow('zipped must have as many values, and have 2, 1');
  });

  test.each([
    ['{ from: 0.1, to: 0.5, step: 0.2 }', [0.1, 0.3, 0.5]],
    ['{ from: 0.3, to: 0.9, count: 4 }', [0.3, 0.5, 0.7, 0.9]],
    ['{ from: 1, to: 2, step: 0.4 }', [1, 1.4, 1.8]],
    ['{ from: 5, to: 5, step: 1 }', [5]],
  ])('reads the range %s as people count', (range, values) => {
    const { axes } = study(`[{ path: a, range: ${range} }]`);
    const points = axes.flatMap(pointsOf);
    expect(points.map(([coordinate]) => coordinate?.value)).toEqual(values);
  });

  test.each([
    ['3', [1, 2, 3]],
    ['[7, 9, 7]', [7, 9]],
    ['{ from: 10, count: 2 }', [10, 11]],
  ])('reads the seeds %s', (text, seeds) => {
    expect(seedsOf(study('[]', text))).toEqual(seeds);
  });

  test('counts its cells without making them', () => {
    const wide = '{ path: a, range: { from: 1, to: 1000, step: 1 } }';
    const axes = `[${wide}, ${wide.replace('path: a', 'path: b')}, { path: c, values: [1, 2] }]`;
    expect(gridSize(study(axes))).toBe(4_000_000);
  });

  test('sets a value in a place and leaves the original alone', () => {
    const document = { a: [{ b: 1 }], c: 2 };
    expect(withValue(document, 'a.0.b', 5)).toEqual({ a: [{ b: 5 }], c: 2 });
    expect(withValue(document, 'd.e', 5)).toEqual({ ...document, d: { e: 5 } });
    expect(document).toEqual({ a: [{ b: 1 }], c: 2 });
  });

  test('says where a way ends that goes on', () => {
    expect(() => withValue({ a: [1] }, 'a.1', 5)).toThrow("no element '1' in a list of 1");
    expect(() => withValue({ a: 7 }, 'a.b', 5)).toThrow("no part 'b' in 7");
  });
});
