import type { Packet } from '../../common/packet/packet';
import type { HopRecord } from '../../common/hop/hop';
import { readUint16, writeUint16, writeUint32, writeUint48 } from '../../common/wire/bytes';
import { emitIpv4, parseIpv4 } from '../../common/wire/ip/ipv4';
import { WireFault } from '../../common/wire/fault';
import { emitUdp } from '../../common/wire/ip/udp';

/** Record that a switch would write; the moduli are the format's. */
export type PushedHop = Omit<HopRecord, 'timestampModulus' | 'txBytesModulus'>;

const IPV4_AT = 14;
const UDP_AT = 34;
const INT_AT = 42;
const BLOCK_LENGTH = 32;

/** Does to a data frame of ours what an INT transit switch does: pushes a block, mends the rest. */
export function pushHop(packet: Packet, hop: PushedHop): Packet {
  const bytes = new Uint8Array(packet.bytes.length + BLOCK_LENGTH);
  const stackAt = INT_AT + 16;
  bytes.set(packet.bytes.subarray(0, stackAt));
  bytes.set(packet.bytes.subarray(stackAt), stackAt + BLOCK_LENGTH);
  writeBlock(hop, bytes, stackAt);
  bytes[INT_AT + 1] = (bytes[INT_AT + 1] as number) + BLOCK_LENGTH / 4;
  bytes[INT_AT + 7] = (bytes[INT_AT + 7] as number) - 1;
  const length = packet.length + BLOCK_LENGTH;
  mendLengths(packet, bytes, length);
  return { bytes, length, ...(packet.tail && { tail: packet.tail }) };
}

function writeBlock(hop: PushedHop, bytes: Uint8Array, at: number): void {
  writeUint32(bytes, at, hop.switchId);
  writeUint16(bytes, at + 4, hop.ingressPortId ?? 0);
  writeUint16(bytes, at + 6, hop.portId);
  writeUint32(bytes, at + 8, (hop.queueId ?? 0) * 0x100_0000 + hop.queueBytes);
  writeUint48(bytes, at + 14, hop.timestamp);
  writeUint48(bytes, at + 22, hop.txBytes);
  writeUint32(bytes, at + 28, hop.capacity / 1e6);
}

function mendLengths(before: Packet, bytes: Uint8Array, length: number): void {
  const ipv4 = parseIpv4(before.bytes, IPV4_AT, before.length);
  if (ipv4 instanceof WireFault) throw new Error(ipv4.toString());
  emitIpv4({ ...ipv4, totalLength: ipv4.totalLength + BLOCK_LENGTH }, bytes, IPV4_AT);
  const udp = {
    sourcePort: readUint16(bytes, UDP_AT),
    destinationPort: readUint16(bytes, UDP_AT + 2),
    length: readUint16(bytes, UDP_AT + 4) + BLOCK_LENGTH,
  };
  const { source, destination } = ipv4;
  emitUdp(udp, bytes, { source, destination, offset: UDP_AT, end: length });
}
