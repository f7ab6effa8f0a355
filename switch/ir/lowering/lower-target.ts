import { checked } from '../json/checked';
import { operandSchema } from '../json/json-schema';
import { lowerOperand } from './lower-operand';
import { malformed } from '../json/place';
import { headerOf, resolveRealField } from './scope';
import type { FieldLayout } from '../nodes';
import type { Place } from '../json/place';
import type { Scope } from './scope';
import type { FieldTarget } from '../statements';

/** The field that a primitive writes to: named, in a stack's last element, or computed. */
export function lowerTarget(scope: Scope, operand: unknown, place: Place): FieldTarget {
  const { type, value } = checked(operandSchema, operand, place);
  if (type === 'field') return fieldTarget(resolveRealField(scope, value, place));
  const typed = lowerOperand(scope, operand, place);
  if (typed.type !== 'data') return malformed(`wanted a field, found a ${typed.type}`, place);
  const node = typed.node;
  if (node.kind !== 'header-field') return malformed('wanted a field to write to', place);
  const field = headerOf(scope, node.header, place).fields[node.offset];
  if (field === undefined) return malformed(`the header has no field ${node.offset}`, place);
  return { kind: 'header-field', header: node.header, offset: node.offset, format: field };
}

export function fieldTarget(field: FieldLayout): FieldTarget {
  return { kind: 'field', slot: field.slot, format: field };
}
