import { data, target } from './primitive-call';
import type { ArithmeticOperator, DataExpression } from '../expressions';
import type { Call } from './primitive-call';
import type { Statement } from '../statements';

/** Primitives of P4-14, which compilers before P4-16 wrote: each is an assignment. */
export const LEGACY_PRIMITIVES: readonly (readonly [
  name: string,
  lowering: readonly [parameters: number, (call: Call) => Statement],
])[] = [
  ['modify_field', [2, (c) => assign(c, data(c, 1))]],
  ['add_to_field', [2, (c) => assign(c, operation('+', data(c, 0), data(c, 1)))]],
  ['subtract_from_field', [2, (c) => assign(c, operation('-', data(c, 0), data(c, 1)))]],
  ...(
    [
      ['add', '+'],
      ['subtract', '-'],
      ['bit_and', '&'],
      ['bit_or', '|'],
      ['bit_xor', '^'],
      ['shift_left', '<<'],
      ['shift_right', '>>'],
    ] as const
  ).map(
    ([name, operator]) =>
      [name, [3, (c: Call) => assign(c, operation(operator, data(c, 1), data(c, 2)))]] as const,
  ),
];

function assign(call: Call, value: DataExpression): Statement {
  return { kind: 'assign', target: target(call, 0), value };
}

function operation(
  operator: ArithmeticOperator,
  left: DataExpression,
  right: DataExpression,
): DataExpression {
  return { kind: 'arithmetic', operator, left, right };
}
