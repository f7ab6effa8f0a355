import { checked, lookUp, malformed, refuse } from './checked';
import { fieldReferenceSchema } from './json-schema';
import type { HeaderExpression, UnionExpression } from '../expressions';
import type {
  FieldLayout,
  HeaderLayout,
  StackLayout,
  UnionLayout,
  UnionStackLayout,
} from '../nodes';
import type { Place } from './checked';

/** The names of a program that expressions, actions and tables refer to. */
export interface Scope {
  readonly headers: ReadonlyMap<string, HeaderLayout>;
  /** Element headers by position, for reading stacks. */
  readonly headerList: readonly HeaderLayout[];
  readonly stacks: ReadonlyMap<string, StackLayout>;
  readonly unions: ReadonlyMap<string, UnionLayout>;
  readonly unionStacks: ReadonlyMap<string, UnionStackLayout>;
  readonly fields: ReadonlyMap<string, FieldLayout>;
  /** Positions of the declared instances, by name. */
  readonly registers: ReadonlyMap<string, number>;
  readonly counters: ReadonlyMap<string, number>;
  readonly meters: ReadonlyMap<string, number>;
  readonly valueSets: ReadonlyMap<string, number>;
  /** Ids of the field lists and digests. */
  readonly fieldListIds: ReadonlySet<number>;
  readonly digestIds: ReadonlySet<number>;
  readonly calculations: ReadonlyMap<string, number>;
  /** Number of arguments of the surrounding action; 0 outside actions. */
  readonly parameterCount: number;
}

/** Name of the 1-bit pseudo-field that is 1 if a header is valid. */
const VALIDITY_FIELD = '$valid$';

/** Meaning of a `[header, field]` pair. */
type ResolvedField =
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
  if (expression.kind === 'union-member') {
    const index = unionOf(scope, expression.union, place).headers[expression.member];
    const header = index === undefined ? undefined : scope.headerList[index];
    return header ?? malformed(`the union has no member ${expression.member}`, place);
  }
  const stack = [...scope.stacks.values()][expression.stack];
  if (stack === undefined) return malformed(`no header stack ${expression.stack}`, place);
  return stackElement(scope, stack, place);
}

/** A union of the type that the expression denotes. */
export function unionOf(scope: Scope, expression: UnionExpression, place: Place): UnionLayout {
  const unions = [...scope.unions.values()];
  const stack = (index: number): number | undefined =>
    [...scope.unionStacks.values()][index]?.unions[0];
  const index = expression.kind === 'union' ? expression.union : stack(expression.unionStack);
  return unions[index ?? -1] ?? malformed('no such header union', place);
}

export function resolveUnion(scope: Scope, name: unknown, place: Place): UnionLayout {
  if (typeof name !== 'string') return malformed('wanted the name of a header union', place);
  return lookUp(scope.unions, name, 'header union', place);
}

export function resolveUnionStack(scope: Scope, name: unknown, place: Place): UnionStackLayout {
  if (typeof name !== 'string') return malformed('wanted the name of a union stack', place);
  return lookUp(scope.unionStacks, name, 'header union stack', place);
}
