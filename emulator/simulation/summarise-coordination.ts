import { PS_PER_US } from '../../common/units/units';
import type { Instant } from '../../common/units/units';
import { noFaults } from '../network/notification-faults';
import type { FaultCounts } from '../network/notification-faults';
import type { Outcome } from './outcome';
import type { Simulation } from './simulation';
import type { CollectiveRecord, CoordinationRecord } from '../result/coordination-record';
import { coordinationTitle } from '../scenario/variants';
import { coordinationOf } from '../scenario/data-plane-schema';

/** What the run shows of coordination; undefined if its switches do not coordinate. */
export function coordinationRecord(simulation: Simulation): CoordinationRecord | undefined {
  const section = coordinationOf(simulation.scenario);
  const { coordination, network } = simulation;
  if (section === undefined || coordination === undefined) return undefined;
  const refused = { malformed: 0, unauthenticated: 0, replayed: 0, unknownFlow: 0 };
  const taken = { controlRequired: 0, controlReleased: 0, reroutingRequired: 0 };
  let marked = 0;
  for (const { agent } of network.hosts.values()) {
    const counters = agent.coordination();
    marked += counters?.marked ?? 0;
    refused.malformed += counters?.malformed ?? 0;
    refused.unauthenticated += counters?.unauthenticated ?? 0;
    refused.replayed += counters?.replayed ?? 0;
    refused.unknownFlow += counters?.unknownFlow ?? 0;
    taken.controlRequired += counters?.controlRequired ?? 0;
    taken.controlReleased += counters?.controlReleased ?? 0;
    taken.reroutingRequired += counters?.reroutingRequired ?? 0;
  }
  const faults = faultsOf(simulation);
  const hosts = { marked, taken, refused, ...(faults !== undefined && { faults }) };
  return coordination.summary(coordinationTitle(section.mode, section.balancing), hosts);
}

/** What was done to notifications for hosts, and for switches. */
function faultsOf({ network, scenario }: Simulation): CoordinationRecord['faults'] {
  if (scenario.notificationFaults === undefined) return undefined;
  const sums = { hosts: noFaults(), switches: noFaults() };
  for (const { to, faults } of network.channels) {
    if (faults === undefined) continue;
    const sum = network.hosts.has(to.node.name) ? sums.hosts : sums.switches;
    for (const kind of FAULT_KINDS) sum[kind] += faults.counts[kind];
  }
  return sums;
}

const FAULT_KINDS = [
  'genuine',
  'lost',
  'duplicated',
  'delayed',
  'forged',
  'replayed',
] as const satisfies readonly (keyof FaultCounts)[];

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
