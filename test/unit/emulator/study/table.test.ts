import type { Cell } from '../../../../emulator/study/cell';
import {
  csvText,
  exportColumns,
  figureRows,
  pointRows,
  pointTexts,
} from '../../../../emulator/study/table';
import type { StudyCell } from '../../../../emulator/study/table';

const provenance = { version: 'v', commit: 'c', host: 'h', durationMs: 5, memoryBytes: 6 };

function finished(value: unknown, seed: number, median: number): StudyCell {
  const point = [{ path: 'a', value, label: typeof value === 'number' ? String(value) : 'x,"y"' }];
  const cell = { id: `${String(seed)}0`, point, input: { seed } } as unknown as Cell;
  return {
    cell,
    outcome: { cell: cell.id, summary: JSON.stringify({ fctUs: { median } }), provenance },
  };
}

describe('tables of a study', () => {
  const cells = [finished(1, 1, 10), finished(1, 2, 20), finished(2, 1, 5)];

  test('have one row per point with the mean over seeds', () => {
    const rows = pointRows(figureRows(cells, ['fctUs.median']));
    expect(rows.map(({ labels }) => labels)).toEqual([['1'], ['2']]);
    expect(rows.map(({ estimates }) => estimates.get('fctUs.median')?.mean)).toEqual([15, 5]);
    expect(rows.map(({ estimates }) => estimates.get('fctUs.median')?.count)).toEqual([2, 1]);
  });

  test('have names and units for people, and the digits that the interval leaves', () => {
    const rows = pointRows(figureRows(cells, ['fctUs.median']));
    expect(pointTexts(rows, { axes: ['parameters.baseRttUs'], names: ['fctUs.median'] })).toEqual([
      ['base RTT (us)', 'median FCT (us)'],
      ['1', '15 ± 64'],
      ['2', '5.000'],
    ]);
  });

  test('leave out cells that failed or are missing', () => {
    const failed: StudyCell = {
      cell: cells[0]?.cell as Cell,
      outcome: { cell: '1', reason: 'why', provenance },
    };
    expect(figureRows([failed, { cell: failed.cell }], ['jain'])).toEqual([]);
  });

  test('are RFC 4180 with a row per cell', () => {
    const rows = figureRows([finished('topology', 1, 10)], ['fctUs.median']);
    expect(csvText(exportColumns(rows))).toBe(
      'cell,a,seed,median FCT (us),version,host,duration_ms,memory_bytes\r\n' +
        '10,"x,""y""",1,10,v,h,5,6\r\n',
    );
  });
});
