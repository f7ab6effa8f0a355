import type { BitsPerSecond } from '../../../common/units/units';
import type { TelemetryDocument } from '../../document/schema';
import type { ActionByName } from '../../entities/action';
import type { TableEntry } from '../../entities/table-entry';
import { actionEntry, EGRESS_PORT } from './role-parts';
import type { RoleContext, RoleState } from './role-parts';

/** Probabilities are in units of 1 / 65536. */
const PROBABILITY_ONE = 65_536;

/** Several queues per port: which packets go to which, and where each is marked (ECN). */
export function queueClassState(context: RoleContext): RoleState {
  return { replication: [], entries: [...classes(context), ...thresholds(context)] };
}

function classes({ network, program }: RoleContext): readonly TableEntry[] {
  const table = program.tables.find('class_of_dscp');
  if (table === undefined) return [];
  return network.telemetry.classes.map(({ dscp, queue }) =>
    actionEntry(table.name, { dscp }, 'set_class', { queue }),
  );
}

function thresholds({ network, place, program }: RoleContext): readonly TableEntry[] {
  const table = program.tables.find('ecn_threshold');
  const { ecn, classes: all } = network.telemetry;
  if (table === undefined || ecn === undefined) return [];
  const queues = [...new Set([0, ...all.map(({ queue }) => queue)])];
  return place.ports.flatMap(({ port, link }) =>
    queues.map((queue) => {
      const action = markAction(scaled(ecn, link.rate));
      const match = { [EGRESS_PORT]: port, queue };
      return actionEntry(table.name, match, action.name, action.arguments);
    }),
  );
}

type Thresholds = NonNullable<TelemetryDocument['ecn']>;

function scaled(ecn: Thresholds, rate: BitsPerSecond): Thresholds {
  const factor = ecn.forGbps === undefined ? 1 : rate / (ecn.forGbps * 1e9);
  const of = (bytes: number): number => Math.min(0xffff_ffff, Math.round(factor * bytes));
  return { ...ecn, minBytes: of(ecn.minBytes), maxBytes: of(ecn.maxBytes) };
}

function markAction({ minBytes, maxBytes, maxProbability }: Thresholds): ActionByName {
  if (minBytes === maxBytes) return { name: 'mark_above', arguments: { bytes: minBytes } };
  // One is out of range in 16 bits, and the packets from the upper end on are all marked anyway.
  const probability = Math.min(PROBABILITY_ONE - 1, Math.round(maxProbability * PROBABILITY_ONE));
  const values = { min_bytes: minBytes, max_bytes: maxBytes, max_probability: probability };
  return { name: 'mark_between', arguments: values };
}
