/**
 * Control-plane interfaces of the packet replication engine, the queues and the ports, which belong
 * to the switch and not to the program that it runs.
 */

import type { PortNumber } from '../../common/units/units';

/** A copy of a packet: through which port, and with which replication id. */
export interface Replica {
  readonly port: PortNumber;
  readonly instance: number;
  /** Ports that stand in, in this order, while those before them are down. */
  readonly backups?: readonly { readonly port: PortNumber; readonly instance: number }[];
}

/** Multicast groups as P4Runtime writes them. An unknown group sends no packet anywhere. */
export interface MulticastControl {
  /** Creates or replaces a group. */
  setGroup(groupId: number, replicas: readonly Replica[]): void;
  deleteGroup(groupId: number): void;
  groups(): Iterable<{ readonly groupId: number; readonly replicas: readonly Replica[] }>;
}

/**
 * Multicast groups as bmv2's Thrift interface builds them: a node is a replication id with ports
 * and lags, and groups refer to nodes. Handles count from 0. Both interfaces see the same groups;
 * one that was written as a whole has no nodes. @throws StateError
 */
export interface MulticastNodeControl {
  createGroup(groupId: number): void;
  destroyGroup(groupId: number): void;
  createNode(node: MulticastNode): number;
  updateNode(handle: number, node: Omit<MulticastNode, 'instance'>): void;
  destroyNode(handle: number): void;
  associate(groupId: number, handle: number): void;
  dissociate(groupId: number, handle: number): void;
  /** Ports among which a packet's hash chooses one. */
  setLag(lag: number, ports: readonly PortNumber[]): void;
}

export interface MulticastNode {
  readonly instance: number;
  readonly ports: readonly PortNumber[];
  readonly lags: readonly number[];
}

/** Destinations of clones: replicas of its own, and a multicast group. */
export interface CloneSession {
  readonly replicas: readonly Replica[];
  readonly multicastGroup?: number;
  /** Bytes of a clone at most; unlimited when undefined. */
  readonly packetLengthMax: number | undefined;
}

/** Sessions have ids from 0 to 32767. */
export interface CloneSessionControl {
  /** Creates or replaces a session. */
  setSession(sessionId: number, session: CloneSession): void;
  deleteSession(sessionId: number): void;
  session(sessionId: number): CloneSession | undefined;
}

/** Queues that a setting is for: all, those of a port, or one. */
export interface QueueSelection {
  readonly port?: PortNumber;
  readonly priority?: number;
}

/** Queues of ports that are paced in packets. Ports of a link's rate keep their rate. */
export interface QueueControl {
  /** Packets per second of each selected queue, for packets that come from now on; 0: no limit. */
  setRate(packetsPerSecond: number, selection?: QueueSelection): void;
  /** Packets that each selected queue holds. */
  setDepth(packets: number, selection?: QueueSelection): void;
  /**
   * Weights of queues, by which they share their port (deficit weighted round robin); 0: the queue is
   * served first. False if a selected port cannot: those that are paced in packets, or share a buffer.
   */
  setWeight(weight: number, selection?: QueueSelection): boolean;
}
