import { checked, lookUp, parseHex, malformed, refuse } from './checked';
import { operandSchema, primitiveSchema, widthSchema } from './json-schema';
import { lowerBoolean, lowerData, lowerTarget } from './lower-expression';
import { lowerStraightPrimitive } from './lower-action';
import { ACCEPT } from '../parser-nodes';
import {
  headerOf,
  resolveField,
  resolveHeader,
  resolveStack,
  resolveUnionStack,
  stackElement,
  unionOf,
} from './scope';
import { z } from 'zod';
import type { JsonParserOperation, JsonParserState, JsonProgram } from './json-schema';
import type {
  ExtractTarget,
  ParserOperation,
  ParserState,
  Transition,
  TransitionKeyPart,
} from '../parser-nodes';
import type { HeaderExpression, UnionExpression } from '../expressions';
import type { Place } from './checked';
import type { Scope } from './scope';

interface LoweredParser {
  readonly start: number;
  readonly states: readonly ParserState[];
}

/** Lowers the program's only parser. */
export function lowerParser(
  scope: Scope,
  parsers: JsonProgram['parsers'],
  outer: Place,
): LoweredParser {
  const [parser, second] = parsers;
  if (second !== undefined) refuse(`the second parser '${second.name}'`, outer.child(1));
  if (parser === undefined) return malformed('the program has no parser', outer);
  const place = outer.child(0);
  const indices = new Map(parser.parse_states.map((state, i) => [state.name, i]));
  const states = parser.parse_states.map((state, i) =>
    lowerState(scope, state, { indices, place: place.child('parse_states').child(i) }),
  );
  return { start: stateIndex(indices, parser.init_state, place), states };
}

function stateIndex(
  indices: ReadonlyMap<string, number>,
  name: string | null,
  place: Place,
): number {
  return name === null ? ACCEPT : lookUp(indices, name, 'parser state', place);
}

interface StateContext {
  readonly indices: ReadonlyMap<string, number>;
  readonly place: Place;
}

function lowerState(scope: Scope, json: JsonParserState, context: StateContext): ParserState {
  const { indices, place } = context;
  const transitions: Transition[] = [];
  let defaultNext = ACCEPT;
  json.transitions.forEach((transition, i) => {
    const at = place.child('transitions').child(i);
    const next = stateIndex(indices, transition.next_state, at);
    if (isDefault(transition)) defaultNext = next;
    else transitions.push(lowerTransition(scope, transition, { next, place: at }));
  });
  const key = json.transition_key.map((part, i) =>
    lowerKeyPart(scope, part, place.child('transition_key').child(i)),
  );
  return {
    name: json.name,
    operations: json.parser_ops.map((operation, i) =>
      lowerOperation(scope, operation, place.child('parser_ops').child(i)),
    ),
    key,
    // Without a key bmv2 takes the default straight away.
    transitions: key.length === 0 ? [] : transitions,
    defaultNext,
  };
}

type JsonTransition = JsonParserState['transitions'][number];

const isDefault = ({ type, value }: JsonTransition): boolean =>
  type === 'default' || value === 'default';

function lowerTransition(
  scope: Scope,
  json: JsonTransition,
  { next, place }: { readonly next: number; readonly place: Place },
): Transition {
  const hasMask = json.mask !== null && json.mask !== undefined;
  if (json.type === 'parse_vset') {
    if (hasMask) refuse('a mask on a parser value set', place);
    const valueSet = lookUp(scope.valueSets, json.value ?? '', 'parser value set', place);
    return { kind: 'value-set', valueSet, next };
  }
  const value = parseHex(json.value, place.child('value'));
  if (!hasMask) return { kind: 'value', value, mask: undefined, next };
  const mask = parseHex(json.mask, place.child('mask'));
  return { kind: 'value', value: value & mask, mask, next };
}

function lowerKeyPart(scope: Scope, json: unknown, place: Place): TransitionKeyPart {
  const { type, value } = checked(operandSchema, json, place);
  switch (type) {
    case 'field': {
      const resolved = resolveField(scope, value, place);
      const width = resolved.kind === 'field' ? resolved.field.width : 1;
      return { kind: 'data', value: lowerData(scope, json, place), width };
    }
    case 'stack_field': {
      const data = lowerData(scope, json, place);
      return { kind: 'data', value: data, width: stackFieldWidth(scope, value, place) };
    }
    case 'union_stack_field':
      return {
        kind: 'data',
        value: lowerData(scope, json, place),
        width: unionFieldWidth(scope, json, place),
      };
    case 'lookahead':
      return lowerLookahead(value, place);
    default:
      return refuse(`a transition key of type '${type}'`, place);
  }
}

