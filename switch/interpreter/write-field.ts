import { fit } from '../runtime/bits';
import { resolveHeader } from './evaluate-expression';
import type { FieldTarget } from '../ir/statements';
import type { InterpretedPacket } from './interpreted-packet';

/** Writes a value in the field's format; nothing happens when a stack has no such element. */
export function writeField(target: FieldTarget, value: bigint, packet: InterpretedPacket): void {
  if (target.kind === 'field') {
    packet.values[target.slot] = fit(value, target.format);
    return;
  }
  const header = packet.header(resolveHeader(target.header, packet));
  if (header === undefined) return;
  packet.values[header.firstSlot + target.offset] = fit(value, target.format);
}
