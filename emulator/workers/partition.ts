import { InputError } from '../../common/errors';
import type { Connection } from '../workload/connection';
import type { NetworkPlan } from '../network/plan';
import { boundTogether } from '../simulation/queue-plan';

type Weights = ReadonlyMap<string, number>;

/** A network and its connections, to be divided among workers. */
export interface Divisible {
  readonly plan: NetworkPlan;
  readonly connections: readonly Connection[];
  /** Nodes that packets of a connection pass, ends included. */
  readonly nodesBetween: (from: string, to: string) => readonly string[];
  readonly isStartedByReceiver: boolean;
}

/** Nodes that the same worker has to run, or better runs. */
interface Group {
  readonly nodes: string[];
  /** Packets that its nodes handle, about. */
  weight: number;
}

/**
 * Divides the nodes of a network among workers by the packets that they will handle: who runs which.
 * Hosts stay with their switch, as long as there are enough groups; nodes that must know of each other
 * at once always stay together.
 * @throws InputError where there are too few nodes.
 */
export function partition(network: Divisible, workers: number): Map<string, number> {
  const weights = weightsOf(network);
  const bound = boundOf(network);
  const wide = groupsOf(network, withTheirSwitch(network.plan, bound), weights);
  const groups = wide.length >= workers ? wide : groupsOf(network, bound, weights);
  if (groups.length < workers) {
    throw new InputError(
      `${workers} workers are too many: the network can be divided into at most ${groups.length} parts`,
    );
  }
  const loads = new Array<number>(workers).fill(0);
  const owners = new Map<string, number>();
  // The heaviest first, each to the worker with the least weight.
  for (const { nodes, weight } of groups.sort((a, b) => b.weight - a.weight)) {
    const least = loads.indexOf(Math.min(...loads));
    // A group without packets takes some time too, so that each worker gets one.
    loads[least] = (loads[least] as number) + weight + 1;
    for (const node of nodes) owners.set(node, least);
  }
  return owners;
}

/** Most workers that a network has parts for. */
export const partsMax = (network: Divisible): number =>
  groupsOf(network, boundOf(network), new Map()).length;

/** Packets that each node handles, about: all bytes on one of the shortest paths. */
function weightsOf({ connections, nodesBetween }: Divisible): Weights {
  const weights = new Map<string, number>();
  for (const { from, to, messages } of connections) {
    const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
    for (const node of nodesBetween(from, to)) weights.set(node, (weights.get(node) ?? 0) + bytes);
  }
  return weights;
}

/** Only links that take no time bind their nodes together. */
const boundOf = (network: Divisible): ((node: string) => string) => boundTogether(network, 1);

/** The first switch at the end of a link of any of the nodes that are bound together, or the nodes. */
function withTheirSwitch(
  { topology, links }: NetworkPlan,
  bound: (node: string) => string,
): (node: string) => string {
  const switches = new Set(topology.switches.map(({ name }) => name));
  const homes = new Map<string, string>();
  for (const { a, b } of links) {
    for (const [host, peer] of [
      [a.node, b.node],
      [b.node, a.node],
    ] as const) {
      if (switches.has(host) || !switches.has(peer)) continue;
      const own = bound(host);
      if (!homes.has(own)) homes.set(own, bound(peer));
    }
  }
  return (node) => {
    const own = bound(node);
    return homes.get(own) ?? own;
  };
}

function groupsOf(
  { plan }: Divisible,
  together: (node: string) => string,
  weightOf: Weights,
): Group[] {
  const groups = new Map<string, Group>();
  for (const { name } of [...plan.topology.switches, ...plan.topology.hosts]) {
    const own = together(name);
    const group = groups.get(own) ?? { nodes: [], weight: 0 };
    groups.set(own, group);
    group.nodes.push(name);
    group.weight += weightOf.get(name) ?? 0;
  }
  return [...groups.values()];
}
