/**
 * Control-plane interfaces of a loaded program besides tables and action profiles: state that
 * packets change (counters, registers, meters) and state that packets depend on (value sets,
 * hashes). Names are those of the compiled program.
 */

import type { KeyField } from '../../common/p4runtime/key-field';

/** Packets and bytes, exact up to 2^53. */
export interface CountData {
  readonly packets: number;
  readonly bytes: number;
}

/** An array of counters. Cells that do not exist read as undefined; writing them does nothing. */
export interface CounterControl {
  readonly name: string;
  readonly size: number;
  read(index: number): CountData | undefined;
  write(index: number, count: CountData): void;
  /** Sets all cells to 0. */
  reset(): void;
}

/** An array of registers. Cells that do not exist read as undefined; writing them does nothing. */
export interface RegisterControl {
  readonly name: string;
  readonly size: number;
  /** Width of a cell in bits. */
  readonly width: number;
  read(index: number): bigint | undefined;
  /** Keeps the low bits of the value. */
  write(index: number, value: bigint): void;
  /** Writes one value to the cells from `first` on, and not to `end`. */
  writeRange(first: number, end: number, value: bigint): void;
  /** Sets all cells to 0. */
  reset(): void;
}

/** Rates in units per second and bursts in units; a unit is a byte or a packet. */
export interface MeterSettings {
  readonly committedRate: number;
  readonly committedBurst: number;
  readonly peakRate: number;
  readonly peakBurst: number;
}

/** An array of two-rate three-colour meters. A cell without settings colours everything green. */
export interface MeterControl {
  readonly name: string;
  readonly size: number;
  readonly unit: 'packets' | 'bytes';
  settings(index: number): MeterSettings | undefined;
  /** Fills the buckets; undefined takes the settings away. Does nothing outside the array. */
  configure(index: number, settings: MeterSettings | undefined): void;
}

/** Identity of a table entry. */
export interface EntryId {
  readonly key: readonly KeyField[];
  readonly priority: number;
}

/**
 * Direct counter and meter of each entry of a table. @throws StateError when there is no such
 * entry.
 */
export interface EntryResources {
  count(entry: EntryId): CountData;
  setCount(entry: EntryId, count: CountData): void;
  meterSettings(entry: EntryId): MeterSettings | undefined;
  configureMeter(entry: EntryId, settings: MeterSettings | undefined): void;
  /** Time since a packet hit the entry, or since it was inserted or modified; in ns. */
  idleNs(entry: EntryId): bigint;
  timeToLiveMs(entry: EntryId): number;
  setTimeToLive(entry: EntryId, ms: number): void;
}

/** One value of a value set, part by part. */
export type ValueSetMember = readonly KeyField[];

/** The values that a parser state accepts for `select`. */
export interface ValueSetControl {
  readonly name: string;
  readonly size: number;
  /** Widths of the parts in bits. */
  readonly fieldWidths: readonly number[];
  members(): Iterable<ValueSetMember>;
  setMembers(members: readonly ValueSetMember[]): void;
  /** Adds or removes one exact value: the concatenated parts, without padding. */
  add(value: bigint): void;
  remove(value: bigint): void;
  clear(): void;
}

/** Parameters of a custom CRC, in the terms of the Rocksoft model. */
export interface CrcParameters {
  readonly polynomial: bigint;
  readonly initialRemainder: bigint;
  readonly finalXor: bigint;
  readonly dataReflected: boolean;
  readonly remainderReflected: boolean;
}

/** A calculation whose parameters can change. */
export interface HashControl {
  readonly algorithm: string;
  /** @throws StateError when the calculation is no custom CRC. */
  setCrcParameters(parameters: CrcParameters): void;
  /** @throws StateError when the calculation is no Toeplitz hash or the key is no whole words. */
  setToeplitzKey(key: Uint8Array): void;
}

/** The bit fields of a digest, in the order of its type. */
export type DigestSample = readonly bigint[];

/** Receives the digests of the data plane, one packet at a time. It must not call the switch. */
export type DigestSink = (digest: string, sample: DigestSample) => void;

/** All of it for one loaded program. */
export interface ProgramControl {
  readonly counters: ReadonlyMap<string, CounterControl>;
  readonly registers: ReadonlyMap<string, RegisterControl>;
  /** Indirect meters. */
  readonly meters: ReadonlyMap<string, MeterControl>;
  readonly valueSets: ReadonlyMap<string, ValueSetControl>;
  readonly hashes: ReadonlyMap<string, HashControl>;
  /** Resources by the names of the tables. */
  readonly entryResources: ReadonlyMap<string, EntryResources>;
  /** Calls `learn` with every digest from now on, in place of the receiver before. */
  onDigest(learn: DigestSink): void;
}
