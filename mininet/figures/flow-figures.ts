import { jainIndex, percentileOf } from '../../common/statistics/statistics';
import { bytesBetween } from '../observation/observation';
import type { Observation, ObservedFlow } from '../observation/observation';

/** When a flow delivered what, of a real run or an emulated one. Instants in seconds. */
export type FlowCourse = Pick<
  ObservedFlow,
  'sender' | 'startsAt' | 'endsAt' | 'isComplete' | 'intervals'
>;

const BITS_PER_MEGABIT = 1e6;
const STEP_SECONDS = 0.1;
/** Time for which a state has to last. */
const SUSTAINED_SECONDS = 1;

/** Payload between two instants. */
export function throughputMbps(
  flows: readonly FlowCourse[],
  { from, to }: { readonly from: number; readonly to: number },
): number | null {
  if (!(to > from)) return null;
  const bytes = flows.reduce((sum, flow) => sum + bytesBetween(flow, from, to), 0);
  return (8 * bytes) / (to - from) / BITS_PER_MEGABIT;
}

/**
 * Share of the first flow in the bytes delivered while all were active, without the first quarter
 * of that time.
 */
export function firstShare(flows: readonly FlowCourse[]): number | null {
  const [first] = flows;
  const begin = Math.max(...flows.map(({ startsAt }) => startsAt));
  const to = Math.min(...flows.map(({ endsAt }) => endsAt));
  if (first === undefined || flows.length < 2 || !(to > begin)) return null;
  const from = begin + (to - begin) / 4;
  const all = flows.reduce((sum, flow) => sum + bytesBetween(flow, from, to), 0);
  return all === 0 ? null : bytesBetween(first, from, to) / all;
}

/**
 * Jain's index of the bytes delivered in the second half of the time in which all flows were
 * active.
 */
export function jainSecondHalf(flows: readonly FlowCourse[]): number | null {
  const from = Math.max(...flows.map(({ startsAt }) => startsAt));
  const to = Math.min(...flows.map(({ endsAt }) => endsAt));
  if (flows.length < 2 || !(to > from)) return null;
  return jainIndex(flows.map((flow) => bytesBetween(flow, (from + to) / 2, to)));
}

const FAIR_JAIN = 0.95;

/**
 * Time from the start of the last flow to the first second in which Jain's index of all flows is at least
 * 0.95; null where it never is, and for a single flow.
 */
export function fairAfterSeconds(flows: readonly FlowCourse[]): number | null {
  const from = Math.max(...flows.map(({ startsAt }) => startsAt));
  const to = Math.min(...flows.map(({ endsAt }) => endsAt));
  if (flows.length < 2) return null;
  for (let at = from; at + SUSTAINED_SECONDS <= to; at += STEP_SECONDS) {
    const bytes = flows.map((flow) => bytesBetween(flow, at, at + SUSTAINED_SECONDS));
    if (jainIndex(bytes) >= FAIR_JAIN) return at - from;
  }
  return null;
}

/** When the first link failed, in seconds; undefined when none did. */
export const firstFailure = ({ run }: Observation): number | undefined =>
  run.links.find(({ state }) => state === 'down')?.seconds;

const BEFORE_SECONDS = 2;
const RECOVERED = 0.9;

/** Time from a link's failure until a second's throughput was 90 % of what it was before. */
export function recoverySeconds(
  flows: readonly FlowCourse[],
  failed: number | undefined,
): number | null {
  if (failed === undefined) return null;
  const rate = (from: number, to: number): number =>
    flows.reduce((sum, flow) => sum + bytesBetween(flow, from, to), 0) / (to - from);
  const before = rate(failed - BEFORE_SECONDS, failed);
  const end = Math.max(...flows.map(({ endsAt }) => endsAt));
  for (let at = failed; at + SUSTAINED_SECONDS <= end; at += STEP_SECONDS) {
    if (rate(at, at + SUSTAINED_SECONDS) >= RECOVERED * before) return at - failed;
  }
  return null;
}

/** Flows of a given size that repeat are the mice. */
export function miceFct(flows: readonly FlowCourse[]): number | null {
  const mice = flows.filter(
    ({ sender: { flow }, isComplete }) =>
      flow.kind === 'hpcc' && flow.repeat !== undefined && isComplete,
  );
  if (mice.length === 0) return null;
  return (
    1e3 *
    percentileOf(
      mice.map(({ startsAt, endsAt }) => endsAt - startsAt),
      0.99,
    )
  );
}
