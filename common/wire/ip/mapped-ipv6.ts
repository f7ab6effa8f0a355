import type { Ipv6Address } from './ipv6';

/**
 * IPv6 addresses of hosts that know each other by IPv4 addresses: a /96 of the unique local
 * addresses (RFC 4193) with the IPv4 address behind it, so that no host needs a second configuration.
 */
const PREFIX = [0xfd48_5043, 0x4300_0000, 0] as const;
const PREFIX_TEXT = 'fd48:5043:4300:';

/** Sum of the 16-bit words of the prefix, for pseudo-headers. */
export const MAPPED_PREFIX_SUM = 0xfd48 + 0x5043 + 0x4300;

/** @param ipv4 an address as an unsigned 32-bit integer. */
export const mappedIpv6 = (ipv4: number): Ipv6Address => [...PREFIX, ipv4];

/** The IPv4 address in a mapped one; undefined for any other. */
export const ipv4OfMapped = (address: Ipv6Address): number | undefined =>
  PREFIX.every((word, i) => address[i] === word) ? address[3] : undefined;

/** As in documents for controllers. */
export const formatMappedIpv6 = (ipv4: number): string =>
  `${PREFIX_TEXT}:${(ipv4 >>> 16).toString(16)}:${(ipv4 & 0xffff).toString(16)}`;
