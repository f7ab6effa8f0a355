import type { Data } from './data';

/** A cell of a register. */
export interface RegisterCell {
  readonly kind: 'register';
  readonly register: string;
  /** Without an index, all cells. */
  readonly index?: number;
  /** Absent only in filters. */
  readonly value?: Data;
}
