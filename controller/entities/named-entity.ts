import type { ActionProfileGroup, ActionProfileMember } from './action';
import type {
  CounterCell,
  DirectCounter,
  DirectMeter,
  MeterCell,
  RegisterCell,
} from './stateful-elements';
import type { CloneSession, MulticastGroup } from './replication';
import type { DefaultEntry, TableEntry } from './table-entry';
import type { Match } from './match';

/**
 * P4Runtime entities by name, as a person thinks of them: one variant per entity of the
 * specification (P4Runtime 1.5.0, chapter "P4 Entity Messages"). The P4Runtime client resolves
 * names and values through the P4Info of the program.
 */
export type NamedEntity =
  | TableEntry
  | DefaultEntry
  | ActionProfileMember
  | ActionProfileGroup
  | CounterCell
  | DirectCounter
  | MeterCell
  | DirectMeter
  | RegisterCell
  | MulticastGroup
  | CloneSession
  | DigestSettings
  | ValueSet
  | ExternInstance;

/** Kind of an update. */
export type UpdateType = 'insert' | 'modify' | 'delete';

/** One change of the state of a switch. */
export interface EntityUpdate {
  readonly type: UpdateType;
  readonly entity: NamedEntity;
}

/** Settings of a digest; an insert enables it. */
export interface DigestSettings {
  readonly kind: 'digest';
  readonly digest: string;
  /** Absent for no buffering, no limit and no acknowledgements. */
  readonly config?: DigestConfig;
}

/** Conditions under which a switch sends a digest list. */
export interface DigestConfig {
  /** Longest time that the switch may hold samples back, in ns. */
  readonly maxTimeoutNs: bigint;
  /** Most samples of a list; 0 for no limit. */
  readonly maxListSize: number;
  /** Time for which a sample is not repeated while its list is not acknowledged, in ns. */
  readonly ackTimeoutNs: bigint;
}

/** All members of a parser value set. */
export interface ValueSet {
  readonly kind: 'value-set';
  readonly valueSet: string;
  readonly members: readonly Match[];
}

/** State of an extern that an architecture adds; its message is opaque to this library. */
export interface ExternInstance {
  readonly kind: 'extern';
  /** Name of the extern's type in P4Info. */
  readonly externType: string;
  /** Name of the instance. */
  readonly extern: string;
  readonly entry: {
    /** Such as `type.googleapis.com/vendor.v1.HashSeed`. */
    readonly typeUrl: string;
    /** The message in its binary form. */
    readonly value: Uint8Array;
  };
}