function stackFieldWidth(scope: Scope, value: unknown, place: Place): number {
  const [name, fieldName] = checked(z.tuple([z.string(), z.string()]), value, place);
  const element = stackElement(scope, resolveStack(scope, name, place), place);
  const field = element.fields.find((candidate) => candidate.name === fieldName);
  return field?.width ?? malformed(`stack '${name}' has no field '${fieldName}'`, place);
}

function unionFieldWidth(scope: Scope, json: unknown, place: Place): number {
  const field = lowerTarget(scope, json, place);
  return field.format.width;
}

const lookaheadSchema = z.tuple([widthSchema, widthSchema.positive()]);

function lowerLookahead(
  value: unknown,
  place: Place,
): { kind: 'lookahead'; bitOffset: number; width: number } {
  const [bitOffset, width] = checked(lookaheadSchema, value, place);
  return { kind: 'lookahead', bitOffset, width };
}

function lowerOperation(scope: Scope, json: JsonParserOperation, outer: Place): ParserOperation {
  const place = outer.in(json.source_info);
  const parameter = place.child('parameters').child(0);
  switch (json.op) {
    case 'extract':
      return lowerExtract(scope, json.parameters[0], parameter);
    case 'extract_VL':
      return lowerVarbitExtract(scope, json.parameters, place.child('parameters'));
    case 'set':
      return lowerSet(scope, json.parameters, place);
    case 'verify':
      return {
        kind: 'verify',
        condition: lowerBoolean(scope, json.parameters[0], parameter),
        error: lowerData(scope, json.parameters[1], place.child('parameters').child(1)),
      };
    case 'advance':
      return { kind: 'advance', bits: lowerData(scope, json.parameters[0], parameter) };
    case 'shift': {
      const bytes = checked(z.number().int().nonnegative(), json.parameters[0], parameter);
      return { kind: 'advance', bits: { kind: 'constant', value: BigInt(bytes * 8) } };
    }
    case 'primitive': {
      const primitive = checked(primitiveSchema, json.parameters[0], parameter);
      return { kind: 'statement', statement: lowerStraightPrimitive(scope, primitive, place) };
    }
    default:
      return refuse(`parser operation '${json.op}'`, place);
  }
}

function lowerSet(scope: Scope, parameters: readonly unknown[], place: Place): ParserOperation {
  const at = place.child('parameters');
  const target = lowerTarget(scope, parameters[0], at.child(0));
  const source = checked(operandSchema, parameters[1], at.child(1));
  if (source.type === 'lookahead') {
    const { bitOffset, width } = lowerLookahead(source.value, at.child(1));
    return { kind: 'set-lookahead', target, bitOffset, width };
  }
  return { kind: 'set', target, value: lowerData(scope, parameters[1], at.child(1)) };
}

/** Lowers `extract`, of headers whose length is fixed. */
function lowerExtract(scope: Scope, json: unknown, place: Place): ParserOperation {
  const target = lowerExtractTarget(scope, json, place);
  const { varbit, typeName } = headerOf(scope, headerIn(target), place);
  if (varbit !== undefined) malformed(`extracts '${typeName}' with no width of its varbit`, place);
  return { kind: 'extract', target, bits: undefined };
}

/** Lowers `extract_VL`, whose second parameter is the width of the varbit field in bits. */
function lowerVarbitExtract(
  scope: Scope,
  parameters: readonly unknown[],
  place: Place,
): ParserOperation {
  const target = lowerExtractTarget(scope, parameters[0], place.child(0));
  return { kind: 'extract', target, bits: lowerData(scope, parameters[1], place.child(1)) };
}

/** A header of the type that is extracted. */
function headerIn(target: ExtractTarget): HeaderExpression {
  switch (target.kind) {
    case 'header':
      return target;
    case 'next':
      return { kind: 'stack-last', stack: target.stack };
    case 'next-member': {
      const union: UnionExpression = { ...target, kind: 'union-stack-last' };
      return { kind: 'union-member', union, member: target.member };
    }
  }
}

function lowerExtractTarget(scope: Scope, json: unknown, place: Place): ExtractTarget {
  const { type, value } = checked(operandSchema, json, place);
  switch (type) {
    case 'regular': {
      const header = resolveHeader(scope, value, place);
      if (header.metadata) malformed(`metadata '${header.name}' cannot be extracted`, place);
      return { kind: 'header', header: header.index };
    }
    case 'stack':
      return { kind: 'next', stack: resolveStack(scope, value, place).index };
    case 'union_stack': {
      const [stackName, memberName] = checked(z.tuple([z.string(), z.string()]), value, place);
      const unionStack = resolveUnionStack(scope, stackName, place).index;
      const union = unionOf(scope, { kind: 'union-stack-last', unionStack }, place);
      const member = union.memberNames.indexOf(memberName);
      if (member < 0) malformed(`'${union.typeName}' has no member '${memberName}'`, place);
      return { kind: 'next-member', unionStack, member };
    }
    default:
      return refuse(`extraction into a '${type}'`, place);
  }
}
