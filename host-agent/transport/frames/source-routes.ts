import { readUint16, writeUint16 } from '../../../common/wire/bytes';
import { ETHERNET_LENGTH } from '../../../common/wire/ip/ethernet';
import { IPV6_LENGTH } from '../../../common/wire/ip/ipv6';
import type { SourceRoutes } from '../../../common/wire/ip/source-paths';
import { hostOfUsid } from '../../../common/wire/ip/usid';

const SOURCE_HOST_AT = ETHERNET_LENGTH + 8 + 4;
const DESTINATION_AT = ETHERNET_LENGTH + 24;
const HOST_AT = DESTINATION_AT + 4;
const UDP_AT = ETHERNET_LENGTH + IPV6_LENGTH;

/** The number of the path, of so many, that the packets of a source port take, counted from one for each pair of hosts. */
export const pathOfPort = (port: number, paths: number): number => port % paths;

/** Where two hosts begin to count their paths: flows of equal ports, as first ones are, then take different ones. */
const firstOf = (usid: number, other: number): number =>
  Math.imul(Math.imul(usid, other), GOLDEN) >>> 16;

/** 2^32 divided by the golden ratio. */
const GOLDEN = 0x9e37_79b1;

/**
 * Writes a path into a frame of UDP over IPv6 whose destination is a host: the one that its source port, the entropy
 * of the packet, stands for. An answer has the port of its question, and so takes the same path back. The checksum
 * stays, since that of the last destination counts (RFC 8200 section 8.1).
 */
export function writePath(routes: SourceRoutes, bytes: Uint8Array): void {
  const usid = readUint16(bytes, HOST_AT);
  const paths = routes(hostOfUsid(usid));
  if (paths === undefined) return;
  const { destinations, hostAt } = paths;
  const port = readUint16(bytes, UDP_AT) + firstOf(readUint16(bytes, SOURCE_HOST_AT), usid);
  const path = destinations[pathOfPort(port, destinations.length)];
  if (path === undefined) return;
  bytes.set(path, DESTINATION_AT);
  writeUint16(bytes, DESTINATION_AT + hostAt, usid);
}
