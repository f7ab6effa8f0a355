import type { ActionByName, EntryAction } from './action';
import type { CounterData, MeterConfig, MeterCounterData } from './stateful-elements';
import type { EntryKey } from './match';

/** An entry of a table. */
export interface TableEntry extends EntryKey, EntryExtras {
  readonly kind: 'table-entry';
  readonly action: EntryAction;
}

/** What a table does on a miss; without an action, what the program says. */
export interface DefaultEntry {
  readonly kind: 'default-entry';
  readonly table: string;
  readonly action?: ActionByName;
  readonly counter?: CounterData;
  readonly meter?: MeterConfig;
  readonly metadata?: Uint8Array;
}

/** What an entry may have besides its key and action; reads bring what their filter asks for. */
export interface EntryExtras {
  /** After so many ns without a packet the switch sends a notice; 0 or absent for never. */
  readonly idleTimeoutNs?: bigint;
  /** How long no packet has hit the entry, in ns. Only switches tell. */
  readonly idleForNs?: bigint;
  /** Contents of the direct counter. */
  readonly counter?: CounterData;
  /** Rates of the direct meter. */
  readonly meter?: MeterConfig;
  /** What the direct meter has coloured. Only switches tell. */
  readonly meterCounters?: MeterCounterData;
  /** Bytes that the switch keeps and returns. */
  readonly metadata?: Uint8Array;
  /** The older form of `metadata`, 64 bits. */
  readonly controllerMetadata?: bigint;
  /** The program declares the entry, so that it cannot be written. Only switches tell. */
  readonly isConst?: true;
}
