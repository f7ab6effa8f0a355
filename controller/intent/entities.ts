export type { ActionProfileGroup, ActionProfileMember } from '../entities/action-profile';
export type { ActionByName, EntryAction, WeightedAction } from '../entities/action';
export type { FieldMatch } from '../entities/match';
export type { EntityUpdate, NamedEntity, UpdateType } from '../entities/named-entity';
export type { DefaultEntry, TableEntry } from '../entities/table-entry';
export type { Value } from '../entities/value';
