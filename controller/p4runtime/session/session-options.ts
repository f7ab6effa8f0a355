import type { RoleConfig } from '../role-config';

/** Who a controller is to a switch. */
export interface SessionOptions {
  readonly deviceId: bigint;
  /** 128-bit election id: the highest one wins. */
  readonly electionId: bigint;
  /** Each role has an election of its own; without one, the role that may do everything. */
  readonly role?: Role;
  /** Digest lists wait for {@link P4RuntimeClient.acknowledge} instead of being acknowledged. */
  readonly manualDigestAck?: boolean;
}

export interface Role {
  readonly name: string;
  /** What the role may do, in Stratum's terms; for servers that know them. */
  readonly config?: RoleConfig;
}

/** How a request names its sender. */
export interface Sender {
  readonly deviceId: bigint;
  readonly electionId: bigint;
  /** Name of the role, empty for the one that may do everything. */
  readonly role: string;
}
