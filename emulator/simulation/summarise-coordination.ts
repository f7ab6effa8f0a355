import { PS_PER_US } from '../../common/units/units';
import type { Instant } from '../../common/units/units';
import type { Outcome } from './outcome';
import type { Simulation } from './simulation';
import type { CollectiveRecord, CoordinationRecord } from '../result/coordination-record';
import { coordinationTitle } from '../scenario/variants';
import { coordinationOf } from '../scenario/data-plane-schema';

/** What the run shows of coordination; undefined if its switches do not coordinate. */
export function coordinationRecord(
  { scenario, coordination }: Simulation,
  { coordination: counts }: Outcome,
): CoordinationRecord | undefined {
  const section = coordinationOf(scenario);
  const recorder = coordination?.recorder;
  if (section === undefined || recorder === undefined || counts === undefined) return undefined;
  return recorder.summary(coordinationTitle(section.mode, section.balancing), counts);
}

/** When each workload began and when its last message had arrived. */
export function collectiveRecords(
  { collectives, runner }: Simulation,
  outcome: Outcome,
): CollectiveRecord[] {
  return collectives.map(({ name, kind, connections }) => {
    const spans = connections.flatMap((connection) => outcome.flows[connection]?.span ?? []);
    const bytes = connections.reduce((sum, i) => sum + (runner.flows[i]?.bytes ?? 0), 0);
    const from = spans.reduce((first, span) => Math.min(first, span.from ?? Infinity), Infinity);
    const to = spans.reduce<Instant | undefined>(
      (last, span) =>
        last === undefined || span.to === undefined ? undefined : Math.max(last, span.to),
      0,
    );
    return {
      name,
      kind,
      connections: connections.length,
      bytes,
      startUs: from === Infinity ? 0 : from / PS_PER_US,
      completionUs: to === undefined ? null : (to - from) / PS_PER_US,
    };
  });
}
