import { decodeValue, encodeValue } from '../../../common/p4runtime/bytestring';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { PacketHeaderInfo } from '../../../common/p4runtime/p4info-externs';
import { readBits, writeBits } from '../../runtime/bit-fields';

/**
 * The bytes that a packet of the controller enters the switch with: the header that the program
 * annotates with `@controller_header("packet_out")`, then the payload (P4Runtime 1.5.0, section
 * "Packet I/O").
 * @param header undefined when the program declares none.
 * @param missing whether a field without value is refused, or taken as zero like on bmv2, where an empty value is
 * zero, too, and of several values the last one counts.
 * @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE when the metadata is not that of the header.
 */
export function packPacketOut(
  header: PacketHeaderInfo | undefined,
  packet: p4.PacketOut,
  missing: 'refused' | 'zero',
): Uint8Array {
  const values = new Map<number, Uint8Array>();
  for (const { metadataId, value } of packet.metadata) {
    const known = header?.fields.byNumber(metadataId) !== undefined;
    if (!known || (values.has(metadataId) && missing === 'refused')) {
      throw invalid(`metadata field ${metadataId} ${known ? 'is set twice' : 'does not exist'}`);
    }
    values.set(metadataId, value);
  }
  const bytes = new Uint8Array(headerBytes(header) + packet.payload.length);
  let bitOffset = 0;
  for (const { id, name, width, padding } of header?.fields.all ?? []) {
    const value = values.get(id);
    if (value === undefined && !padding && missing === 'refused') {
      throw invalid(`metadata field '${name}' is missing; bmv2 and --compatible bmv2 take it as 0`);
    }
    if (value !== undefined && (value.length > 0 || missing === 'refused')) {
      const number = decodeValue(value, width, `packet-out, metadata field '${name}'`);
      writeBits(bytes, { bitOffset, width }, number);
    }
    bitOffset += width;
  }
  bytes.set(packet.payload, headerBytes(header));
  return bytes;
}

/**
 * The message for a packet that leaves through the CPU port: its first bytes are the header
 * "packet_in". Returns undefined for a packet that is too short to carry it.
 */
export function unpackPacketIn(
  header: PacketHeaderInfo | undefined,
  bytes: Uint8Array,
): p4.PacketIn | undefined {
  const length = headerBytes(header);
  if (bytes.length < length) return undefined;
  let bitOffset = 0;
  const metadata = (header?.fields.all ?? []).map(({ id, width }) => {
    const value = readBits(bytes, bitOffset, width);
    bitOffset += width;
    return new p4.PacketMetadata({ metadataId: id, value: encodeValue(value) });
  });
  return new p4.PacketIn({ payload: bytes.slice(length), metadata });
}

/** P4 wants headers to be whole bytes; the compiler refuses others. */
function headerBytes(header: PacketHeaderInfo | undefined): number {
  const bits = (header?.fields.all ?? []).reduce((sum, { width }) => sum + width, 0);
  return Math.ceil(bits / 8);
}

function invalid(reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `packet-out: ${reason}`);
}
