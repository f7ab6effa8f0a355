import type { StfReply } from '../../../switch/stf/run/requests';
import { maskedReply } from './masked-reply';

/** Offsets in a report over Ethernet and IPv4 without options. */
const IPV4 = 14;
const UDP = 34;
const IPV4_BYTES = UDP - IPV4;
const REPORT = 42;
const COLLECTOR_PORT = 50003;
const REPORT_BYTES = 12;
/** Which metadata follow, and the own hop, of reports of type 1. */
const METADATA_BYTES = 8;
const HOP_BYTES = 28;
const INT_DSCP = 0x17;
/** E and M, by which a node says that it had no room. */
const NO_ROOM_FLAGS = 0xf9;

/**
 * A reply with the parts of reports alone that a chip and its twin tell alike. By design
 * (docs/tofino.md) a chip's sink reports the packet as it came, where the twin has it after the TTL
 * was less by one and a flag was set, without an own hop, and of any length.
 */
export const comparableReports = (reply: StfReply): StfReply => maskedReply(reply, comparable);

function comparable(packet: Buffer): Uint8Array {
  if (!isReport(packet)) return packet;
  const hasHop = packet.readUInt8(REPORT + 8) >> 4 === 1;
  const inner = REPORT + REPORT_BYTES + (hasHop ? METADATA_BYTES + HOP_BYTES : 0);
  const end = IPV4 + packet.readUInt16BE(IPV4 + 2);
  // What a test only calls a report may have nothing in it.
  if (end < inner + IPV4_BYTES) return packet;
  const reported = withoutRoute(Buffer.from(packet.subarray(inner, end)));
  const type = packet.readUInt8(REPORT + 8) & 0x0f;
  return Buffer.concat([
    packet.subarray(0, IPV4),
    packet.subarray(IPV4 + 12, UDP + 4),
    packet.subarray(REPORT, REPORT + 8),
    Buffer.from([type, packet.readUInt8(REPORT + 11)]),
    hasInt(reported) ? Buffer.alloc(0) : ownHop(packet, hasHop),
    reported,
  ]);
}

const isReport = (packet: Buffer): boolean =>
  packet.length >= REPORT + REPORT_BYTES &&
  packet.readUInt16BE(12) === 0x0800 &&
  packet.readUInt8(IPV4) === 0x45 &&
  packet.readUInt8(IPV4 + 9) === 17 &&
  packet.readUInt16BE(UDP + 2) === COLLECTOR_PORT &&
  packet.readUInt8(REPORT) >> 4 === 2;

/** The own hop with its metadata, without queue and time. */
function ownHop(packet: Buffer, hasHop: boolean): Buffer {
  if (!hasHop) return Buffer.alloc(0);
  const at = REPORT + REPORT_BYTES;
  const hop = Buffer.from(packet.subarray(at, at + METADATA_BYTES + HOP_BYTES));
  return hop.fill(0, METADATA_BYTES + 5, METADATA_BYTES + 16);
}

const isIpv6 = (inner: Buffer): boolean => inner.readUInt8(0) >> 4 === 6;

const hasInt = (inner: Buffer): boolean =>
  ((inner.readUInt16BE(0) >> (isIpv6(inner) ? 6 : 2)) & 0x3f) === INT_DSCP;

/** The IP packet without TTL and the checksum of it, and without flags that a node may set. */
function withoutRoute(inner: Buffer): Buffer {
  if (inner.length < 40) return inner;
  const protocol = inner.readUInt8(isIpv6(inner) ? 6 : 9);
  if (isIpv6(inner)) inner.fill(0, 7, 8);
  else inner.fill(0, 8, 9).fill(0, 10, 12);
  if (!hasInt(inner)) return inner;
  const l4 = isIpv6(inner) ? 40 : 20;
  const md = l4 + (protocol === 6 ? 20 : 8) + 4;
  if (md >= inner.length) return inner;
  const checksum = l4 + (protocol === 6 ? 16 : 6);
  const flags = inner.readUInt8(md) & ~NO_ROOM_FLAGS & 0xff;
  inner.writeUInt8(inner.readUInt8(md) & NO_ROOM_FLAGS, md);
  if (inner.readUInt16BE(checksum) !== 0) {
    const sum = inner.readUInt16BE(checksum) + (flags << 8);
    inner.writeUInt16BE((sum & 0xffff) + (sum >>> 16), checksum);
  }
  return inner;
}
