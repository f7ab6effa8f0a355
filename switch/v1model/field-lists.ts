import type { PacketState } from '../executor/executor';
import type { FieldListLayout } from '../ir/nodes';

/** Copies the fields of a list from one packet to another; nothing without a list. */
export function copyFields(
  list: FieldListLayout | undefined,
  from: PacketState,
  to: PacketState,
): void {
  for (const element of list?.elements ?? []) {
    if (element.kind !== 'field') continue;
    to.writeField(element.field.slot, from.readField(element.field.slot));
  }
}

/** What a digest tells of a packet: unsigned values, in the order of its elements. */
export function sampleOf(list: FieldListLayout, state: PacketState): bigint[] {
  return list.elements.map((element) => {
    if (element.kind === 'constant') return element.value;
    const { slot, width } = element.field;
    return BigInt.asUintN(width, state.readField(slot));
  });
}
