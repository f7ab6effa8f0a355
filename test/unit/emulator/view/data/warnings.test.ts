import type { AlgorithmRow } from '../../../../../emulator/result/algorithm-comparison';
import type { FlowRecord, Result } from '../../../../../emulator/result/result';
import {
  comparisonWarnings,
  resultWarnings,
  seedWarnings,
} from '../../../../../emulator/view/data/warnings';
import { RESULT } from '../../../../support/result';

const [FLOW] = RESULT.flows as [FlowRecord];

function withFlows(ends: readonly (readonly [source: string, destination: string])[]): Result {
  const flows = ends.map(([source, destination], i) => {
    return { ...FLOW, id: i + 1, source, destination };
  });
  return { ...RESULT, jain: 0.8, flows };
}

describe('figures that say less than they seem to', () => {
  test("are Jain's index of flows whose fair rates differ", () => {
    expect(
      resultWarnings(
        withFlows([
          ['h2', 'h1'],
          ['h2', 'h1'],
          ['h1', 'h2'],
        ]),
      ),
    ).toEqual([
      "Jain's index: flows have different bottlenecks, with max-min fair rates of 50.00 Gb/s to " +
        '100.0 Gb/s; a fair network has 0.8889 here, not 1.',
    ]);
    expect(
      resultWarnings(
        withFlows([
          ['h2', 'h1'],
          ['h2', 'h1'],
        ]),
      ),
    ).toEqual([]);
    expect(
      resultWarnings({
        ...withFlows([
          ['h2', 'h1'],
          ['h1', 'h2'],
        ]),
        jain: null,
      }),
    ).toEqual([]);
  });

  test('are percentiles of bins with few flows', () => {
    const bin = { fromBytes: 1, toBytes: 2, p50: 1, p95: 1, p99: 1, p999: 1 };
    const slowdowns = [
      { ...bin, flows: 500 },
      { ...bin, flows: 60 },
    ];
    expect(resultWarnings({ ...RESULT, slowdowns })).toEqual([
      'p99, p99.9 of the slowdown of a bin: 60 flows a run, where p99 needs 100; they are about the largest value.',
    ]);
    expect(resultWarnings({ ...RESULT, slowdowns: [{ ...bin, flows: 1000 }] })).toEqual([]);
  });

  test('are percentiles of algorithms over few flows a run, and intervals of few seeds', () => {
    const slowdowns = [{ size: 'over 1 MB', flows: 16 }];
    const row = { algorithm: 'dcqcn', seeds: 2, slowdowns } as unknown as AlgorithmRow;
    expect(comparisonWarnings([row])).toEqual([
      'p95, p99, p99.9 of the slowdown of dcqcn, over 1 MB: 8 flows a run, where p95 needs 20; they are about the largest value.',
      expect.stringMatching(/^2 seeds: intervals are wide/),
    ]);
  });

  test('are single runs', () => {
    expect(seedWarnings(1)).toEqual([expect.stringMatching(/^One seed: no interval/)]);
    expect(seedWarnings(5)).toEqual([]);
  });
});
