/** A place that a copy of a packet goes to. */
export interface ReplicaPort {
  readonly port: number;
  /** Tells copies on one port apart: `egress_rid` in v1model. */
  readonly instance: number;
}

/** One copy of a replicated packet. */
export interface Replica extends ReplicaPort {
  /** Used in this order while the ports before them are down (since P4Runtime 1.5). */
  readonly backups?: readonly ReplicaPort[];
}

/** Copies made of a packet that is sent to a group. */
export interface MulticastGroup {
  readonly kind: 'multicast-group';
  readonly groupId: number;
  readonly replicas: readonly Replica[];
  /** Bytes that the switch keeps and returns. */
  readonly metadata?: Uint8Array;
}

/** Copies made of a cloned packet. */
export interface CloneSession {
  readonly kind: 'clone-session';
  readonly sessionId: number;
  readonly replicas: readonly Replica[];
  /** 0 is the class of ordinary packets. */
  readonly classOfService: number;
  /** Copies are cut after so many bytes; 0 for whole copies. */
  readonly packetLengthBytes: number;
}
