import { assert } from '../../common/assert';
import type { Result } from './result';

/** What matters of one run under coordination; a mean where several seeds were run. */
export interface CoordinationRow {
  readonly runs: number;
  /** Until the last workload was done; null: one never was, in some run. */
  readonly completionUs: number | null;
  /** Payload delivered in the whole run, over its duration. */
  readonly throughputGbps: number;
  readonly fctMedianUs: number;
  readonly fctMaxUs: number;
  /** Of the port with the longest queue. */
  readonly queuePeakBytes: number;
  readonly queueP99Bytes: number;
  readonly packets: number;
  readonly reordered: number;
  readonly retransmitted: number;
  readonly reroutes: number;
  readonly taggedReroutes: number;
  readonly needlessReductions: number;
  readonly controlRequired: number;
  readonly controlReleased: number;
  readonly reroutingRequired: number;
  readonly tagged: number;
  readonly expired: number;
  readonly unfinished: number;
  readonly violations: number;
}

export function coordinationRow(result: Result): CoordinationRow {
  const { coordination, collectives = [], flows, bottleneck, durationUs, fctUs } = result;
  assert(coordination !== undefined, 'only runs under coordination are compared by it');
  const delivered = flows.reduce((sum, flow) => sum + flow.deliveredBytes, 0);
  const ends = collectives.map(({ startUs, completionUs }) =>
    completionUs === null ? null : startUs + completionUs,
  );
  const isComplete = ends.every((end) => end !== null);
  const { sent } = coordination;
  return {
    runs: 1,
    completionUs: isComplete && ends.length > 0 ? Math.max(...ends) : null,
    throughputGbps: (delivered * 8) / durationUs / 1000,
    fctMedianUs: fctUs?.median ?? 0,
    fctMaxUs: fctUs?.max ?? 0,
    queuePeakBytes: bottleneck.queuePeakBytes,
    queueP99Bytes: bottleneck.queueP99Bytes,
    packets: coordination.packets,
    reordered: coordination.reordered,
    retransmitted: flows.reduce((sum, flow) => sum + flow.retransmittedSegments, 0),
    reroutes: coordination.reroutes + coordination.sourceReroutes,
    taggedReroutes: coordination.taggedReroutes,
    needlessReductions: coordination.needlessReductions,
    controlRequired: sent.controlRequired,
    controlReleased: sent.controlReleased,
    reroutingRequired: sent.reroutingRequired,
    tagged: coordination.tagged,
    expired: coordination.expired,
    unfinished: flows.filter(({ fctUs: fct }) => fct === null).length,
    violations: result.violations.length,
  };
}

/** Means over runs of equal weight; what is missing in one is missing in the mean. */
export function meanRow(rows: readonly CoordinationRow[]): CoordinationRow {
  const [first] = rows;
  assert(first !== undefined, 'a mean needs a run');
  const means = Object.keys(first).map((name) => {
    const values = rows.map((row) => row[name as keyof CoordinationRow]);
    if (values.some((value) => value === null)) return [name, null];
    return [name, values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / rows.length];
  });
  return { ...(Object.fromEntries(means) as CoordinationRow), runs: rows.length };
}
