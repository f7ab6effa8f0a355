import { StateError } from '../control/table-control';
import type { PortNumber } from '../../common/units/units';
import type {
  MulticastControl,
  MulticastNode,
  MulticastNodeControl,
  Replica,
} from '../control/packet-control';

/** bmv2 chooses a lag's port with a constant in place of a hash. */
const LAG_HASH = 0xff;

/** A group: nodes by their handles in order of association, or replicas that were set as a whole. */
interface Group {
  readonly replicas: readonly Replica[];
  readonly nodes: readonly number[];
}

/** The multicast groups of a switch, and the nodes that Thrift builds them of. */
export class MulticastGroups implements MulticastControl, MulticastNodeControl {
  readonly #groups = new Map<number, Group>();
  readonly #nodes = new Map<number, MulticastNode>();
  readonly #lags = new Map<number, readonly PortNumber[]>();
  #nextHandle = 0;

  /** The copies of a packet: whole replicas first, then node by node ports and lags. */
  replicas(groupId: number): readonly Replica[] {
    const group = this.#groups.get(groupId);
    if (group === undefined) return [];
    if (group.nodes.length === 0) return group.replicas;
    return [...group.replicas, ...group.nodes.flatMap((handle) => this.#copies(handle))];
  }

  setGroup(groupId: number, replicas: readonly Replica[]): void {
    this.#groups.set(groupId, { replicas: [...replicas], nodes: [] });
  }

  deleteGroup(groupId: number): void {
    this.#groups.delete(groupId);
  }

  *groups(): Iterable<{ readonly groupId: number; readonly replicas: readonly Replica[] }> {
    for (const groupId of this.#groups.keys()) yield { groupId, replicas: this.replicas(groupId) };
  }

  /** Nodes by their handles. */
  nodes(): Iterable<readonly [handle: number, node: MulticastNode]> {
    return this.#nodes;
  }

  /** Handles of a group's nodes in order of association. */
  nodesOf(groupId: number): readonly number[] {
    return this.#groups.get(groupId)?.nodes ?? [];
  }

  /** Ports of the lags that have been set. */
  lags(): Iterable<readonly [lag: number, ports: readonly PortNumber[]]> {
    return this.#lags;
  }

  createGroup(groupId: number): void {
    if (this.#groups.has(groupId)) fail('already-exists', `multicast group ${groupId} exists`);
    this.setGroup(groupId, []);
  }

  destroyGroup(groupId: number): void {
    this.#group(groupId);
    this.deleteGroup(groupId);
  }

  createNode(node: MulticastNode): number {
    const handle = this.#nextHandle++;
    this.#nodes.set(handle, sorted(node));
    return handle;
  }

  updateNode(handle: number, node: Omit<MulticastNode, 'instance'>): void {
    const { instance } = this.#node(handle);
    this.#nodes.set(handle, sorted({ ...node, instance }));
  }

  /** Groups that refer to the node lose it. */
  destroyNode(handle: number): void {
    this.#node(handle);
    this.#nodes.delete(handle);
    for (const [groupId, group] of this.#groups) {
      const nodes = group.nodes.filter((node) => node !== handle);
      this.#groups.set(groupId, { ...group, nodes });
    }
  }

  associate(groupId: number, handle: number): void {
    const group = this.#group(groupId);
    this.#node(handle);
    if (group.nodes.includes(handle)) {
      fail('already-exists', `multicast group ${groupId} has node ${handle}`);
    }
    this.#groups.set(groupId, { ...group, nodes: [...group.nodes, handle] });
  }

  dissociate(groupId: number, handle: number): void {
    const group = this.#group(groupId);
    if (!group.nodes.includes(handle)) {
      fail('not-found', `multicast group ${groupId} has no node ${handle}`);
    }
    const nodes = group.nodes.filter((node) => node !== handle);
    this.#groups.set(groupId, { ...group, nodes });
  }

  setLag(lag: number, ports: readonly PortNumber[]): void {
    this.#lags.set(lag, ascending(ports));
  }

  /** Forgets groups, nodes and lags. */
  clear(): void {
    this.#groups.clear();
    this.#nodes.clear();
    this.#lags.clear();
    this.#nextHandle = 0;
  }

  #copies(handle: number): Replica[] {
    const node = this.#nodes.get(handle);
    if (node === undefined) return [];
    const lagPorts = node.lags.flatMap((lag) => {
      const ports = this.#lags.get(lag) ?? [];
      return ports[LAG_HASH % ports.length] ?? [];
    });
    return [...node.ports, ...lagPorts].map((port) => ({ port, instance: node.instance }));
  }

  #group(groupId: number): Group {
    return this.#groups.get(groupId) ?? fail('not-found', `no multicast group ${groupId}`);
  }

  #node(handle: number): MulticastNode {
    return this.#nodes.get(handle) ?? fail('not-found', `no multicast node ${handle}`);
  }
}

/** Ports and lags are sets: packets leave in ascending order. */
function sorted(node: MulticastNode): MulticastNode {
  return { ...node, ports: ascending(node.ports), lags: ascending(node.lags) };
}

function ascending(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

function fail(code: 'already-exists' | 'not-found', message: string): never {
  throw new StateError(code, message);
}
