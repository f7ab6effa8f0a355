import { checked } from '../json/checked';
import { operandSchema } from '../json/json-schema';
import { lowerData } from './lower-operand';
import { malformed, refuse } from '../json/place';
import { resolveHeader, resolveStack, resolveUnionStack, unionOf } from './scope';
import type { ExtractTarget, ParserOperation } from '../parser-nodes';
import type { Place } from '../json/place';
import type { Scope } from './scope';
import { z } from 'zod';

/** Lowers `extract`, of headers whose length is fixed. */
export function lowerExtract(scope: Scope, json: unknown, place: Place): ParserOperation {
  const target = lowerExtractTarget(scope, json, place);
  switch (target.kind) {
    case 'header':
      return { kind: 'extract', header: target.header };
    case 'next':
      return { kind: 'extract-next', stack: target.stack };
    case 'next-member':
      return { ...target, kind: 'extract-next-member' };
  }
}

/** Lowers `extract_VL`, whose second parameter is the width of the varbit field in bits. */
export function lowerVarbitExtract(
  scope: Scope,
  parameters: readonly unknown[],
  place: Place,
): ParserOperation {
  return {
    kind: 'extract-varbit',
    target: lowerExtractTarget(scope, parameters[0], place.child(0)),
    bits: lowerData(scope, parameters[1], place.child(1)),
  };
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
