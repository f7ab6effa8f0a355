import type { ActionProfileGroup, ActionProfileMember } from './action-profile';
import type { CounterCell, DirectCounter } from './counter';
import type { DigestSettings } from './digest';
import type { ExternInstance } from './extern';
import type { DirectMeter, MeterCell } from './meter';
import type { RegisterCell } from './register';
import type { CloneSession, MulticastGroup } from './replication';
import type { DefaultEntry, TableEntry } from './table-entry';
import type { ValueSet } from './value-set';

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

export type UpdateType = 'insert' | 'modify' | 'delete';

export interface EntityUpdate {
  readonly type: UpdateType;
  readonly entity: NamedEntity;
}
