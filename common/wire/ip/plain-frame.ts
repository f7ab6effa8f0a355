import type { Bytes } from '../../units/units';
import { readUint16, readUint32, writeUint16 } from '../bytes';
import { checksumWords, finishChecksum } from './checksum';
import { ETHERNET_LENGTH, ETHERTYPE_IPV6 } from './ethernet';
import { IPV4_LENGTH, PROTOCOL_UDP } from './ipv4';
import { IPV6_LENGTH } from './ipv6';

/**
 * Places in frames whose IP header stands right behind Ethernet and has neither options nor extension
 * headers, such as those of hosts and switches of a run: looks at fields without parsing anything.
 */
const ETHER_TYPE_AT = 12;
const IPV4_SOURCE_AT = ETHERNET_LENGTH + 12;
const IPV4_DESTINATION_AT = ETHERNET_LENGTH + 16;
/** Places of the last words of addresses, behind the prefix of mapped ones. */
const IPV6_SOURCE_AT = ETHERNET_LENGTH + 20;
const IPV6_DESTINATION_AT = ETHERNET_LENGTH + 36;
const IPV4_LENGTH_AT = ETHERNET_LENGTH + 2;
const IPV4_CHECKSUM_AT = ETHERNET_LENGTH + 10;
const IPV6_LENGTH_AT = ETHERNET_LENGTH + 4;
/** Within the UDP header. */
const UDP_LENGTH_FIELD = 4;
const UDP_CHECKSUM = 6;

const isIpv6Frame = (bytes: Uint8Array, start = 0): boolean =>
  readUint16(bytes, start + ETHER_TYPE_AT) === ETHERTYPE_IPV6;

/** Offset of what follows the IP header of a frame that begins at `start`. */
export const afterIpIn = (bytes: Uint8Array, start = 0): number =>
  start + ETHERNET_LENGTH + (isIpv6Frame(bytes, start) ? IPV6_LENGTH : IPV4_LENGTH);

/** The DSCP of a frame that begins at `start`. */
export const dscpIn = (bytes: Uint8Array, start = 0): number =>
  isIpv6Frame(bytes, start)
    ? (readUint16(bytes, start + ETHERNET_LENGTH) >>> 6) & 0x3f
    : (bytes[start + ETHERNET_LENGTH + 1] as number) >>> 2;

/** The IPv4 address of the sender, or that in its mapped IPv6 address. */
export const sourceIn = (bytes: Uint8Array): number =>
  readUint32(bytes, isIpv6Frame(bytes) ? IPV6_SOURCE_AT : IPV4_SOURCE_AT);

/** The IPv4 address of the receiver, or that in its mapped IPv6 address. */
export const destinationIn = (bytes: Uint8Array): number =>
  readUint32(bytes, isIpv6Frame(bytes) ? IPV6_DESTINATION_AT : IPV4_DESTINATION_AT);

/** Offset of both addresses, which end where the IP header does. */
const addressesIn = (bytes: Uint8Array): number => ETHERNET_LENGTH + (isIpv6Frame(bytes) ? 8 : 12);

/** Makes the checksum of UDP in a plain frame of IPv4 or IPv6 right. */
export function mendUdpChecksum(bytes: Uint8Array): void {
  const udpAt = afterIpIn(bytes);
  const length = readUint16(bytes, udpAt + UDP_LENGTH_FIELD);
  writeUint16(bytes, udpAt + UDP_CHECKSUM, 0);
  const pseudo = checksumWords(bytes, addressesIn(bytes), udpAt) + PROTOCOL_UDP + length;
  const end = Math.min(bytes.length, udpAt + length);
  const checksum = finishChecksum(pseudo + checksumWords(bytes, udpAt, end));
  writeUint16(bytes, udpAt + UDP_CHECKSUM, checksum === 0 ? 0xffff : checksum);
}

/** Makes the headers of IP and UDP fit a datagram that is `by` bytes longer than they say. */
export function growDatagram(bytes: Uint8Array, by: Bytes): void {
  const udpAt = afterIpIn(bytes);
  addTo16(bytes, udpAt + UDP_LENGTH_FIELD, by);
  if (isIpv6Frame(bytes)) {
    addTo16(bytes, IPV6_LENGTH_AT, by);
  } else {
    addTo16(bytes, IPV4_LENGTH_AT, by);
    writeUint16(bytes, IPV4_CHECKSUM_AT, 0);
    writeUint16(
      bytes,
      IPV4_CHECKSUM_AT,
      finishChecksum(checksumWords(bytes, ETHERNET_LENGTH, udpAt)),
    );
  }
  mendUdpChecksum(bytes);
}

const addTo16 = (bytes: Uint8Array, at: number, by: number): void =>
  writeUint16(bytes, at, readUint16(bytes, at) + by);
