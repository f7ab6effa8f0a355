import type { Cell } from '../../../../emulator/study/cell';
import { parseStudy } from '../../../../emulator/study/study-document';
import { Tally } from '../../../../emulator/study/tally';

const provenance = { version: 'v', commit: 'c', host: 'h', durationMs: 5, memoryBytes: 6 };
const { value: study } = parseStudy('{ name: s, base: incast16, figures: [jain] }', 's.yaml');
const state = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    cell: { id: `cell${i}`, point: [], input: { seed: i } } as unknown as Cell,
  }));

describe('the tally of a study', () => {
  test('counts each cell once, and no cell of others', () => {
    const tally = new Tally(study, state(2));
    const outcome = { cell: 'cell0', reason: 'why', provenance };
    expect(
      [outcome, outcome, { ...outcome, cell: 'of another' }].map((one) => tally.add(one)),
    ).toEqual([true, false, false]);
    expect(tally.counts).toEqual({ cells: 2, done: 0, failed: 1, missing: 1 });
    expect(tally.open).toEqual(['cell1']);
  });

  test('tells a hundred reasons apart, and counts the cells of all others', () => {
    const tally = new Tally(study, state(150));
    for (let i = 0; i < 150; i++)
      tally.add({ cell: `cell${i}`, reason: `reason ${i}`, provenance });
    const { reasons } = tally.status();
    expect(Object.keys(reasons)).toHaveLength(101);
    expect(reasons['other reasons']).toHaveLength(50);
  });
});
