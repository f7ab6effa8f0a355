import type { Packet } from '../../common/packet/packet';
import { readUint16, writeUint16 } from '../../common/wire/bytes';
import { WireFault } from '../../common/wire/fault';
import {
  emitHpccPadding,
  hpccPaddingLength,
  parseHpccPadding,
  pushHpccPadding,
} from '../../common/wire/hpcc/hpcc-padding';
import type { HpccPaddingRecord } from '../../common/wire/hpcc/hpcc-padding';
import { emitIpv4, parseIpv4 } from '../../common/wire/ip/ipv4';

const IPV4_AT = 14;
const UDP_LENGTH_AT = 38;
const PADDING_AT = 42;
const RECORD_LENGTH = 8;

/** Does to a frame with HPCC's padding and UDP checksum 0 what a switch does: appends a record. */
export function pushPaddingRecord(
  { bytes: before, length, tail }: Packet,
  switchId: number,
  record: HpccPaddingRecord,
): Packet {
  const padding = parseHpccPadding(before, PADDING_AT);
  const ipv4 = parseIpv4(before, IPV4_AT, length);
  if (padding instanceof WireFault) throw new Error(padding.toString());
  if (ipv4 instanceof WireFault) throw new Error(ipv4.toString());
  const bytes = new Uint8Array(before.length + RECORD_LENGTH);
  bytes.set(before.subarray(0, PADDING_AT));
  const restAt = PADDING_AT + hpccPaddingLength(padding);
  bytes.set(before.subarray(restAt), restAt + RECORD_LENGTH);
  emitHpccPadding(pushHpccPadding(padding, switchId, record), bytes, PADDING_AT);
  emitIpv4({ ...ipv4, totalLength: ipv4.totalLength + RECORD_LENGTH }, bytes, IPV4_AT);
  writeUint16(bytes, UDP_LENGTH_AT, readUint16(before, UDP_LENGTH_AT) + RECORD_LENGTH);
  return { bytes, length: length + RECORD_LENGTH, ...(tail && { tail }) };
}
