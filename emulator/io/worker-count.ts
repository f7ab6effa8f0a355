import * as os from 'node:os';
import { PS_PER_SECOND, PS_PER_US } from '../../common/units/units';
import { linkOf } from '../network/plan';
import type { Simulation } from '../simulation/simulation';
import { indivisible, startsAtReceiver } from '../simulation/queue-plan';
import { partsMax } from '../workers/partition';
import type { Divisible } from '../workers/partition';

/** Packet-hops from which on it pays off that each worker sets the whole network up: some ten seconds. */
const LONG_RUN = 5e6;
/** Links of a path through a fabric, about, with an acknowledgement for each packet. */
const HOPS_PER_SEGMENT = 2 * 4;
const BITS_PER_BYTE = 8;
/** Each takes some 90 MB and a whole set-up, and waits for the slowest once per delay of a link. */
const UNASKED_MAX = 8;

/** Nodes and connections of a run, as they can be divided among workers. */
export function divisible({ plan, connections, paths, scenario }: Simulation): Divisible {
  const isStartedByReceiver = startsAtReceiver(scenario.parameters);
  const nodesBetween = (from: string, to: string): readonly string[] =>
    paths.nodesBetween(from, to);
  return { plan, connections, nodesBetween, isStartedByReceiver };
}

/** One worker per core, up to eight, for a long run that can be divided, and one for any other. */
export function workersFor(simulation: Simulation, cores = os.availableParallelism()): number {
  if (packetHops(simulation) < LONG_RUN || indivisible(simulation) !== undefined) return 1;
  // The thread that merges observations of coordination is busy, too.
  const free = simulation.coordination === undefined ? cores : cores - 1;
  return Math.max(1, Math.min(free, UNASKED_MAX, partsMax(divisible(simulation))));
}

/** Estimated packet-hops of all flows, as far as links carry them until the end. */
function packetHops({ connections, plan, scenario }: Simulation): number {
  const bytes = new Map<string, number>();
  for (const { from, messages } of connections) {
    const own = messages.reduce((sum, message) => sum + message.bytes, 0);
    bytes.set(from, (bytes.get(from) ?? 0) + own);
  }
  const { untilUs = Infinity, parameters } = scenario;
  const seconds = (untilUs * PS_PER_US) / PS_PER_SECOND;
  let carried = 0;
  for (const [from, wanted] of bytes) {
    const most = (linkOf(plan, from).rate * seconds) / BITS_PER_BYTE;
    carried += Math.min(wanted, most);
  }
  return (carried / parameters.mss) * HOPS_PER_SEGMENT;
}
