import type { Packet } from '../../../common/packet/packet';
import type { Bytes } from '../../../common/units/units';
import type { ReceivedPacket } from './received-packet';

/** The payload of a packet with data: its length, and the part of it that is stored. */
export function payloadOf(
  { content }: ReceivedPacket,
  { bytes }: Packet,
): { readonly length: Bytes; readonly stored: Uint8Array } {
  if (!('payloadAt' in content)) return { length: 0, stored: bytes.subarray(0, 0) };
  const { payloadAt, payloadLength: length } = content;
  return { length, stored: bytes.subarray(payloadAt, payloadAt + length) };
}
