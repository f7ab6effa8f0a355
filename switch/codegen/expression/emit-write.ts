import { code } from '../text/code';
import { emitElement } from './emit-expression';
import { fit, storeField } from './emit-fields';
import type { FieldTarget } from '../../ir/statements';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** Writes a value in the target's format; nothing happens when a stack has no such element. */
export function writeTarget(target: FieldTarget, value: Value, scope: Scope): void {
  const { layout } = scope;
  if (target.kind === 'field') {
    storeField(layout.place(target.slot), fit(value, target.format, scope), scope);
    return;
  }
  // Code that can run unconditionally stands before the condition.
  const fitting = fit(value, target.format, scope);
  const element = emitElement(target.header, scope);
  if (element === undefined) return;
  const field = layout.header(element.header).fields[target.offset];
  if (field === undefined) return;
  const store = (): void => storeField(layout.place(field.slot), fitting, scope, element);
  if (element.exists === undefined) store();
  else scope.writer.block(code`if (${element.exists})`, store);
}
