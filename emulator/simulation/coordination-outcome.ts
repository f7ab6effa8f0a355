import { noFaults } from '../network/notification-faults';
import type { CoordinationRecord } from '../result/coordination-record';
import type { Simulation } from './simulation';

/**
 * Coordination counts that hosts and links keep themselves; zeros for hosts and links run
 * elsewhere.
 */
export type CoordinationOutcome = Pick<
  CoordinationRecord,
  'marked' | 'taken' | 'refused' | 'faults'
>;

/** Undefined where switches do not coordinate. */
export function coordinationOutcome(simulation: Simulation): CoordinationOutcome | undefined {
  const { coordination, network } = simulation;
  if (coordination === undefined) return undefined;
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
  return { marked, taken, refused, ...(faults !== undefined && { faults }) };
}

/** Fault counts of notifications for hosts, and for switches. */
function faultsOf({ network, scenario }: Simulation): CoordinationRecord['faults'] {
  if (scenario.notificationFaults === undefined) return undefined;
  const sums = { hosts: noFaults(), switches: noFaults() };
  for (const { to, faults } of network.channels) {
    if (faults === undefined) continue;
    const sum = network.hosts.has(to.node.name) ? sums.hosts : sums.switches;
    addTo(sum, faults.counts);
  }
  return sums;
}

/** Sums the counts of the parts of a run. */
export function mergeCoordination(
  parts: readonly CoordinationOutcome[],
): CoordinationOutcome | undefined {
  const [first, ...others] = structuredClone(parts);
  if (first === undefined) return undefined;
  let { marked } = first;
  for (const other of others) {
    marked += other.marked;
    addTo(first.taken, other.taken);
    addTo(first.refused, other.refused);
    if (first.faults === undefined || other.faults === undefined) continue;
    addTo(first.faults.hosts, other.faults.hosts);
    addTo(first.faults.switches, other.faults.switches);
  }
  return { ...first, marked };
}

function addTo<Name extends string>(
  sums: Record<Name, number>,
  counts: Record<Name, number>,
): void {
  for (const name of Object.keys(counts) as Name[]) sums[name] += counts[name];
}
