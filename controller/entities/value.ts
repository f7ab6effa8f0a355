/** A number, or text: decimal, 0x…, an IPv4 or IPv6 address, a MAC address. */
export type Value = string | number | bigint;
