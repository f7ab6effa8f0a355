import type { Cell } from '../../../../emulator/study/cell';
import type { FigureRow } from '../../../../emulator/study/table';
import { studyWarnings } from '../../../../emulator/study/warnings';

const provenance = { version: 'v', commit: 'c', host: 'h', durationMs: 5, memoryBytes: 6 };

interface Given {
  readonly algorithm: string;
  readonly eta: number;
  readonly fct: number;
  readonly finished?: number;
}

const rowsOf = (given: readonly Given[], seeds = 5): FigureRow[] =>
  given.flatMap(({ algorithm, eta, fct, finished = 100 }) =>
    Array.from({ length: seeds }, (_, i): FigureRow => {
      const point = [
        { path: 'parameters.algorithm', value: algorithm, label: algorithm },
        { path: 'parameters.targetUtilization', value: eta, label: String(eta) },
      ];
      const cell = { id: 'x', point, input: { seed: i } } as unknown as Cell;
      return { cell, figures: new Map([['allFlows.fctUs.p99', fct + i]]), finished, provenance };
    }),
  );

describe('warnings of a study', () => {
  test('name a setting that the varied algorithm ignores', () => {
    const rows = rowsOf([
      { algorithm: 'hpccpp', eta: 0.9, fct: 10 },
      { algorithm: 'hpccpp', eta: 0.95, fct: 12 },
      { algorithm: 'dcqcn', eta: 0.9, fct: 20 },
      { algorithm: 'dcqcn', eta: 0.95, fct: 20 },
    ]);
    expect(studyWarnings(rows)).toEqual([
      'target utilization has no effect where algorithm is dcqcn: every figure is the same for all its values.',
    ]);
  });

  test('name few of many values, in one sentence', () => {
    const ignoring = Array.from({ length: 7 }, (_, i) => `a${i}`);
    const rows = rowsOf([
      { algorithm: 'hpccpp', eta: 0.9, fct: 10 },
      { algorithm: 'hpccpp', eta: 0.95, fct: 12 },
      ...ignoring.flatMap((algorithm, i) =>
        [0.9, 0.95].map((eta) => ({ algorithm, eta, fct: 20 + i })),
      ),
    ]);
    expect(studyWarnings(rows)).toEqual([
      'target utilization has no effect where algorithm is a0, a1, a2, a3, a4 and 2 more: every figure is the same for all its values.',
    ]);
  });

  test('of more points than a call takes arguments', () => {
    const rows = rowsOf(
      Array.from({ length: 130_000 }, (_, i) => ({ algorithm: 'hpccpp', eta: i, fct: i })),
      1,
    );
    expect(studyWarnings(rows)).toEqual([expect.stringMatching(/^One seed/)]);
  });

  test('name an axis without any effect', () => {
    const rows = rowsOf([
      { algorithm: 'dcqcn', eta: 0.9, fct: 20 },
      { algorithm: 'dcqcn', eta: 0.95, fct: 20 },
    ]);
    expect(studyWarnings(rows)).toEqual([
      'target utilization has no effect: every figure is the same for all its values.',
    ]);
  });

  test('name percentiles of few flows, and few seeds', () => {
    const rows = rowsOf(
      [
        { algorithm: 'hpccpp', eta: 0.9, fct: 10, finished: 8 },
        { algorithm: 'hpccpp', eta: 0.95, fct: 12 },
      ],
      1,
    );
    expect(studyWarnings(rows)).toEqual([
      'p99 FCT: at 1 of 2 points a run has too few finished flows (8, where 100 are needed); it is about the largest value.',
      expect.stringMatching(/^One seed/),
    ]);
  });

  test('are none where nothing has run, and where all is well', () => {
    expect(studyWarnings([])).toEqual([]);
    const fine = rowsOf([
      { algorithm: 'hpccpp', eta: 0.9, fct: 10 },
      { algorithm: 'hpccpp', eta: 0.95, fct: 12 },
    ]);
    expect(studyWarnings(fine)).toEqual([]);
  });
});
