import fc from 'fast-check';

import { casesOf } from '../../../../support/effort';
import { generatedExecutors } from '../../../../../switch/codegen/generated-executor';
import { createInterpreter } from '../../../../../switch/interpreter/interpreter';
import { bench } from '../../support/run';
import { assign, choose, expression, field, hex, op, unary } from '../../support/json-values';
import { alwaysRun } from '../../support/program';
import type { ExecutorFactory } from '../../../../../switch/executor/executor';
import type { Operand } from '../../support/json-values';
import type { FieldSpec, ProgramSpec } from '../../support/program';

/** Sources and targets of every representation, signed and saturating ones among them. */
const FIELDS: readonly FieldSpec[] = [
  ['bit', 1],
  ['byte', 8],
  ['word', 32],
  ['clock', 48],
  ['pair', 64],
  ['odd_pair', 57],
  ['wide', 100],
  ['int8', 8, true],
  ['int32', 32, true],
  ['int50', 50, true],
  ['int64', 64, true],
  ['sat8', 8, false, true],
  ['sat64', 64, false, true],
  ['isat16', 16, true, true],
];

const values = fc.tuple(
  ...FIELDS.map(([, width, signed]) => {
    const bits = Number(width);
    const all = fc.oneof(
      fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }),
      fc.constantFrom(0n, 1n, (1n << BigInt(bits)) - 1n, 1n << BigInt(bits - 1)),
    );
    return all.map((value) => (signed === true ? BigInt.asIntN(bits, value) : value));
  }),
);

const constants = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    0xffn,
    0xffffn,
    2n ** 32n - 1n,
    2n ** 32n,
    2n ** 48n - 1n,
    2n ** 64n - 1n,
  ),
  fc.bigInt({ min: -(2n ** 40n), max: 2n ** 70n }),
);

const { data, condition } = fc.letrec<{ data: Operand; condition: Operand }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...FIELDS.map(([name]) => field(`m.${name}`))),
    constants.map(hex),
    fc
      .tuple(fc.constantFrom('+', '-', '*', '&', '|', '^', '/', '%'), tie('data'), tie('data'))
      .map(([name, left, right]) => op(name, left, right)),
    // P4 masks what it computes.
    fc
      .tuple(
        fc.constantFrom('+', '-', '*', '|'),
        tie('data'),
        tie('data'),
        fc.constantFrom(8, 32, 48, 64),
      )
      .map(([name, left, right, width]) =>
        op('&', op(name, left, right), hex((1n << BigInt(width)) - 1n)),
      ),
    fc
      .tuple(fc.constantFrom('<<', '>>'), tie('data'), fc.nat(70))
      .map(([name, left, count]) => op(name, left, hex(count))),
    fc
      .tuple(fc.constantFrom('<<', '>>'), tie('data'))
      .map(([name, left]) => op(name, left, field('m.byte'))),
    tie('data').map((operand) => unary('~', operand)),
    fc
      .tuple(
        fc.constantFrom('two_comp_mod', 'usat_cast', 'sat_cast'),
        tie('data'),
        fc.constantFrom(8, 32, 40, 64),
      )
      .map(([name, operand, width]) => op(name, operand, hex(width))),
    fc
      .tuple(tie('condition'), tie('data'), tie('data'))
      .map(([test, left, right]) => choose(test, left, right)),
  ),
  condition: fc.oneof(
    { maxDepth: 3 },
    fc
      .tuple(fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('data'), tie('data'))
      .map(([name, left, right]) => op(name, left, right)),
    fc
      .tuple(fc.constantFrom('and', 'or'), tie('condition'), tie('condition'))
      .map(([name, left, right]) => op(name, left, right)),
    tie('condition').map((operand) => unary('not', operand)),
  ),
}));

/** Assigns an expression to a field of every kind, one after the other. */
function specOf(value: Operand): ProgramSpec {
  const targets = FIELDS.map(([name, ...rest]): FieldSpec => [`to_${name}`, ...rest]);
  const body = FIELDS.map(([name]) => assign(`m.to_${name}`, value));
  return {
    metadata: [...FIELDS, ...targets],
    ingress: alwaysRun({ id: 900, name: 'tested', body }),
  };
}

/** Values of the targets, and their values at the end of a second run over the results. */
function results(create: ExecutorFactory, spec: ProgramSpec, inputs: readonly bigint[]): string[] {
  const { program, executor } = bench(create, spec);
  const packet = executor.createState();
  executor.reset(packet, { bytes: new Uint8Array(0), length: 0 });
  FIELDS.forEach(([name], i) => {
    packet.writeField(program.fields.get(`m.${name}`)?.slot ?? -1, inputs[i] ?? 0n);
  });
  executor.ingress(packet);
  return FIELDS.map(([name]) => {
    const slot = program.fields.get(`m.to_${name}`)?.slot ?? -1;
    return `${name} ${packet.readField(slot).toString()}`;
  });
}

describe('generated code computes what the interpreter computes', () => {
  const agree = (value: Operand, inputs: readonly bigint[]): void => {
    const spec = specOf(value);
    const generated = results(generatedExecutors(), spec, inputs);
    expect(generated).toEqual(results(createInterpreter, spec, inputs));
  };

  test('for any expression, at every width and sign', () => {
    fc.assert(fc.property(data, values, agree), { numRuns: casesOf(300) });
  });

  test('for any condition', () => {
    const truth = condition.map((test) => expression({ op: 'b2d', left: null, right: test }));
    fc.assert(fc.property(truth, values, agree), { numRuns: casesOf(150) });
  });
});
