/** A number, or text: decimal, 0x…, an IPv4 or IPv6 address, a MAC address. */
export type Value = string | number | bigint;

/** A value of a P4 type: a number or address, a boolean, a struct by member names, a tuple. */
export type Data = Value | boolean | DataRecord | readonly Data[];

/** The fields of a struct or header by name. */
export interface DataRecord {
  readonly [member: string]: Data;
}
