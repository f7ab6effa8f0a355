import { PS_PER_NS } from '../../../common/units/units';
import type { TableEntry } from '../../entities/table-entry';
import { queueWeights } from './queue-weights';
import { actionEntry, EGRESS_PORT, NO_STATE } from './role-parts';
import type { Role, RoleContext, RoleState } from './role-parts';

/**
 * Queues that share their port by weights: what telemetry tells of the port's link to the flows of each,
 * for every set of queues that may be active with it.
 */
export const QUEUE_SHARE_ROLE: Role = {
  requests: [
    {
      what: 'weights of telemetry.classes',
      table: 'guarantee',
      asked: ({ telemetry }) => telemetry.classes.some(({ weight }) => weight !== undefined),
    },
  ],
  state,
};

function state({ network, place, spec, program }: RoleContext): RoleState {
  const hasTables = ['shared_port', 'guarantee'].every((name) => program.tables.find(name));
  if (!hasTables) return NO_STATE;
  const windowNs = Math.round(network.telemetry.classWindow / PS_PER_NS);
  const entries = place.ports.flatMap(({ port, link }) => {
    const own = spec.document.ports.find((each) => each.port === port);
    const weights = [...queueWeights(network.telemetry, own)];
    if (weights.length === 0) return [];
    const values = { window_ns: windowNs, weighted_queues: maskOf(weights) };
    return [
      actionEntry('shared_port', { [EGRESS_PORT]: port }, 'share_port', values),
      ...guarantees({ port, megabits: link.rate / 1e6 }, weights),
    ];
  });
  return { replication: [], entries };
}

type Weight = readonly [queue: number, weight: number];

const maskOf = (weights: readonly Weight[]): number =>
  weights.reduce((mask, [queue]) => mask | (1 << queue), 0);

function guarantees(
  { port, megabits }: { readonly port: number; readonly megabits: number },
  weights: readonly Weight[],
): readonly TableEntry[] {
  return subsets(weights).flatMap((active) => {
    const sum = active.reduce((total, [, weight]) => total + weight, 0);
    return active.map(([queue, weight]) => {
      const match = { [EGRESS_PORT]: port, queue, active: maskOf(active) };
      const capacity = Math.max(1, Math.round((megabits * weight) / sum));
      return actionEntry('guarantee', match, 'set_guarantee', { capacity_mbps: capacity });
    });
  });
}

/** All sets of them, the empty one included. */
const subsets = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  items.reduce<readonly (readonly Item[])[]>(
    (sets, item) => [...sets, ...sets.map((set) => [...set, item])],
    [[]],
  );
