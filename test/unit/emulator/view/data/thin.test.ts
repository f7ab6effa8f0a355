import { calmMax, thinned, within } from '../../../../../emulator/view/data/thin';

const line = (count: number, of: (i: number) => number) => ({
  x: Array.from({ length: count }, (_, i) => i),
  y: Array.from({ length: count }, (_, i) => of(i)),
});

test('a long line keeps its peaks and its gaps, in order', () => {
  const kept = thinned(
    line(10_000, (i) => (i === 777 ? 50 : i === 778 ? -50 : 1)),
    100,
  );
  expect(kept.x.length).toBeLessThanOrEqual(100);
  expect([Math.max(...kept.y), Math.min(...kept.y)]).toEqual([50, -50]);
  expect(kept.x).toEqual([...kept.x].sort((a, b) => a - b));
});

test('a short line stays as it is', () => {
  expect(
    thinned(
      line(5, (i) => i),
      5,
    ),
  ).toEqual(line(5, (i) => i));
});

test('a part of a line has the points beside it too', () => {
  expect(
    within(
      line(10, (i) => i),
      3.5,
      5.5,
    ).x,
  ).toEqual([3, 4, 5, 6]);
  expect(
    within(
      line(10, (i) => i),
      -5,
      0.5,
    ).x,
  ).toEqual([0, 1]);
});

test('a short burst at the start does not squash what follows', () => {
  const values = Array.from({ length: 1000 }, (_, i) => (i < 10 ? 100 : 6));
  expect(calmMax(values)).toBeCloseTo(8.4);
  expect(calmMax(values.map(() => 100))).toBe(100);
  expect(calmMax([])).toBe(1);
});
