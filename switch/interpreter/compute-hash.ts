import { isValid } from '../executor/header-operations';
import { unreachable } from '../../common/assert';
import { ignoresTrailingZeros } from '../runtime/hash';
import { fit } from '../runtime/bits';
import { evaluateBoolean } from './evaluate-expression';
import type { Checksum, FieldLayout, HashAlgorithm, HashInput } from '../ir/nodes';
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
      if (isValid(packet, input.field.header)) {
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
  if (!isValid(packet, index)) return;
  for (const field of packet.header(index)?.fields ?? []) {
    appendField(field, packet);
  }
}

/** A varbit field has its present width. */
function appendField(field: FieldLayout, packet: InterpretedPacket): void {
  const width = field.variable ? (packet.widths[field.header] ?? 0) : field.width;
  packet.bits.append(packet.values[field.slot] ?? 0n, width);
}

/** The stored payload, and the zeros that are not stored where the algorithm notices them. */
function appendPayload(algorithm: HashAlgorithm, packet: InterpretedPacket): void {
  const zeros = ignoresTrailingZeros(algorithm) ? 0 : packet.receivedLength - packet.bytes.length;
  packet.bits.appendBytes(packet.bytes.subarray(packet.offset), zeros);
}

/** Marks the packet when a checksum is wrong that the program verifies; nothing else follows. */
export function verifyChecksums(packet: InterpretedPacket): void {
  for (const checksum of packet.program.verifiedChecksums) {
    if (!isValid(packet, checksum.target.header)) continue;
    if (!evaluateBoolean(checksum.condition, packet)) continue;
    if (packet.values[checksum.target.slot] !== checksumValue(checksum, packet)) {
      packet.checksumError = true;
    }
  }
}

/** Writes checksums in the program's order; fields of invalid headers are written too, unsent. */
export function updateChecksums(packet: InterpretedPacket): void {
  for (const checksum of packet.program.updatedChecksums) {
    if (!evaluateBoolean(checksum.condition, packet)) continue;
    packet.values[checksum.target.slot] = checksumValue(checksum, packet);
  }
}

/** The value as the target field can hold it. */
function checksumValue({ calculation, target }: Checksum, packet: InterpretedPacket): bigint {
  const inputs = packet.program.calculations[calculation]?.inputs;
  const unit = packet.state.calculationList[calculation];
  if (inputs === undefined || unit === undefined) return 0n;
  return fit(computeHash(unit, inputs, packet), target);
}
