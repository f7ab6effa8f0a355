import { EXECUTORS } from '../../../../switch/codegen/executors';
import { Random } from '../../../../common/random/random';
import { acceptState, alwaysRun, extract } from '../support/program';
import { assign, field, header, op, primitive } from '../support/json-values';
import { bench, runPacket } from '../support/run';
import type { FieldSpec, ProgramSpec } from '../support/program';

/** Widths of fields that begin and end anywhere in words, over up to three of them. */
const HEADERS: readonly (readonly number[])[] = [
  [3, 13],
  [8, 24, 32, 8],
  [48, 48, 16],
  [1, 33, 6],
  [7, 64, 1],
  [5, 53, 6],
  [12, 40, 12],
  [31, 2, 31],
  [28, 52, 64],
  [2, 62],
  [24],
];

const random = new Random(7);
const someBytes = (length: number): Uint8Array =>
  Uint8Array.from({ length }, () => Math.floor(random.uniform() * 256));

/** Copies a header field by field, each from the other end, then counts each up. */
function programOf(widths: readonly number[]): ProgramSpec {
  const fields = widths.map((width, i): FieldSpec => [`f${i}`, width]);
  const last = widths.length - 1;
  return {
    types: { t: fields },
    headers: [
      ['a', 't'],
      ['b', 't'],
    ],
    states: [acceptState('start', [extract('a')])],
    ingress: alwaysRun({
      id: 900,
      name: 'tested',
      body: [
        primitive('add_header', header('b')),
        ...fields.map(([name], i) => assign(`b.${name}`, field(`a.f${last - i}`))),
        ...fields.map(([name], i) =>
          assign(`a.${name}`, op('+', field(`a.${name}`), field(`b.f${last - i}`))),
        ),
      ],
    }),
  };
}

const executors = [...EXECUTORS.values()];

describe.each(HEADERS.map((widths) => [widths.join(' + '), widths] as const))(
  'a header of %s bits',
  (_, widths) => {
    const length = widths.reduce((sum, width) => sum + width, 0) / 8;

    test('is read and written as the interpreter does', () => {
      const benches = executors.map((factory) => bench(factory, programOf(widths)));
      for (let i = 0; i < 20; i++) {
        const packet = someBytes(length + 3);
        const sent = benches.map((made) => [...runPacket(made, packet).bytes]);
        expect(sent[0]).toHaveLength(2 * length + 3);
        expect(sent[1]).toEqual(sent[0]);
      }
    });

    test('keeps its other fields when the architecture writes one', () => {
      const values = widths.map((width) => {
        const bytes = someBytes(8);
        return BigInt.asUintN(
          width,
          bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n),
        );
      });
      const sent = executors.map((factory) => {
        const { executor, program } = bench(factory, programOf(widths));
        const packet = executor.createState();
        executor.reset(packet, { bytes: new Uint8Array(length).fill(0x5a), length });
        executor.parse(packet);
        const slots = widths.map((_width, i) => program.fields.get(`a.f${i}`)?.slot ?? -1);
        // Twice, so that each is written with all others in place.
        for (const value of [values.map(() => 0n), values])
          slots.forEach((slot, i) => packet.writeField(slot, value[i] ?? 0n));
        expect(slots.map((slot) => packet.readField(slot))).toEqual(values);
        return [...executor.deparse(packet)];
      });
      expect(sent[1]).toEqual(sent[0]);
    });
  },
);
