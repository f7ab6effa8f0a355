import { readField } from '../expression/emit-fields';
import { HASH_BYTES } from '../runtime/hash-scratch';
import { constant } from '../value/value';
import type { FieldLayout, HashInput } from '../../ir/nodes';
import type { Layout } from '../layout/layout';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

/** Inputs of a hash that follow each other and count under the same condition. */
export interface InputGroup {
  /** The header that has to be valid; undefined where nothing has to. */
  readonly header: number | undefined;
  readonly isPayload: boolean;
  readonly inputs: SizedInput[];
}

export interface SizedInput {
  readonly value: (scope: Scope) => Value;
  /** Of a varbit field the largest one. */
  readonly width: number;
  /** The header whose varbit field it is. */
  readonly varbitOf: number | undefined;
}

export function groupInputs(inputs: readonly HashInput[], layout: Layout): InputGroup[] {
  const groups: InputGroup[] = [];
  for (const input of inputs) {
    const header = headerOf(input, layout);
    const isPayload = input.kind === 'payload';
    const last = groups.at(-1);
    if (last !== undefined && !isPayload && !last.isPayload && last.header === header) {
      last.inputs.push(...sized(input, layout));
    } else {
      groups.push({ header, isPayload, inputs: sized(input, layout) });
    }
  }
  return groups;
}

/** Every group consists of whole units of so many bits, and no input is wider than 64 bits. */
export function isWholeUnits(groups: readonly InputGroup[], unit: 8 | 16): boolean {
  const inputs = groups.flatMap((group) => group.inputs);
  const total = inputs.reduce((sum, { width }) => sum + width, 0);
  return (
    total <= HASH_BYTES * 8 &&
    groups.every(({ isPayload }) => !isPayload) &&
    groups.every((group) => group.inputs.reduce((sum, { width }) => sum + width, 0) % unit === 0) &&
    inputs.every(({ width, varbitOf }) => width <= 64 && varbitOf === undefined)
  );
}

function headerOf(input: HashInput, layout: Layout): number | undefined {
  const header =
    input.kind === 'field'
      ? input.field.header
      : input.kind === 'header'
        ? input.header
        : undefined;
  return header === undefined || layout.header(header).metadata ? undefined : header;
}

function sized(input: HashInput, layout: Layout): SizedInput[] {
  switch (input.kind) {
    case 'field': {
      const { field } = input;
      return [sizedField(field)];
    }
    case 'constant': {
      const bits = BigInt.asUintN(input.width, input.value);
      return [{ value: () => constant(bits), width: input.width, varbitOf: undefined }];
    }
    case 'header':
      return layout.header(input.header).fields.map(sizedField);
    case 'payload':
      return [];
  }
}

function sizedField(field: FieldLayout): SizedInput {
  const { width, variable, header } = field;
  const value = (scope: Scope): Value => readField(field, scope);
  return { value, width, varbitOf: variable ? header : undefined };
}
