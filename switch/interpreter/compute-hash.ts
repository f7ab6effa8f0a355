import { unreachable } from '../../common/assert';
import { ignoresTrailingZeros } from '../runtime/hash';
import type { FieldLayout, HashAlgorithm, HashInput } from '../ir/nodes';
import type { CalculationUnit } from '../runtime/calculation-unit';
import type { InterpretedPacket } from './interpreted-packet';

/** Computes a checksum or hash over fields, headers and payload, packed bit by bit in order. */
export function computeHash(
  unit: CalculationUnit,
  inputs: readonly HashInput[],
  packet: InterpretedPacket,
): bigint {
  packet.bits.clear();
  for (const input of inputs) append(input, unit.algorithm, packet);
  return unit.compute(packet.bits.view());
}

/** Fields and headers that are invalid contribute nothing. */
function append(input: HashInput, algorithm: HashAlgorithm, packet: InterpretedPacket): void {
  switch (input.kind) {
    case 'field':
      if (packet.isValid(input.field.header)) {
        appendField(input.field, packet);
      }
      return;
    case 'constant':
      packet.bits.append(input.value, input.width);
      return;
    case 'header':
      appendHeader(input.header, packet);
      return;
    case 'payload':
      appendPayload(algorithm, packet);
      return;
    default:
      unreachable(input);
  }
}

function appendHeader(index: number, packet: InterpretedPacket): void {
  if (!packet.isValid(index)) return;
  for (const field of packet.header(index)?.fields ?? []) {
    appendField(field, packet);
  }
}

/** A varbit field has its present width. */
function appendField(field: FieldLayout, packet: InterpretedPacket): void {
  const width = field.variable ? (packet.varbitWidths[field.header] ?? 0) : field.width;
  packet.bits.append(packet.values[field.slot] ?? 0n, width);
}

/** The stored payload, and the zeros that are not stored where the algorithm notices them. */
function appendPayload(algorithm: HashAlgorithm, packet: InterpretedPacket): void {
  const zeros = ignoresTrailingZeros(algorithm) ? 0 : packet.receivedLength - packet.bytes.length;
  packet.bits.appendBytes(packet.bytes.subarray(packet.offset), zeros);
}
