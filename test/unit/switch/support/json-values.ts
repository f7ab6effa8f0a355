/**
 * Shorthand for the operands, primitives and tables of BMv2 JSON, so that a test shows the program
 * and not its packaging. Everything is written the way p4c writes it.
 */

export interface Operand {
  readonly type: string;
  readonly value: unknown;
}

export interface Primitive {
  readonly op: string;
  readonly parameters: readonly Operand[];
  readonly source_info?: { readonly filename: string; readonly line: number };
}

export const hex = (value: number | bigint): Operand => {
  const magnitude = value < 0 ? -value : value;
  return { type: 'hexstr', value: `${value < 0 ? '-' : ''}0x${magnitude.toString(16)}` };
};
export const bool = (value: boolean): Operand => ({ type: 'bool', value });
export const local = (index: number): Operand => ({ type: 'local', value: index });
export const runtimeData = (index: number): Operand => ({ type: 'runtime_data', value: index });
export const header = (name: string): Operand => ({ type: 'header', value: name });
export const headerStack = (name: string): Operand => ({ type: 'header_stack', value: name });

/** A field by `header.field`; the header may be a stack element such as `mpls[1]`. */
export const field = (name: string): Operand => {
  const dot = name.lastIndexOf('.');
  return { type: 'field', value: [name.slice(0, dot), name.slice(dot + 1)] };
};

export const expression = (value: unknown): Operand => ({ type: 'expression', value });

/** A binary operator; p4c wraps nested expressions twice. */
export const op = (name: string, left: Operand | null, right: unknown): Operand =>
  expression({ op: name, left: left && wrap(left), right: isOperand(right) ? wrap(right) : right });

export const unary = (name: string, operand: Operand): Operand => op(name, null, operand);

export const choose = (cond: Operand, left: Operand, right: Operand): Operand =>
  expression({ op: '?', left: wrap(left), right: wrap(right), cond: wrap(cond) });

export const primitive = (name: string, ...parameters: Operand[]): Primitive => ({
  op: name,
  parameters,
});
export const assign = (target: string, value: Operand): Primitive =>
  primitive('assign', field(target), value);

const wrap = (operand: Operand): Operand =>
  operand.type === 'expression' ? expression(operand) : operand;

function isOperand(value: unknown): value is Operand {
  return typeof value === 'object' && value !== null && 'type' in value;
}
