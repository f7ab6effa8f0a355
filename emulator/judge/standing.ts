import { percentileOf } from '../../common/statistics/statistics';
import type { Result } from '../result/result';
import type { Spread } from './arena';

/** Figures of one run of a contest. */
export interface ContestFigures {
  readonly fctMaxUs: number;
  /** 99th percentile of the slowdowns of all flows. */
  readonly slowdownP99: number;
  readonly queueP99Bytes: number;
  readonly retransmittedSegments: number;
}

/** The figures of one algorithm in one contest; or why there are none. */
export interface ContestRow {
  readonly algorithm: string;
  readonly contest: string;
  readonly spread: Spread;
  readonly figures: ContestFigures | { readonly failure: string };
}

/** Figures of a contest, unless flows did not finish: then what there is says nothing. */
export function contestFigures(result: Result): ContestRow['figures'] {
  const { flows, bottleneck } = result;
  const open = flows.filter(({ fctUs }) => fctUs === null).length;
  if (open > 0)
    return {
      failure: `${open} of ${flows.length} flows were not complete after ${result.durationUs} us`,
    };
  return {
    fctMaxUs: Math.max(...flows.map(({ startUs, fctUs }) => startUs + (fctUs ?? 0))),
    slowdownP99: percentileOf(
      flows.map(({ slowdown }) => slowdown ?? 1),
      0.99,
    ),
    queueP99Bytes: bottleneck.queueP99Bytes,
    retransmittedSegments: flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0),
  };
}

/** Where an algorithm stands with one way to spread packets: two figures that are bought with each other. */
export interface Standing {
  readonly algorithm: string;
  readonly spread: Spread;
  /** Geometric mean over the contests of the completion of all flows, over the shortest of all algorithms; 1 is best. */
  readonly completion: number;
  /** Mean over the contests of the 99th percentile of the bottleneck's queue, in bytes. */
  readonly queueP99Bytes: number;
  /** Contests that it did not finish, and that the means leave out. */
  readonly failed: number;
  /** Algorithms that are as good or better in both figures; empty: it is on the Pareto front. */
  readonly dominatedBy: readonly string[];
}

/** Where each algorithm stands among all, by the way in which packets are spread. */
export function standingsOf(rows: readonly ContestRow[], spread: Spread): Standing[] {
  const here = rows.filter((row) => row.spread === spread);
  const shortest = new Map<string, number>();
  for (const { contest, figures } of here) {
    if ('failure' in figures) continue;
    shortest.set(contest, Math.min(shortest.get(contest) ?? Infinity, figures.fctMaxUs));
  }
  const names = [...new Set(here.map(({ algorithm }) => algorithm))];
  const alone = names.map((algorithm) => {
    const own = here.filter((row) => row.algorithm === algorithm);
    const run = own.flatMap(({ contest, figures }) =>
      'failure' in figures ? [] : [{ contest, figures }],
    );
    const ratios = run.map(
      ({ contest, figures }) => figures.fctMaxUs / (shortest.get(contest) ?? 1),
    );
    return {
      algorithm,
      spread,
      completion: Math.exp(mean(ratios.map(Math.log))),
      queueP99Bytes: mean(run.map(({ figures }) => figures.queueP99Bytes)),
      failed: own.length - run.length,
      finished: run.length,
    };
  });
  return alone.map(({ finished: _, ...one }) => ({
    ...one,
    dominatedBy: alone.filter((other) => isBetter(other, one)).map(({ algorithm }) => algorithm),
  }));
}

type Pair = Pick<Standing, 'completion' | 'queueP99Bytes' | 'failed'>;

/** True if one is nowhere worse than the other, and somewhere better. */
function isBetter(one: Pair, other: Pair): boolean {
  const keys = ['completion', 'queueP99Bytes', 'failed'] as const;
  return keys.every((key) => !(one[key] > other[key])) && keys.some((key) => one[key] < other[key]);
}

/** NaN without values: neither good nor bad. */
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
