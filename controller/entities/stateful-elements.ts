import type { EntryKey } from './match';
import type { Data } from './value';

/** Values of a counter. */
export interface CounterData {
  readonly packets: bigint;
  readonly bytes: bigint;
}

/** A cell of an indirect counter. */
export interface CounterCell {
  readonly kind: 'counter';
  readonly counter: string;
  /** Without an index, all cells. */
  readonly index?: number;
  /** Absent in a read of nothing but the place; zero when written. */
  readonly data?: CounterData;
}

/** The counter of a table entry. */
export interface DirectCounter extends EntryKey {
  readonly kind: 'direct-counter';
  readonly data?: CounterData;
}

/** Rates per second and bursts, in bytes or packets as the P4Info says. */
export interface MeterConfig {
  /** Committed information rate and burst. */
  readonly cir: bigint;
  readonly cburst: bigint;
  /** Peak information rate and burst; those of a meter of one rate equal the committed ones. */
  readonly pir: bigint;
  readonly pburst: bigint;
  /** Excess burst of a meter of one rate and three colours. */
  readonly eburst?: bigint;
}

/** Packets and bytes of a meter by colour. */
export interface MeterCounterData {
  readonly green: CounterData;
  readonly yellow: CounterData;
  readonly red: CounterData;
}

/** A cell of an indirect meter. */
export interface MeterCell {
  readonly kind: 'meter';
  readonly meter: string;
  /** Without an index, all cells. */
  readonly index?: number;
  /** Without a configuration the meter paints everything green. */
  readonly config?: MeterConfig;
  /** Values of the counter or meter; only switches report them. */
  readonly counters?: MeterCounterData;
}

/** The meter of a table entry. */
export interface DirectMeter extends EntryKey {
  readonly kind: 'direct-meter';
  readonly config?: MeterConfig;
  /** Values of the counter or meter; only switches report them. */
  readonly counters?: MeterCounterData;
}

/** A cell of a register. */
export interface RegisterCell {
  readonly kind: 'register';
  readonly register: string;
  /** Without an index, all cells. */
  readonly index?: number;
  /** Absent only in filters. */
  readonly value?: Data;
}
