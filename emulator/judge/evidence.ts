import { droppedBySwitches } from '../result/losses';
import { jainIndex, percentileOf } from '../../common/statistics/statistics';
import type { Result } from '../result/result';

/** Facts of a run that laws read: numbers that can be sent between processes. */
export interface Evidence {
  /** T, the largest base RTT, in us. */
  readonly baseRttUs: number;
  /** Payload of the bottleneck's rate times T. */
  readonly bdpBytes: number;
  /** When the last flow that finished was complete, in us. */
  readonly endUs: number;
  readonly unfinished: number;
  /** Time for which all flows had bytes to send, in us; 0: there was none. */
  readonly togetherUs: number;
  /** Jain's index of what flows were delivered in the second half of that time; null without one. */
  readonly lateJain: number | null;
  /** Time from the last begin until Jain's index of twenty T was 0.8, in us; null: it never was. */
  readonly fairAfterUs: number | null;
  /** Least share that a flow had of what would have been its fair part in that time. */
  readonly leastShare: number;
  /** Median queue in the second half of the time in which flows were open, in bytes. */
  readonly lateQueueBytes: number;
  readonly drops: number;
}

/** Jain's index at which flows count as fair. */
export const FAIR_JAIN = 0.8;
/** Base RTTs of one interval in which fairness is looked at. */
const INTERVAL_RTTS = 20;

/** Sums a run of flows to one receiver up for the laws. */
export function evidenceOf(result: Result): Evidence {
  const { flows } = result;
  const baseRttUs = Number(result.parameters['baseRttNs']) / 1000;
  const ends = flows.map(({ startUs, fctUs }) => (fctUs === null ? Infinity : startUs + fctUs));
  const finished = ends.filter(Number.isFinite);
  const endUs = Math.max(0, ...finished);
  const openUntil = finished.length === flows.length ? endUs : result.durationUs;
  const from = Math.max(...flows.map(({ startUs }) => startUs));
  const to = Math.min(openUntil, ...ends);
  return {
    baseRttUs,
    bdpBytes: bytesIn(result, baseRttUs),
    endUs,
    unfinished: flows.length - finished.length,
    togetherUs: Math.max(0, to - from),
    ...sharing(result, { from, to, interval: INTERVAL_RTTS * baseRttUs }),
    lateQueueBytes: lateQueue(result, from, openUntil),
    drops: droppedBySwitches(result),
  };
}

/** Bytes that the receiver's link carries in a time. */
const bytesIn = ({ links }: Result, us: number): number =>
  (Math.min(...links.map(({ rateGbps }) => rateGbps)) * 1000 * us) / 8;

interface Together {
  readonly from: number;
  readonly to: number;
  readonly interval: number;
}

function sharing(
  result: Result,
  { from, to, interval }: Together,
): Pick<Evidence, 'lateJain' | 'fairAfterUs' | 'leastShare'> {
  const { series } = result;
  if (to - from < interval || series.length < 2)
    return { lateJain: null, fairAfterUs: null, leastShare: 1 };
  const shares = (start: number, end: number): number[] =>
    series.map((one) => deliveredAt(one, end) - deliveredAt(one, start));
  let fairAfterUs: number | null = null;
  for (let at = from + interval; at <= to && fairAfterUs === null; at += interval) {
    if (jainIndex(shares(at - interval, at)) >= FAIR_JAIN) fairAfterUs = at - from;
  }
  const fair = bytesIn(result, to - from) / series.length;
  return {
    lateJain: jainIndex(shares((from + to) / 2, to)),
    fairAfterUs,
    leastShare: Math.min(...shares(from, to)) / fair,
  };
}

/** Payload that had been delivered at an instant, between the samples around it. */
function deliveredAt({ timeUs, deliveredBytes }: Result['series'][number], us: number): number {
  const next = timeUs.findIndex((each) => each >= us);
  if (next < 0) return deliveredBytes.at(-1) ?? 0;
  if (next === 0) return deliveredBytes[0] ?? 0;
  const [t0 = 0, t1 = 0] = [timeUs[next - 1], timeUs[next]];
  const [d0 = 0, d1 = 0] = [deliveredBytes[next - 1], deliveredBytes[next]];
  return t1 === t0 ? d1 : d0 + ((us - t0) / (t1 - t0)) * (d1 - d0);
}

function lateQueue({ queueTimeline }: Result, from: number, to: number): number {
  const { startUs, intervalUs, bytes } = queueTimeline;
  const at = (us: number): number => Math.max(0, Math.round((us - startUs) / intervalUs));
  return percentileOf(bytes.slice(at((from + to) / 2), at(to)), 0.5);
}
