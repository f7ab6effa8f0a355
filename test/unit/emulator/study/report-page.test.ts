import type { StudyCell } from '../../../../emulator/study/table';
import { studyPage } from '../../../../emulator/study/report-page';
import { gridPoints } from '../../../../emulator/study/grid';
import { parseStudy } from '../../../../emulator/study/study-document';
import type { Cell } from '../../../../emulator/study/cell';
import type { PageData } from '../../../../emulator/view/data/page-data';

const provenance = { version: 'v', commit: 'c', host: 'h', durationMs: 5, memoryBytes: 6 };

/** The page of a study whose cells have all come to the same. */
function pageOf(axes: string): PageData {
  const text = `{ name: s, base: incast16, figures: [fctUs.median], axes: ${axes} }`;
  const { value: study } = parseStudy(text, 's.yaml');
  const state = [...gridPoints(study)].map((point, i): StudyCell => {
    const cell = { id: String(i), point, input: { seed: 1 } } as unknown as Cell;
    const summary = JSON.stringify({ fctUs: { median: i } });
    return { cell, outcome: { cell: cell.id, summary, provenance } };
  });
  return studyPage(study, state, { command: './hpcc', version: 'v', csv: '' });
}

const axis = (path: string, count: number): string =>
  `{ path: ${path}, range: { from: 1, to: ${count}, count: ${count} } }`;

describe('the page of a study', () => {
  test('begins with the best points, in a sentence and in tiles', () => {
    const { verdict, facts } = pageOf(`[${axis('a', 3)}, ${axis('b', 2)}]`);
    expect(verdict).toBe('Lowest median FCT: a 1, b 1 (0 us).');
    expect(facts).toEqual([['0 us', 'lowest median FCT', 'a 1, b 1']]);
  });

  test('has a chart per value of the axes that are neither bottom nor lines', () => {
    const { charts } = pageOf(`[${axis('a', 3)}, ${axis('b', 2)}, ${axis('c', 4)}]`);
    expect(charts).toHaveLength(4);
    expect(charts.map(({ series }) => series.length)).toEqual([2, 2, 2, 2]);
    expect(charts[0]?.title).toBe('median FCT: c = 1');
  });

  test('takes axes that are zipped for one, whose other values go along', () => {
    const { charts } = pageOf(`[{ zip: [${axis('a', 3)}, ${axis('b', 3)}] }, ${axis('c', 2)}]`);
    expect(charts.map(({ title }) => title)).toEqual(['median FCT']);
    expect(charts[0]?.caption).toMatch(
      /^Over a, a line per c\. Middle of the finished flows.* Better: less\.$/,
    );
    expect(charts[0]?.y).toEqual({
      label: 'median FCT (us)',
      name: 'median FCT',
      figure: 'fctUs.median',
      unit: 'us',
      isLogarithmic: false,
    });
    expect(charts[0]?.series.map(({ x }) => x)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test('has as many charts as a browser can draw, and says how many there would be', () => {
    const { charts, closing } = pageOf(`[${axis('a', 2)}, ${axis('b', 2)}, ${axis('c', 250)}]`);
    expect(charts).toHaveLength(200);
    expect(closing[0]?.text?.[0]).toMatch(/^50 more charts/);
  });
});
