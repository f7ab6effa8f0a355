import { Identifier, code, operand } from '../text/code';
import { emitFunction } from '../value/scope';
import { emitBoolean } from '../expression/emit-expression';
import { fit, readField, storeField, validity } from '../expression/emit-fields';
import { emitMismatch, hashValue } from '../statement/emit-hash';
import type { Checksum } from '../../ir/nodes';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** Marks the packet when a checksum is wrong that the program verifies; nothing else follows. */
export function emitVerification(outer: Scope): void {
  emitFunction(new Identifier('verifyChecksums'), outer, [], (scope) => {
    const { writer, program } = scope;
    for (const checksum of program.verifiedChecksums) {
      writer.comment(checksum.name);
      const condition = operand(emitBoolean(checksum.condition, scope));
      const valid = validity(checksum.target.header, scope);
      writer.block(code`if (${valid} && ${condition})`, () => {
        const stored = readField(checksum.target, scope);
        const mismatch = emitMismatch(stored, computed(checksum, scope), scope);
        writer.line(code`if (${mismatch}) packet.checksumError = true;`);
      });
    }
  });
}

/** Writes checksums in the program's order; fields of invalid headers are written too, unsent. */
export function emitUpdate(outer: Scope): void {
  emitFunction(new Identifier('updateChecksums'), outer, [], (scope) => {
    const { writer, program } = scope;
    for (const checksum of program.updatedChecksums) {
      writer.comment(checksum.name);
      const condition = emitBoolean(checksum.condition, scope);
      writer.block(code`if (${condition})`, () => {
        const place = scope.layout.place(checksum.target.slot);
        storeField(place, computed(checksum, scope), scope);
      });
    }
  });
}

/** The value as the target field can hold it. */
function computed({ calculation, target }: Checksum, scope: Scope): Value {
  const algorithm = scope.program.calculations[calculation]?.algorithm ?? 'csum16';
  return fit(hashValue(scope.globals.calculation(calculation), algorithm), target, scope);
}
