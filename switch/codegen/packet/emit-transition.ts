import { code, joined, operand } from '../text/code';
import { toBigint, wrapUnsigned } from '../value/convert';
import { loadBits } from '../expression/emit-bits';
import { emitComparison, emitData } from '../expression/emit-expression';
import { emitBranches } from '../control/emit-flow';
import { emitArithmetic } from '../value/emit-arithmetic';
import { bigint, constant, pair, ranged } from '../value/value';
import type { ParserState, TransitionKeyPart, ValueTransition } from '../../ir/parser-nodes';
import type { Code } from '../text/code';
import type { Branch, GoTo } from '../control/emit-flow';
import type { Scope } from '../value/scope';
import type { Value } from '../value/value';

interface KeyPart {
  readonly value: Value;
  /** Width in the concatenated key, where all parts but a single one fill whole bytes. */
  readonly width: number;
}

/** Leads to the next state. The parts of the key are compared one by one, so none grows wide. */
export function emitTransition(state: ParserState, goTo: GoTo, scope: Scope): void {
  const parts = state.transitions.length === 0 ? [] : keyParts(state.key, scope);
  const total = parts.reduce((sum, part) => sum + part.width, 0);
  const branches = state.transitions.flatMap((transition): Branch[] => {
    const { next } = transition;
    if (transition.kind === 'value-set') {
      const list = joined(
        parts.map((part) => toBigint(part.value)),
        ', ',
      );
      return [{ condition: code`valueSets[${transition.valueSet}].has([${list}])`, next }];
    }
    const { value } = transition;
    if (value < 0n || value >= 1n << BigInt(total)) return [];
    return [{ condition: matches(transition, parts, scope), next }];
  });
  emitBranches(branches, state.defaultNext, goTo, scope);
}

function keyParts(key: readonly TransitionKeyPart[], scope: Scope): KeyPart[] {
  return key.map((part) => ({
    value: keepValue(keyValue(part, scope), scope),
    width: key.length === 1 ? part.width : (part.width + 7) & ~7,
  }));
}

function keyValue(part: TransitionKeyPart, scope: Scope): Value {
  if (part.kind === 'lookahead') {
    return loadBits({ ...part, bytes: code`bytes`, base: code`offset` });
  }
  return wrapUnsigned(emitData(part.value, scope, part.width), part.width, scope);
}

/** The value in constants, for it is compared several times. */
function keepValue(value: Value, scope: Scope): Value {
  switch (value.kind) {
    case 'number':
      return ranged(scope.keep(value.code, 'key'), value.low, value.high);
    case 'pair':
      return pair(scope.keep(value.high, 'high'), scope.keep(value.low, 'low'), value.width);
    case 'bigint':
      return bigint(scope.keep(value.code, 'key'));
  }
}

/** All parts agree with their piece of the value under their piece of the mask. */
function matches({ value, mask }: ValueTransition, parts: readonly KeyPart[], scope: Scope): Code {
  let shift = BigInt(parts.reduce((sum, part) => sum + part.width, 0));
  const conditions = parts.flatMap((part) => {
    shift -= BigInt(part.width);
    const wanted = BigInt.asUintN(part.width, value >> shift);
    const partMask = mask === undefined ? undefined : BigInt.asUintN(part.width, mask >> shift);
    if (partMask === 0n && wanted === 0n) return [];
    return [operand(emitComparison('==', masked(part, partMask, scope), constant(wanted), scope))];
  });
  return conditions.length === 0 ? code`true` : joined(conditions, ' && ');
}

function masked({ value, width }: KeyPart, mask: bigint | undefined, scope: Scope): Value {
  if (mask === undefined || mask === (1n << BigInt(width)) - 1n) return value;
  return emitArithmetic('&', { left: value, right: constant(mask), bits: Infinity }, scope);
}
