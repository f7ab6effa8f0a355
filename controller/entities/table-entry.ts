import type { ActionByName, EntryAction } from './action';
import type { CounterData, MeterConfig, MeterCounterData } from './stateful-elements';
import type { EntryKey } from './match';

/** An entry of a table. */
export interface TableEntry extends EntryKey, EntryExtras {
  readonly kind: 'table-entry';
  readonly action: EntryAction;
}

/** Action of a table on a miss; without an action, the program's. */
export interface DefaultEntry {
  readonly kind: 'default-entry';
  readonly table: string;
  readonly action?: ActionByName;
  readonly counter?: CounterData;
  readonly meter?: MeterConfig;
  readonly metadata?: Uint8Array;
}

/** Properties of an entry besides its key and action; reads bring those that their filter asks for. */
export interface EntryExtras {
  /** Time without a packet after which the switch sends a notification, in ns; 0 or absent for never. */
  readonly idleTimeoutNs?: bigint;
  /** Time since a packet last hit the entry, in ns. Only switches report it. */
  readonly idleForNs?: bigint;
  /** Contents of the direct counter. */
  readonly counter?: CounterData;
  /** Rates of the direct meter. */
  readonly meter?: MeterConfig;
  /** Packets that the direct meter has coloured. Only switches report them. */
  readonly meterCounters?: MeterCounterData;
  /** Bytes that the switch keeps and returns. */
  readonly metadata?: Uint8Array;
  /** The older form of `metadata`, 64 bits. */
  readonly controllerMetadata?: bigint;
  /** The program declares the entry, so that it cannot be written. Only switches tell. */
  readonly isConst?: true;
}
