import { headerLength, isValid } from '../executor/header-operations';
import { writeHeader, writeVarbitHeader } from '../runtime/header-codec';
import { updateChecksums } from './compute-hash';
import { runStatements } from './execute-action';
import type { InterpretedPacket } from './interpreted-packet';

/**
 * The packet's new bytes: checksums are updated, then all valid headers follow in the deparser's
 * order, then the stored bytes that were not parsed.
 */
export function deparse(packet: InterpretedPacket): Uint8Array {
  updateChecksums(packet);
  runStatements(packet.program.deparserStatements, packet);
  const { deparserOrder } = packet.program;
  const payload = packet.bytes.length - packet.offset;
  const bytes = new Uint8Array(headerBytes(packet) + payload);
  let position = 0;
  for (const index of deparserOrder) {
    const header = packet.header(index);
    if (header === undefined || !isValid(packet, index)) continue;
    if (header.varbit === undefined) {
      writeHeader(header.fields, bytes, position, packet.values);
    } else {
      const extra = packet.widths[index] ?? 0;
      writeVarbitHeader(header.fields, { bytes, offset: position, extra }, packet.values);
    }
    position += headerLength(packet, header);
  }
  copyTail(packet, bytes, position);
  return bytes;
}

function headerBytes(packet: InterpretedPacket): number {
  let total = 0;
  for (const index of packet.program.deparserOrder) {
    const header = packet.header(index);
    if (header !== undefined && isValid(packet, index)) total += headerLength(packet, header);
  }
  return total;
}

function copyTail(packet: InterpretedPacket, bytes: Uint8Array, position: number): void {
  if (packet.offset < packet.bytes.length)
    bytes.set(packet.bytes.subarray(packet.offset), position);
}
