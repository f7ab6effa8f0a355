import type { StfReply } from '../../../switch/stf/run/requests';
import { changeChecksum, maskedReply } from './masked-reply';

const ETHERNET_BYTES = 14;
const UDP_BYTES = 8;
const RECORD_BYTES = 8;
const IPV6 = 0x86dd;
const UDP = 17;
const PADDING_DSCP = 0x17;

/** A reply with zeros for time and queue of the last record of each padding, checksums included. */
export const withoutQueue = (reply: StfReply): StfReply => maskedReply(reply, masked);

function masked(packet: Buffer): Uint8Array {
  const padding = paddingOf(packet);
  if (padding === undefined) return packet;
  const record = padding + 2 + RECORD_BYTES * ((packet[padding] ?? 0) >> 4) - RECORD_BYTES;
  if (record < padding + 2 || record + RECORD_BYTES > packet.length) return packet;
  const before = wordSum(packet, record);
  // Speed, time (24 bits), bytes sent (20), queue (16).
  packet.writeUInt8(packet.readUInt8(record) & 0xf0, record);
  packet.writeUInt16BE(0, record + 1);
  packet.writeUInt8(packet.readUInt8(record + 3) & 0x0f, record + 3);
  packet.writeUInt16BE(0, record + 6);
  const checksum = padding - 2;
  if (packet.readUInt16BE(checksum) !== 0) {
    changeChecksum(packet, checksum, { before, after: wordSum(packet, record) });
  }
  return packet;
}

/** Where the padding begins; undefined where there is none. */
function paddingOf(packet: Buffer): number | undefined {
  if (packet.length < ETHERNET_BYTES + 20) return undefined;
  const isIpv6 = packet.readUInt16BE(12) === IPV6;
  const dscp = (packet.readUInt16BE(ETHERNET_BYTES) >> (isIpv6 ? 6 : 2)) & 0x3f;
  const protocol = packet.readUInt8(ETHERNET_BYTES + (isIpv6 ? 6 : 9));
  const padding = ETHERNET_BYTES + (isIpv6 ? 40 : 20) + UDP_BYTES;
  const isPadding = dscp === PADDING_DSCP && protocol === UDP && padding + 2 <= packet.length;
  return isPadding ? padding : undefined;
}

/** A record is at an even distance from the checksum. */
const wordSum = (packet: Buffer, at: number): number =>
  [0, 2, 4, 6].reduce((sum, offset) => sum + packet.readUInt16BE(at + offset), 0);
