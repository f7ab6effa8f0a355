import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { emitArithmetic } from '../../../../../switch/codegen/value/emit-arithmetic';
import { emitComplement } from '../../../../../switch/codegen/value/emit-bitwise';
import { choose, emitComparison } from '../../../../../switch/codegen/value/emit-comparison';
import * as convert from '../../../../../switch/codegen/value/convert';
import { ranged, truth } from '../../../../../switch/codegen/value/value';
import { code } from '../../../../../switch/codegen/text/code';
import { fixture } from '../../../../support/paths';
import { emitted } from './emitted';
import { lowBits, numberOf } from './expectations';
import { CONSTANTS, SMALL, VARIABLES } from './operands';
import type { Value } from '../../../../../switch/codegen/value/value';
import type { Emit } from './emitted';
import type { Operand } from './operands';

/**
 * Every operator of the generator on values at the ends of words, of whole numbers and of pairs:
 * it is compared with unbounded integers, and what is emitted with a digest of what was. A text
 * that is slower and no less right changes only the digest; HPCC_UPDATE_GOLDEN=1 takes a new one.
 */

const FILE = fixture('codegen', 'operators.json');
const UPDATES = process.env.HPCC_UPDATE_GOLDEN === '1';
const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, string>;

const BITS = [8, 31, 32, 33, 52, 53, 63, 64, 65, Infinity];
const ALL = [...VARIABLES, ...CONSTANTS];

interface Trial {
  readonly emit: Emit;
  readonly operands: readonly Operand[];
  readonly expected: (...numbers: bigint[]) => bigint | string | undefined;
  /** Low bits of the result that matter. */
  readonly bits?: number;
}

/** Emits each, runs it, and says what is wrong. */
function failuresOf(name: string, trials: Iterable<Trial>): string[] {
  const hash = createHash('sha256');
  const failures: string[] = [];
  for (const { emit, operands, expected, bits = Infinity } of trials) {
    const made = emitted(emit, ...operands);
    hash.update(made.text);
    for (const numbers of rowsOf(operands)) {
      const wanted = expected(...numbers);
      if (wanted === undefined) continue;
      const found = numberOf(made, made.run(...numbers));
      if (lowBits(found, bits) === lowBits(wanted, bits)) continue;
      const what = operands.map((each, i) => `${each.name} = ${numbers[i]}`).join(', ');
      failures.push(`${what}, ${bits} bits: ${found} instead of ${wanted}\n${made.text}`);
      break;
    }
  }
  const digest = hash.digest('hex').slice(0, 16);
  if (UPDATES) known[name] = digest;
  if (known[name] !== digest) failures.push(`the text changed: ${digest}`);
  return failures.slice(0, 5);
}

/** Every number of the first operand, with a number of the second that moves on. */
function* rowsOf([first, second]: readonly Operand[]): Iterable<bigint[]> {
  if (first === undefined) return;
  if (second === undefined) {
    for (const number of first.numbers) yield [number];
    return;
  }
  const count = Math.max(first.numbers.length, second.numbers.length);
  for (let i = 0; i < count; i++) {
    for (const step of [0, 1, 3]) {
      const [x, y] = [first.numbers[i % first.numbers.length], second.numbers];
      yield [x ?? 0n, y[(i + step) % y.length] ?? 0n];
    }
  }
}

const ARITHMETIC = {
  '+': (x: bigint, y: bigint) => x + y,
  '-': (x: bigint, y: bigint) => x - y,
  '*': (x: bigint, y: bigint) => x * y,
  '/': (x: bigint, y: bigint) => (y === 0n ? 0n : x / y),
  '%': (x: bigint, y: bigint) => (y === 0n ? 0n : x % y),
  '&': (x: bigint, y: bigint) => x & y,
  '|': (x: bigint, y: bigint) => x | y,
  '^': (x: bigint, y: bigint) => x ^ y,
  '<<': (x: bigint, y: bigint) => (y < 0n ? 0n : y > 200n ? undefined : x << y),
  '>>': (x: bigint, y: bigint) => (y < 0n ? 0n : y > 200n ? undefined : x >> y),
};

const isShift = (operator: string): boolean => operator === '<<' || operator === '>>';

function* arithmetic(operator: keyof typeof ARITHMETIC): Iterable<Trial> {
  const rights = isShift(operator) ? [SMALL, ...CONSTANTS, ...VARIABLES.slice(-3)] : ALL;
  const widths = '/%'.includes(operator) ? [Infinity] : BITS;
  for (const left of ALL) {
    for (const right of rights) {
      for (const bits of widths) {
        yield {
          emit: (scope, x, y) => emitArithmetic(operator, { left: x, right: y, bits }, scope),
          operands: [left, right],
          expected: ARITHMETIC[operator],
          bits,
        };
      }
    }
  }
}

const COMPARISONS = {
  '==': (x: bigint, y: bigint) => x === y,
  '!=': (x: bigint, y: bigint) => x !== y,
  '<': (x: bigint, y: bigint) => x < y,
  '<=': (x: bigint, y: bigint) => x <= y,
  '>': (x: bigint, y: bigint) => x > y,
  '>=': (x: bigint, y: bigint) => x >= y,
};

