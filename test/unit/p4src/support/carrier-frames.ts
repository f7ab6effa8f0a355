import { internetChecksum } from '../../../../common/wire/ip/checksum';
import { fromHex } from '../../../support/hex';

const SOURCE4 = '0a000001';
const DESTINATION4 = '0a000002';
const SOURCE6 = '20010db8000000000000000000000001';
const DESTINATION6 = '20010db8000000000000000000000002';
export const MACS = '020000000002020000000001';

const hex = (value: number, bytes: number): string => value.toString(16).padStart(bytes * 2, '0');

const bytesOf = (text: string): number => text.replace(/\s+/g, '').length / 2;

const sum = (text: string): string => hex(internetChecksum(fromHex(text)), 2);

interface Ipv4Fields {
  readonly dscp?: number;
  readonly ttl?: number;
  readonly protocol?: number;
}

/** An IPv4 packet with a right header checksum, in hexadecimal. */
export function ipv4(
  payload: string,
  { dscp = 0, ttl = 64, protocol = 17 }: Ipv4Fields = {},
): string {
  const length = hex(20 + bytesOf(payload), 2);
  const start = `45${hex(dscp * 4, 1)}${length}12344000${hex(ttl, 1)}${hex(protocol, 1)}`;
  const addresses = SOURCE4 + DESTINATION4;
  return `${start}${sum(`${start}0000${addresses}`)}${addresses}${payload}`;
}

interface Ipv6Fields {
  readonly dscp?: number;
  readonly hopLimit?: number;
  readonly nextHeader?: number;
}

/** An IPv6 packet, in hexadecimal. */
export function ipv6(payload: string, fields: Ipv6Fields = {}): string {
  const { dscp = 0, hopLimit = 64, nextHeader = 17 } = fields;
  const start = hex(0x60000000 + dscp * 2 ** 22, 4) + hex(bytesOf(payload), 2);
  const addresses = SOURCE6 + DESTINATION6;
  return `${start}${hex(nextHeader, 1)}${hex(hopLimit, 1)}${addresses}${payload}`;
}

/** A UDP datagram with the checksum for IPv4 or IPv6, or with none, in hexadecimal. */
export function udp(data: string, checksum: 'ipv4' | 'ipv6' | 'none' = 'ipv4'): string {
  const length = hex(8 + bytesOf(data), 2);
  const addresses = checksum === 'ipv6' ? SOURCE6 + DESTINATION6 : SOURCE4 + DESTINATION4;
  const found = sum(`${addresses}0011${length}c00012b7${length}0000${data}`);
  // All zeros would say that there is none (RFC 768).
  const text = found === '0000' ? 'ffff' : found;
  return `c00012b7${length}${checksum === 'none' ? '0000' : text}${data}`;
}

/** The sum over pseudo-header, UDP header and data of a frame: 0 when the checksum is right. */
export function udpResidue(frame: string): number {
  const isIpv4 = frame.slice(24, 28) === '0800';
  const packet = frame.slice(28);
  const addresses = isIpv4 ? packet.slice(24, 40) : packet.slice(16, 80);
  const datagram = packet.slice(isIpv4 ? 40 : 80);
  return internetChecksum(fromHex(`${addresses}0011${hex(bytesOf(datagram), 2)}${datagram}`));
}
