import { generatedWriter } from '../../../../switch/codegen/generated-executor';
import type { FilledField } from '../../../../switch/executor/executor';
import type {
  GeneratedPacket,
  StateShape,
} from '../../../../switch/codegen/runtime/generated-packet';

/** Slots 0 to 2 are words 0 to 2, slots 3 and 4 numbers 0 and 1; slot 5 is too wide for either. */
const SHAPE = { slots: [0, 1, 2, ~0, ~1, undefined] } as unknown as StateShape;

const narrow: FilledField = { slot: 0, modulus: 2 ** 9 };
const word: FilledField = { slot: 1, modulus: 2 ** 32 };
const fullest: FilledField = { slot: 2, modulus: 2 ** 32, saturates: true };
const wide: FilledField = { slot: 3, modulus: 2 ** 48 };
const wordInNumber: FilledField = { slot: 4, modulus: 2 ** 32 };
const ALL = [narrow, word, fullest, wide, wordInNumber];

/** Values of five fields after these numbers were written. */
function written(...values: readonly number[]): readonly number[] {
  const words = new Uint32Array(3);
  const numbers = new Float64Array(2);
  const packet = { words, numbers } as unknown as GeneratedPacket;
  generatedWriter(ALL, SHAPE).write(packet, ...values);
  return [...words, ...numbers];
}

test('numbers that fit are written as they are', () => {
  const fitting = [511, 2 ** 32 - 1, 2 ** 32 - 1, 2 ** 48 - 1, 2 ** 32 - 1];
  expect(written(...fitting)).toEqual(fitting);
  expect(written(0, 0, 0, 0, 0)).toEqual([0, 0, 0, 0, 0]);
});

test('what is too large is written modulo, or as the largest where the field saturates', () => {
  const tooLarge = [512 + 3, 2 ** 32 + 4, 2 ** 32 + 5, 2 ** 48 + 6, 2 ** 32 + 7];
  expect(written(...tooLarge)).toEqual([3, 4, 2 ** 32 - 1, 6, 7]);
  expect(written(512, 2 ** 32, 2 ** 32, 2 ** 48, 2 ** 32)).toEqual([0, 0, 2 ** 32 - 1, 0, 0]);
});

test('a narrow field saturates below a word', () => {
  const words = new Uint32Array(1);
  const packet = { words, numbers: new Float64Array(0) } as unknown as GeneratedPacket;
  const writer = generatedWriter([{ ...narrow, saturates: true }], SHAPE);
  writer.write(packet, 600);
  expect([...words]).toEqual([511]);
  writer.write(packet, 600 - 90);
  expect([...words]).toEqual([510]);
});

test('a field that the program lacks, and one that is no number, are left out', () => {
  const words = new Uint32Array(3);
  const fields = [undefined, { slot: 5, modulus: 2 ** 100 }, word];
  const packet = { words, numbers: new Float64Array(0) } as unknown as GeneratedPacket;
  generatedWriter(fields, SHAPE).write(packet, 7, 8, 9);
  expect([...words]).toEqual([0, 9, 0]);
});

test('switches of one program share the writer, and no others', () => {
  expect(generatedWriter(ALL, SHAPE)).toBe(generatedWriter([...ALL], { ...SHAPE }));
  expect(generatedWriter(ALL, SHAPE)).not.toBe(generatedWriter([narrow], SHAPE));
});