function* comparisons(operator: keyof typeof COMPARISONS): Iterable<Trial> {
  for (const left of ALL) {
    for (const right of ALL) {
      yield {
        emit: (scope, x, y) => emitComparison(operator, x, y, scope),
        operands: [left, right],
        expected: (x, y) => `boolean ${COMPARISONS[operator](x ?? 0n, y ?? 0n)}`,
      };
    }
  }
}

function* choices(): Iterable<Trial> {
  for (const left of ALL) {
    for (const right of ALL) {
      for (const answer of [true, false]) {
        yield {
          emit: (scope, x, y) => choose(code`${answer} || false`, x, y, scope),
          operands: [left, right],
          expected: (x, y) => (answer ? x : y),
        };
      }
    }
  }
}

type Change = (value: Value, width: number, scope: Parameters<Emit>[0]) => Value;

function* changes(change: Change, expected: (x: bigint, width: number) => bigint) {
  for (const operand of ALL) {
    for (const width of [0, 1, 8, 31, 32, 33, 51, 52, 53, 63, 64, 65, 100]) {
      const emit: Emit = (scope, x) => change(x, width, scope);
      yield { emit, operands: [operand], expected: (x = 0n) => expected(x, width) };
    }
  }
}

const edge = (width: number): bigint => 1n << BigInt(width);

const RANGES: readonly (readonly [bigint, bigint])[] = [
  ...[1, 8, 32, 52, 53, 54, 64, 65].map((width) => [0n, edge(width) - 1n] as const),
  ...[8, 32, 53, 54, 64, 65].map((width) => [-edge(width - 1), edge(width - 1) - 1n] as const),
  [3n, 5n],
];

function* clamps(): Iterable<Trial> {
  for (const operand of ALL) {
    for (const [low, high] of RANGES) {
      yield {
        emit: (scope, x) => convert.clamp(x, low, high, scope),
        operands: [operand],
        expected: (x = 0n) => (x < low ? low : x > high ? high : x),
      };
    }
  }
}

function* each(
  emit: Emit,
  expected: (x: bigint) => bigint | string | undefined,
  bits = Infinity,
): Iterable<Trial> {
  for (const operand of ALL) {
    yield { emit, operands: [operand], expected: (x = 0n) => expected(x), bits };
  }
}

const CONVERSIONS: Readonly<Record<string, Iterable<Trial>>> = {
  'to a bigint': each(
    (_, x) => ({ kind: 'bigint', code: convert.toBigint(x) }),
    (x) => x,
  ),
  'to an index': each(
    (_, x) => ranged(convert.toIndex(x), -Infinity, Infinity),
    (x) => (x >= 2n ** 53n || x <= -(2n ** 53n) ? undefined : x),
  ),
  'to a pair': each(
    (scope, x) => convert.toPair(x, scope),
    (x) => BigInt.asUintN(64, x),
  ),
  'to a low word': each(
    (_, x) => convert.toLowWord(x),
    (x) => x,
    32,
  ),
  'to a boolean': each(
    (_, x) => code`${convert.toBoolean(x)}`,
    (x) => `boolean ${x !== 0n}`,
  ),
  'to a boolean, of a condition': each(
    (scope, x) => convert.toBoolean(truth(emitComparison('<', x, x, scope))),
    () => 'boolean false',
  ),
};

const COMPLEMENTS = function* (): Iterable<Trial> {
  for (const bits of BITS) {
    yield* each(
      (scope, x) => emitComplement(x, bits, scope),
      (x) => ~x,
      bits,
    );
  }
};

describe('generated code computes what unbounded integers give', () => {
  afterAll(() => {
    if (UPDATES) writeFileSync(FILE, `${JSON.stringify(known, undefined, 2)}\n`);
  });

  test.each(Object.keys(ARITHMETIC) as (keyof typeof ARITHMETIC)[])('for %s', (operator) => {
    expect(failuresOf(operator, arithmetic(operator))).toEqual([]);
  });

  test.each(Object.keys(COMPARISONS) as (keyof typeof COMPARISONS)[])('for %s', (operator) => {
    expect(failuresOf(operator, comparisons(operator))).toEqual([]);
  });

  test.each(Object.entries(CONVERSIONS))('%s', (name, trials) => {
    expect(failuresOf(name, trials)).toEqual([]);
  });

  test('for ~', () => expect(failuresOf('~', COMPLEMENTS())).toEqual([]));
  test('for ?:', () => expect(failuresOf('?:', choices())).toEqual([]));
  test('between bounds', () => expect(failuresOf('clamp', clamps())).toEqual([]));

  test('modulo a power of two', () => {
    const wrap = changes(convert.wrapUnsigned, (x, width) => BigInt.asUintN(width, x));
    expect(failuresOf('wrapUnsigned', wrap)).toEqual([]);
  });

  test("in two's complement", () => {
    const wrap = changes(convert.wrapSigned, (x, width) => BigInt.asIntN(width, x));
    expect(failuresOf('wrapSigned', wrap)).toEqual([]);
  });
});
