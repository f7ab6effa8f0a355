import type { StfReply } from '../../../switch/stf/run/requests';
import { changeChecksum, maskedReply } from './masked-reply';

/**
 * Masks of what a chip tells of itself in its own hop of the domain "HP", by name: packet tests run
 * without a clock and a queue.
 */
const FIELDS = {
  /** 24 bits. */
  queue_bytes: { offset: 9, length: 3 },
  /** 64 bits. */
  egress_timestamp: { offset: 12, length: 8 },
} as const;

const HOP_BYTES = 32;
/** The word of ones of a counter of 32 bits, which in packet tests only the own hop has. */
const UPPER_WORD = { offset: 20, value: 0xffffffff };
const CAPACITY = { offset: 28, value: 100_000 };

const ETHERNET_BYTES = 14;
const IPV6 = 0x86dd;
const TCP = 6;

/** A reply of the model as one of a program without clock and queue would be. */
export const withoutClock = (reply: StfReply): StfReply => maskedReply(reply, masked);

/** The packet with zeros in the masked fields, and the checksum that it has then. */
function masked(packet: Buffer): Uint8Array {
  const checksum = checksumOffset(packet);
  for (const hop of ownHops(packet)) {
    for (const { offset, length } of Object.values(FIELDS)) {
      const field = packet.subarray(hop + offset, hop + offset + length);
      const before = wordSum(packet, hop + offset, length);
      field.fill(0);
      if (checksum !== undefined) changeChecksum(packet, checksum, { before, after: 0 });
    }
  }
  return packet;
}

function ownHops(packet: Buffer): number[] {
  const hops: number[] = [];
  for (let at = ETHERNET_BYTES; at + HOP_BYTES <= packet.length; at += 2) {
    if (packet.readUInt32BE(at + UPPER_WORD.offset) !== UPPER_WORD.value) continue;
    if (packet.readUInt32BE(at + CAPACITY.offset) === CAPACITY.value) hops.push(at);
  }
  return hops;
}

/** Where TCP or UDP has its checksum; undefined where UDP has none. */
function checksumOffset(packet: Buffer): number | undefined {
  const isIpv6 = packet.readUInt16BE(12) === IPV6;
  const protocol = packet.readUInt8(ETHERNET_BYTES + (isIpv6 ? 6 : 9));
  const l4 = ETHERNET_BYTES + (isIpv6 ? 40 : 20);
  const offset = l4 + (protocol === TCP ? 16 : 6);
  if (offset + 2 > packet.length) return undefined;
  return protocol === TCP || packet.readUInt16BE(offset) !== 0 ? offset : undefined;
}

/** Sum of the 16-bit words that the bytes of a field stand in. */
function wordSum(packet: Buffer, offset: number, length: number): number {
  let sum = 0;
  for (let at = offset; at < offset + length; at++) {
    sum += at % 2 === 0 ? packet.readUInt8(at) << 8 : packet.readUInt8(at);
  }
  return sum;
}
