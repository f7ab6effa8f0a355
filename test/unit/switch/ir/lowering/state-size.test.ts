import { InputError } from '../../../../../common/errors';
import { readProgram } from '../../../../../switch/ir/lowering/read-program';
import { acceptState, programObject } from '../../support/program';

/** The message of the one error that loading the program gives; the changes are of its JSON. */
function refusal(changes: object, spec: Parameters<typeof programObject>[0] = {}): string {
  try {
    readProgram(JSON.stringify({ ...(programObject(spec) as object), ...changes }));
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    return (error as Error).message;
  }
  return 'accepted';
}

const registers = (...sizes: number[]): object => ({
  register_arrays: sizes.map((size, i) => ({ name: `r${i}`, id: i, size, bitwidth: 32 })),
});

describe('a program that asks for more than a switch has', () => {
  test('row 14: is refused with a register of 2^40 cells', () => {
    expect(refusal(registers(4, 2 ** 40))).toBe(
      "register 'r1' at register_arrays[1] has 1099511627776 cells of 8 bytes: " +
        'wanted at most 1073741824 bytes in all registers, counters and meters',
    );
  });

  test('is refused with many registers that are too large together', () => {
    expect(refusal(registers(2 ** 26, 2 ** 26, 1))).toContain("register 'r2'");
    expect(refusal(registers(2 ** 20, 2 ** 20, 1))).toBe('accepted');
  });

  test.each([
    ['counter', { counter_arrays: [{ name: 'c', id: 0, size: 2 ** 40 }] }],
    ['meter', { meter_arrays: [{ name: 'm', size: 2 ** 40, rate_count: 2, type: 'bytes' }] }],
  ])('is refused with a %s of 2^40 cells', (kind, changes) => {
    expect(refusal(changes)).toContain(`${kind} '`);
  });

  test('row 14: is refused with a header field of 10^9 bits', () => {
    const types = [{ name: 'wide', id: 0, fields: [['f', 1_000_000_000, false]] }];
    expect(refusal({ header_types: types })).toBe(
      'BMv2 JSON is malformed at header_types[0].fields[0][1]: ' +
        'wanted a width of at most 65536 bits',
    );
  });

  test('is refused with a look ahead over 2^40 bits', () => {
    const far = { type: 'lookahead', value: [0, 2 ** 40] };
    const set = { op: 'set', parameters: [{ type: 'field', value: ['m', 'x'] }, far] };
    const spec = { metadata: [['x', 8]], states: [acceptState('start', [set])] } as const;
    expect(refusal({}, spec as never)).toContain('wanted a width of at most 65536 bits');
  });
});
