import { code } from '../text/code';
import { toBigint, toIndex, wrapUnsigned } from '../value/convert';
import { emitData } from '../expression/emit-expression';
import { writeTarget } from '../expression/emit-fields';
import { bigint, ranged } from '../value/value';
import type { Statement } from '../../ir/statements';
import type { Scope } from '../value/scope';

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>;

/** Width of the bounds of `random`. */
const BOUND_BITS = 64;
/** The largest colour: red. */
export const COLOUR_MAX = 2;

/** Outside the array the destination keeps its value. */
export function emitMeter({ array, index, target }: Of<'execute-meter'>, scope: Scope): void {
  const at = toIndex(emitData(index, scope));
  const execute = code`meters[${array}].execute(${at}, packet.now, packet.receivedLength)`;
  const colour = scope.keep(execute, 'colour');
  scope.writer.block(code`if (${colour} !== undefined)`, () =>
    writeTarget(target, ranged(colour, 0, COLOUR_MAX), scope),
  );
}

export function emitRandom({ target, low, high }: Of<'random'>, scope: Scope): void {
  const bound = (node: typeof low): ReturnType<typeof code> =>
    scope.keep(toBigint(wrapUnsigned(emitData(node, scope), BOUND_BITS, scope)), 'bound');
  const least = bound(low);
  const most = bound(high);
  scope.writer.block(code`if (${least} <= ${most})`, () => {
    const drawn = scope.keep(code`drawBetween(${least}, ${most}, random)`, 'drawn');
    writeTarget(target, bigint(drawn), scope);
  });
}
