import type { Value } from './value';

/** A value of a P4 type: a number or address, a boolean, a struct by member names, a tuple. */
export type Data = Value | boolean | DataRecord | readonly Data[];

export interface DataRecord {
  readonly [member: string]: Data;
}
