import type { EntryKey } from './table-entry';

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
