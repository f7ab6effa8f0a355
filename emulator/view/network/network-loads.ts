import type { Result } from '../../result/result';

/** Load and queue per interval; of one value only where the run has several intervals: of the whole run. */
export interface Series {
  /** Thousandths of the capacity. */
  readonly load: readonly number[];
  /** Empty: nothing ever waited. */
  readonly queueBytes: readonly number[];
}

/** Links whose fullest is asked for, by number in the result. */
export interface LoadRequest {
  readonly links: readonly number[];
  /** Requests of a lower rank are answered first. */
  readonly rank: number;
}

export interface Loads {
  /** For each request; undefined: nothing was sent, and nothing waited. */
  readonly series: readonly (Series | undefined)[];
  /** Number of series without time. */
  readonly withoutTime: number;
}

/** All series of a page together have about so many intervals: a megabyte. */
const INTERVALS_MAX = 2 ** 17;

/**
 * Load of the fullest of some links, and the longest queue, per interval. Where there are too many, those
 * that matter least have one value: that of the whole run.
 */
export function loadsOf(result: Result, requests: readonly LoadRequest[]): Loads {
  const { links, timelines, durationUs } = result;
  const sums = requests.map(({ links: asked }) => sumOf(links, asked));
  const inOrder = requests
    .map((_, i) => i)
    .filter((i) => sums[i]?.isIdle === false)
    .toSorted((a, b) => {
      const [one, other] = [sums[a] as Sum, sums[b] as Sum];
      return (
        (requests[a]?.rank ?? 0) - (requests[b]?.rank ?? 0) ||
        other.queuePeakBytes - one.queuePeakBytes ||
        other.bytes - one.bytes
      );
    });
  const series: (Series | undefined)[] = requests.map(() => undefined);
  const intervals = timelines?.links[0]?.sentBytes.length ?? 1;
  const most = Math.floor(INTERVALS_MAX / intervals);
  inOrder.forEach((i, order) => {
    const { links: asked } = requests[i] as LoadRequest;
    series[i] =
      timelines !== undefined && order < most
        ? overTime(links, timelines, asked)
        : ofWholeRun(links, asked, durationUs);
  });
  return {
    series,
    withoutTime: timelines === undefined ? 0 : Math.max(0, inOrder.length - most),
  };
}

interface Sum {
  readonly bytes: number;
  readonly queuePeakBytes: number;
  readonly isIdle: boolean;
}

function sumOf(links: Result['links'], asked: readonly number[]): Sum {
  let [bytes, queuePeakBytes] = [0, 0];
  for (const link of asked) {
    const record = links[link];
    bytes += record?.bytes ?? 0;
    queuePeakBytes = Math.max(queuePeakBytes, record?.queuePeakBytes ?? 0);
  }
  return { bytes, queuePeakBytes, isIdle: bytes === 0 && queuePeakBytes === 0 };
}

/**
 * Thousandths of what a link can carry in an interval. A packet counts where its transmission begins, so that the
 * last one of an interval may belong in part to the next: no link carries more than it can.
 */
const loadIn = (bytes: number, rateGbps: number, us: number): number =>
  Math.min(1000, Math.round((bytes * 1000) / (rateGbps * 125 * us)));

function overTime(
  links: Result['links'],
  { links: lines, intervalUs }: NonNullable<Result['timelines']>,
  asked: readonly number[],
): Series {
  const load: number[] = [];
  const queueBytes: number[] = [];
  for (const link of asked) {
    const { rateGbps = 1 } = links[link] ?? {};
    const { sentBytes = [], queuePeakBytes = [] } = lines[link] ?? {};
    sentBytes.forEach((bytes, i) => {
      load[i] = Math.max(load[i] ?? 0, loadIn(bytes, rateGbps, intervalUs));
      queueBytes[i] = Math.max(queueBytes[i] ?? 0, queuePeakBytes[i] ?? 0);
    });
  }
  return { load, queueBytes: queueBytes.some((bytes) => bytes > 0) ? queueBytes : [] };
}

function ofWholeRun(links: Result['links'], asked: readonly number[], durationUs: number): Series {
  const us = Math.max(durationUs, 1);
  let [load, queue] = [0, 0];
  for (const link of asked) {
    const { bytes = 0, rateGbps = 1, queuePeakBytes = 0 } = links[link] ?? {};
    load = Math.max(load, loadIn(bytes, rateGbps, us));
    queue = Math.max(queue, queuePeakBytes);
  }
  return { load: [load], queueBytes: queue > 0 ? [queue] : [] };
}
