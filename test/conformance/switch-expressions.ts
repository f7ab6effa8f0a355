import fc from 'fast-check';

import { toHex } from '../support/hex';
import {
  assign,
  bool,
  choose,
  expression,
  field,
  header,
  hex,
  op,
  primitive,
  unary,
} from '../unit/switch/support/json-values';
import { runAction } from '../unit/switch/support/run';
import type { Operand, Primitive } from '../unit/switch/support/json-values';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Expressions mean the same in every executor. */
export function describeExpressions(create: ExecutorFactory): void {
  const SPEC: ProgramSpec = {
    metadata: [
      ['flag', 8],
      ['signed', 8, true],
    ],
    types: {
      result_t: [['value', 256, true]],
      pair_t: [
        ['x', 8],
        ['y', 8],
      ],
      other_t: [['x', 8]],
    },
    headers: [
      ['result', 'result_t'],
      ['a', 'pair_t'],
      ['b', 'pair_t'],
      ['c', 'other_t'],
    ],
  };

  /** The value of an expression after some statements; 256 signed bits keep all of it. */
  function evaluate(value: Operand, ...before: Primitive[]): bigint {
    const body = [
      ...before,
      primitive('add_header', header('result')),
      assign('result.value', value),
    ];
    const { bytes } = runAction(create, body, SPEC);
    return BigInt.asIntN(256, BigInt(`0x${toHex(bytes.subarray(0, 32))}`));
  }

  const truth = (value: Operand, ...before: Primitive[]): boolean =>
    evaluate(unary('b2d', value), ...before) === 1n;

  describe('arithmetic', () => {
    const cases: readonly (readonly [string, number, number, bigint])[] = [
      ['+', 250, 10, 260n],
      ['-', 5, 7, -2n],
      ['*', 255, 255, 65025n],
      ['/', 7, 2, 3n],
      ['/', 7, 0, 0n],
      ['%', 7, 4, 3n],
      ['%', 7, 0, 0n],
      ['<<', 1, 100, 1n << 100n],
      ['<<', 1, 100_000, 0n],
      ['<<', 0, 100_000, 0n],
      ['<<', 5, -1, 0n],
      ['>>', 0x1234, 8, 0x12n],
      ['>>', -256, 4, -16n],
      ['>>', -1, 100_000, -1n],
      ['>>', 5, -1, 0n],
      ['&', 0b1100, 0b1010, 0b1000n],
      ['|', 0b1100, 0b1010, 0b1110n],
      ['^', 0b1100, 0b1010, 0b0110n],
    ];
    test.each(cases)('%s of %i and %i is exact', (name, left, right, result) => {
      expect(evaluate(op(name, hex(left), hex(right)))).toBe(result);
    });

    test('an operator without a left side works on 0', () => {
      expect(evaluate(unary('-', hex(5)))).toBe(-5n);
    });

    test('complement is unbounded until it is masked', () => {
      expect(evaluate(unary('~', hex(5)))).toBe(-6n);
      expect(evaluate(op('&', unary('~', hex(5)), hex(0xff)))).toBe(0xfan);
    });

    test('results are unbounded integers, whatever the operands', () => {
      const integer = fc.bigInt({ min: -(1n << 100n), max: 1n << 100n });
      fc.assert(
        fc.property(integer, integer, (a, b) => {
          expect(evaluate(op('+', hex(a), hex(b)))).toBe(a + b);
          expect(evaluate(op('-', hex(a), hex(b)))).toBe(a - b);
          expect(evaluate(op('*', hex(a), hex(b)))).toBe(a * b);
        }),
        { numRuns: 30 },
      );
    });
  });

  describe('comparison', () => {
    const cases: readonly (readonly [string, number, number, boolean])[] = [
      ['==', 5, 5, true],
      ['==', 5, 6, false],
      ['!=', 5, 6, true],
      ['!=', 5, 5, false],
      ['<', 5, 6, true],
      ['<', 6, 6, false],
      ['<', -1, 0, true],
      ['<=', 6, 6, true],
      ['<=', 7, 6, false],
      ['>', 7, 6, true],
      ['>', 6, 6, false],
      ['>=', 6, 6, true],
      ['>=', 5, 6, false],
    ];
    test.each(cases)('%s of %i and %i', (name, left, right, result) => {
      expect(truth(op(name, hex(left), hex(right)))).toBe(result);
    });

    test('booleans compare as booleans', () => {
      expect(truth(op('==', bool(true), bool(true)))).toBe(true);
      expect(truth(op('==', bool(true), bool(false)))).toBe(false);
      expect(truth(op('!=', bool(true), bool(false)))).toBe(true);
    });

    describe('of headers', () => {
      const both = [primitive('add_header', header('a')), primitive('add_header', header('b'))];

      test('is true when both are valid and all fields agree', () => {
        expect(truth(op('==', header('a'), header('b')), ...both)).toBe(true);
      });

      test('is false when a field differs', () => {
        const differ = [...both, assign('b.y', hex(1))];
        expect(truth(op('==', header('a'), header('b')), ...differ)).toBe(false);
        expect(truth(op('!=', header('a'), header('b')), ...differ)).toBe(true);
      });

      test('is never true for invalid headers, so they even differ from each other', () => {
        expect(truth(op('==', header('a'), header('b')))).toBe(false);
        expect(truth(op('!=', header('a'), header('b')))).toBe(true);
      });

      test('is false for headers of different types', () => {
        const valid = [primitive('add_header', header('a')), primitive('add_header', header('c'))];
        expect(truth(op('==', header('a'), header('c')), ...valid)).toBe(false);
      });
    });
  });

  describe('logic', () => {
    const values = [true, false];
    test.each(values.flatMap((a) => values.map((b) => [a, b] as const)))('of %s and %s', (a, b) => {
      expect(truth(op('and', bool(a), bool(b)))).toBe(a && b);
      expect(truth(op('or', bool(a), bool(b)))).toBe(a || b);
      expect(truth(unary('not', bool(a)))).toBe(!a);
    });

    test('the conditional takes the side that its condition names', () => {
      expect(evaluate(choose(bool(true), hex(1), hex(2)))).toBe(1n);
      expect(evaluate(choose(bool(false), hex(1), hex(2)))).toBe(2n);
    });

    test('a conditional between truth values is a truth value', () => {
      expect(truth(choose(bool(true), bool(false), bool(true)))).toBe(false);
      expect(truth(choose(bool(false), bool(false), bool(true)))).toBe(true);
    });

    test('data becomes boolean by comparison with 0', () => {
      expect(truth(unary('d2b', hex(2)))).toBe(true);
      expect(truth(unary('d2b', hex(0)))).toBe(false);
    });

    test('an empty expression is false and 0', () => {
      expect(truth(expression(null))).toBe(false);
      expect(evaluate(expression(null))).toBe(0n);
    });
  });

  describe('casts', () => {
    const cases: readonly (readonly [string, number, number, bigint])[] = [
      ['two_comp_mod', 0x7f, 8, 127n],
      ['two_comp_mod', 0x80, 8, -128n],
      ['two_comp_mod', 0x1ff, 8, -1n],
      ['two_comp_mod', -129, 8, 127n],
      ['usat_cast', 255, 8, 255n],
      ['usat_cast', 256, 8, 255n],
      ['usat_cast', -1, 8, 0n],
      ['sat_cast', 127, 8, 127n],
      ['sat_cast', 128, 8, 127n],
      ['sat_cast', -129, 8, -128n],
    ];
    test.each(cases)('%s of %i to %i bits', (name, value, width, result) => {
      expect(evaluate(op(name, hex(value), hex(width)))).toBe(result);
    });
  });

  describe('validity', () => {
    const add = primitive('add_header', header('a'));

    test('can be read as a pseudo-field and by the operator', () => {
      expect(evaluate(field('a.$valid$'))).toBe(0n);
      expect(evaluate(field('a.$valid$'), add)).toBe(1n);
      expect(truth(unary('valid', header('a')))).toBe(false);
      expect(truth(unary('valid', header('a')), add)).toBe(true);
    });

    test('metadata is always valid', () => {
      expect(evaluate(field('m.$valid$'))).toBe(1n);
    });

    test('a field of a removed header keeps what was stored', () => {
      const stored = [add, assign('a.x', hex(7)), primitive('remove_header', header('a'))];
      expect(evaluate(field('a.x'), ...stored)).toBe(7n);
    });

    test('a field of a header that never was valid is 0', () => {
      expect(evaluate(field('a.x'))).toBe(0n);
    });
  });

  describe('a field', () => {
    test('of a signed type gives a signed number', () => {
      expect(evaluate(field('m.signed'), assign('m.signed', hex(0xff)))).toBe(-1n);
    });

    test('can be read through its header and position', () => {
      const access = expression({ op: 'access_field', left: header('a'), right: 1 });
      const stored = [primitive('add_header', header('a')), assign('a.y', hex(9))];
      expect(evaluate(access, ...stored)).toBe(9n);
    });
  });
}
