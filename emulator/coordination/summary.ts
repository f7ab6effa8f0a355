import { PS_PER_US } from '../../common/units/units';
import type { Instant } from '../../common/units/units';
import type { Simulation } from '../network/simulation';
import type { CollectiveRecord, CoordinationRecord } from './coordination-record';
import { coordinationOf } from './settings';

/** What the run shows of coordination; undefined if its switches do not coordinate. */
export function coordinationRecord(simulation: Simulation): CoordinationRecord | undefined {
  const section = coordinationOf(simulation.scenario);
  const { coordination, network } = simulation;
  if (section === undefined || coordination === undefined) return undefined;
  const refused = { malformed: 0, unauthenticated: 0, replayed: 0, unknownFlow: 0 };
  let marked = 0;
  for (const { agent } of network.hosts.values()) {
    const counters = agent.coordination();
    marked += counters?.marked ?? 0;
    refused.malformed += counters?.malformed ?? 0;
    refused.unauthenticated += counters?.unauthenticated ?? 0;
    refused.replayed += counters?.replayed ?? 0;
    refused.unknownFlow += counters?.unknownFlow ?? 0;
  }
  return coordination.summary(section.mode, { marked, refused });
}

/** When each workload began and when its last message had arrived. */
export function collectiveRecords({ collectives, runner }: Simulation): CollectiveRecord[] {
  return collectives.map(({ name, kind, connections }) => {
    const spans = connections.map((connection) => runner.schedule.span(connection));
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
