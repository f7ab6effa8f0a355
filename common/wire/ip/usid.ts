import { readUint16, writeUint16 } from '../bytes';
import type { Ipv6Address } from './ipv6';

/**
 * Destinations of IPv6 that are paths: a block of 32 bits, and behind it up to six uSIDs of 16 bits, of which the
 * first is active (RFC 9800, NEXT-CSID). Each switch takes its own away and moves the others up, so that the last one,
 * that of the host, is left: block and uSID are the host's address.
 */
export const USIDS_MAX = 6;

/** uSIDs of nodes, which all know; those above are of ports, each known to its switch alone. */
export const NODE_USID_MAX = 0xdfff;

const ADJACENCIES = 0xe000;

/** uSID of what a port of a switch leads to. */
export const adjacencyUsid = (port: number): number => ADJACENCIES + port;

/** Block and uSID as a prefix of 48 bits: the number, and the address that it begins. */
export const usidLocator = (block: number, usid: number): number => block * 0x1_0000 + usid;
export const formatUsid = (block: number, usid: number): string =>
  `${[block >>> 16, block & 0xffff, usid].map((group) => group.toString(16)).join(':')}::`;

/** The block of hosts that know each other by IPv4 addresses, 10.0.0.0/17, and of their switches. */
export const HOST_BLOCK = 0xfd48_5044;
export const HOST_BLOCK_TEXT = 'fd48:5044::/32';
const HOST_NETWORK = 0x0a00_0000;
const HOST_USIDS = 0x8000;

/** Hosts, and switches, that have room among the uSIDs. */
export const USID_HOSTS_MAX = NODE_USID_MAX - HOST_USIDS;
export const USID_SWITCHES_MAX = HOST_USIDS - 1;

/** True for an address that {@link usidOfHost} knows. */
export const hasHostUsid = (ipv4: number): boolean =>
  ipv4 > HOST_NETWORK && ipv4 <= HOST_NETWORK + USID_HOSTS_MAX;

export const usidOfHost = (ipv4: number): number => HOST_USIDS + (ipv4 - HOST_NETWORK);
export const hostOfUsid = (usid: number): number => HOST_NETWORK + (usid - HOST_USIDS);

/** The address of a host at the end of its paths. */
export const usidAddress = (ipv4: number): Ipv6Address => [
  HOST_BLOCK,
  usidOfHost(ipv4) * 0x1_0000,
  0,
  0,
];

/** The same as text. */
export const formatUsidAddress = (ipv4: number): string => formatUsid(HOST_BLOCK, usidOfHost(ipv4));

/** The host of an address; undefined for others, and for a path that has not come to its end. */
export function ipv4OfUsids([block, word, ...rest]: Ipv6Address): number | undefined {
  const ipv4 = hostOfUsid(word >>> 16);
  const isAddress =
    block === HOST_BLOCK && (word & 0xffff) === 0 && rest.every((each) => each === 0);
  return isAddress && hasHostUsid(ipv4) ? ipv4 : undefined;
}

/** The address at the end of a path to such a host, and its own, as text; undefined for others. */
export function endOfPathText(address: string): string | undefined {
  const [high, low, ...usids] = address.split(':').filter((group) => group !== '' && group !== '0');
  const last = usids.at(-1);
  if (last === undefined || !HOST_BLOCK_TEXT.startsWith(`${high}:${low}::`)) return undefined;
  return formatUsid(HOST_BLOCK, Number.parseInt(last, 16));
}

/**
 * Sum of the words of an address beyond the halves of its IPv4 address, for pseudo-headers: in ones' complement,
 * 0xffff - 0x0a00 takes the upper half away.
 */
export const USID_PREFIX_SUM = 0xfd48 + 0x5044 + HOST_USIDS + (0xffff - (HOST_NETWORK >>> 16));

/** Writes uSIDs behind the block, from the first on. */
export function emitUsids(block: number, usids: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(16);
  [block >>> 16, block & 0xffff, ...usids].forEach((group, i) => writeUint16(bytes, 2 * i, group));
  return bytes;
}

/** Bytes of an address: the block, then the uSIDs. */
const USIDS_AT = 4;
const ADDRESS_BYTES = 16;

/** Moves the last uSID of an address that is a path to the front, as its switches do one by one. */
export function endPath(bytes: Uint8Array, at: number): void {
  const first = at + USIDS_AT;
  let last = at + ADDRESS_BYTES - 2;
  while (last > first && readUint16(bytes, last) === 0) last -= 2;
  const usid = readUint16(bytes, last);
  bytes.fill(0, first, at + ADDRESS_BYTES);
  writeUint16(bytes, first, usid);
}
