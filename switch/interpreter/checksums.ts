import { fit } from '../runtime/bits';
import { computeHash } from './compute-hash';
import { evaluateBoolean } from './evaluate-expression';
import type { Checksum } from '../ir/nodes';
import type { InterpretedPacket } from './interpreted-packet';

/** Marks the packet when a checksum is wrong that the program verifies; nothing else follows. */
export function verifyChecksums(packet: InterpretedPacket): void {
  for (const checksum of packet.program.verifiedChecksums) {
    if (!packet.isValid(checksum.target.header)) continue;
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
