import { checked, lookUp } from './checked';
import { fieldReferenceSchema } from './json-schema';
import { malformed, refuse } from './place';
import type { HeaderExpression } from './expressions';
import type { FieldLayout, HeaderLayout, StackLayout } from './nodes';
import type { Place } from './place';

/** The names of a program that expressions, actions and tables refer to. */
export interface Scope {
  readonly headers: ReadonlyMap<string, HeaderLayout>;
  /** Element headers by position, for reading stacks. */
  readonly headerList: readonly HeaderLayout[];
  readonly stacks: ReadonlyMap<string, StackLayout>;
  readonly fields: ReadonlyMap<string, FieldLayout>;
  /** Positions of the declared instances, by name. */
  readonly registers: ReadonlyMap<string, number>;
  readonly counters: ReadonlyMap<string, number>;
  readonly calculations: ReadonlyMap<string, number>;
  /** How many arguments the surrounding action has; 0 outside actions. */
  readonly parameterCount: number;
}

/** The name of the 1-bit pseudo-field that tells whether a header is valid. */
export const VALIDITY_FIELD = '$valid$';

/** What a `[header, field]` pair names. */
export type ResolvedField =
  | { readonly kind: 'field'; readonly field: FieldLayout }
  | { readonly kind: 'validity'; readonly header: number };

export function resolveField(scope: Scope, reference: unknown, place: Place): ResolvedField {
  const [headerName, fieldName] = checked(fieldReferenceSchema, reference, place);
  if (fieldName === VALIDITY_FIELD) {
    const header = lookUp(scope.headers, headerName, 'header', place);
    return { kind: 'validity', header: header.index };
  }
  const name = `${headerName}.${fieldName}`;
  return { kind: 'field', field: lookUp(scope.fields, name, 'field', place) };
}

/** A field that can be written or extracted, so not `$valid$`. */
export function resolveRealField(scope: Scope, reference: unknown, place: Place): FieldLayout {
  const resolved = resolveField(scope, reference, place);
  if (resolved.kind === 'field') return resolved.field;
  return malformed('the validity of a header can be read only', place);
}

export function resolveHeader(scope: Scope, name: unknown, place: Place): HeaderLayout {
  if (typeof name !== 'string') return malformed('wanted the name of a header', place);
  return lookUp(scope.headers, name, 'header', place);
}

export function resolveStack(scope: Scope, name: unknown, place: Place): StackLayout {
  if (typeof name !== 'string') return malformed('wanted the name of a header stack', place);
  return lookUp(scope.stacks, name, 'header stack', place);
}

/** The element type of a stack, as its first element shows it. */
export function stackElement(scope: Scope, stack: StackLayout, place: Place): HeaderLayout {
  const first = stack.headers[0];
  const header = first === undefined ? undefined : scope.headerList[first];
  return header ?? refuse(`the empty header stack '${stack.name}'`, place);
}

/** A header of the type that the expression denotes. */
export function headerOf(scope: Scope, expression: HeaderExpression, place: Place): HeaderLayout {
  if (expression.kind === 'header') {
    const header = scope.headerList[expression.header];
    return header ?? malformed(`no header ${expression.header}`, place);
  }
  const stack = [...scope.stacks.values()][expression.stack];
  if (stack === undefined) return malformed(`no header stack ${expression.stack}`, place);
  return stackElement(scope, stack, place);
}
