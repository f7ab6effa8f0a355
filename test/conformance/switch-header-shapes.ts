import {
  assign,
  expression,
  field,
  header,
  hex,
  op,
  primitive,
} from '../unit/switch/support/json-values';
import { acceptState, alwaysRun, extract, programObject } from '../unit/switch/support/program';
import { benchOf, readField, runPacket } from '../unit/switch/support/run';
import type { Bench } from '../unit/switch/support/run';
import type { Operand } from '../unit/switch/support/json-values';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Header unions and varbit fields mean the same in every executor. */
export function describeHeaderShapes(create: ExecutorFactory): void {
  describe('header unions', () => describeUnions(create));
  describe('varbit fields', () => describeVarbits(create));
}

/** Two unions of a byte and a word, alone and as a stack; `tag` says what follows. */
function unionProgram(over: ProgramSpec = {}): string {
  const json = programObject({
    metadata: [['trace', 32]],
    types: { tag_t: [['x', 8]], byte_t: [['b', 8]], word_t: [['w', 16]] },
    headers: [
      ['tag', 'tag_t'],
      ['us[0].b', 'byte_t'],
      ['us[0].w', 'word_t'],
      ['us[1].b', 'byte_t'],
      ['us[1].w', 'word_t'],
    ],
    ...over,
  });
  // Headers 0 and 1 are the metadata, 2 is the tag.
  const union = (id: number): object => ({
    name: `us[${id}]`,
    id,
    union_type: 'u_t',
    header_ids: [3 + 2 * id, 4 + 2 * id],
  });
  return JSON.stringify({
    ...json,
    header_union_types: [
      {
        name: 'u_t',
        id: 0,
        headers: [
          ['b', 'byte_t'],
          ['w', 'word_t'],
        ],
      },
    ],
    header_unions: [union(0), union(1)],
    header_union_stacks: [
      { name: 'us', id: 0, union_type: 'u_t', size: 2, header_union_ids: [0, 1] },
    ],
  });
}

const UNION = (id: number): Operand => ({ type: 'header_union', value: `us[${id}]` });
const UNION_STACK: Operand = { type: 'header_union_stack', value: 'us' };
const member = (name: string): object => ({
  op: 'extract',
  parameters: [{ type: 'union_stack', value: ['us', name] }],
});

function describeUnions(create: ExecutorFactory): void {
  const parse = [acceptState('start', [extract('tag'), member('b'), member('w')])];
  const BYTES = Uint8Array.of(1, 0xbb, 0x12, 0x34, 0xff);

  function run(body: readonly ReturnType<typeof primitive>[]): {
    made: Bench;
    bytes: number[];
    trace: number;
  } {
    const ingress = alwaysRun({ id: 1, name: 'tested', body });
    const made = benchOf(create, unionProgram({ states: parse, ingress }));
    const { packet, bytes } = runPacket(made, BYTES);
    return { made, bytes: [...bytes], trace: readField(made, packet, 'm.trace') };
  }
  const trace = (value: Operand): ReturnType<typeof assign> => assign('m.trace', value);
  const data = (condition: Operand): Operand => op('b2d', null, condition);

  test('of a stack are extracted one after the other', () => {
    expect(run([]).bytes).toEqual([...BYTES]);
    expect(run([trace({ type: 'union_stack_field', value: ['us', 'w', 'w'] })]).trace).toBe(0x1234);
    const last = expression({ op: 'last_stack_index', left: null, right: UNION_STACK });
    expect(run([trace(last)]).trace).toBe(1);
  });

  test('make the other member invalid when one becomes valid', () => {
    expect(run([primitive('add_header', header('us[0].w'))]).bytes).toEqual([
      1, 0, 0, 0x12, 0x34, 0xff,
    ]);
    const copy = primitive('assign_header', header('us[1].b'), header('us[0].b'));
    expect(run([copy]).bytes).toEqual([1, 0xbb, 0xbb, 0xff]);
  });

  test('are valid when one member is', () => {
    const valid = data(op('valid_union', null, UNION(0)));
    expect(run([trace(valid)]).trace).toBe(1);
    expect(run([primitive('remove_header', header('us[0].b')), trace(valid)]).trace).toBe(0);
  });

  test('are equal when the same member is valid and equal', () => {
    const equal = data(op('==', UNION(0), UNION(1)));
    expect(run([trace(equal)]).trace).toBe(0);
    const assigned = [primitive('assign_union', UNION(0), UNION(1)), trace(equal)];
    expect(run(assigned)).toMatchObject({ trace: 1, bytes: [1, 0x12, 0x34, 0x12, 0x34, 0xff] });
    const removed = ['us[0].b', 'us[1].w'].map((name) => primitive('remove_header', header(name)));
    expect(run([...removed, trace(equal)]).trace).toBe(0);
  });

  test('move in their stack', () => {
    expect(run([primitive('pop', UNION_STACK, hex(1))]).bytes).toEqual([1, 0x12, 0x34, 0xff]);
    expect(run([primitive('push', UNION_STACK, hex(1))]).bytes).toEqual([1, 0xbb, 0xff]);
    const same = primitive('assign_union_stack', UNION_STACK, UNION_STACK);
    expect(run([same]).bytes).toEqual([...BYTES]);
  });

  test('of a full stack are an error', () => {
    const states = [acceptState('start', [extract('tag'), member('b'), member('b'), member('b')])];
    const made = benchOf(create, unionProgram({ states }));
    expect(runPacket(made, BYTES).packet.parserError).toBe(3);
  });

  test('can be reached by a computed index', () => {
    const element = op('dereference_union_stack', UNION_STACK, field('tag.x'));
    const word = { op: 'access_union_header', left: element, right: 1 };
    const value = expression({ op: 'access_field', left: expression(word), right: 0 });
    expect(run([trace(value)]).trace).toBe(0x1234);
  });
}

function describeVarbits(create: ExecutorFactory): void {
  const json = (bits: Operand, body: readonly ReturnType<typeof primitive>[] = []): string => {
    const made = programObject({
      types: {
        tag_t: [['x', 8]],
        options_t: [
          ['kind', 8],
          ['data', '*'],
          ['end', 8],
        ],
      },
      headers: [
        ['tag', 'tag_t'],
        ['o', 'options_t'],
        ['p', 'options_t'],
      ],
      order: ['tag', 'o', 'p'],
      states: [
        acceptState('start', [
          extract('tag'),
          { op: 'extract_VL', parameters: [{ type: 'regular', value: 'o' }, bits] },
        ]),
      ],
      ingress: alwaysRun({ id: 1, name: 'tested', body }),
    });
    const types = made['header_types'] as { name: string }[];
    const sized = types.map((type) =>
      type.name === 'options_t' ? { ...type, max_length: 6 } : type,
    );
    return JSON.stringify({ ...made, header_types: sized });
  };
  const BITS = expression({ op: '*', left: field('tag.x'), right: hex(8) });

  test.each([
    ['no bits', [0, 1, 2, 0xff], 0],
    ['some bits', [3, 1, 9, 8, 7, 2, 0xff], 0],
    ['the largest width', [4, 1, 9, 8, 7, 6, 2], 0],
  ])('with %s come and go unchanged', (_name, bytes, error) => {
    const { packet, bytes: sent } = runPacket(benchOf(create, json(BITS)), Uint8Array.from(bytes));
    expect([...sent]).toEqual(bytes);
    expect(packet.parserError).toBe(error);
  });

  test.each([
    ['odd widths are an argument error', hex(12), [0, 1, 2, 3, 4], 6],
    ['a packet that ends before is too short', hex(16), [0, 1, 2, 3], 1],
    ['a packet that ends before a field too wide is too short', hex(80), [0, 1, 2], 1],
    ['a field that is too wide is an error', hex(40), [0, 1, 2, 3, 4, 5, 6, 7, 8], 4],
  ])('%s', (_name, bits, bytes, error) => {
    const { packet, bytes: sent } = runPacket(benchOf(create, json(bits)), Uint8Array.from(bytes));
    expect(packet.parserError).toBe(error);
    expect([...sent]).toEqual(bytes);
  });

  test('are copied with their width, alone or with their header', () => {
    const bytes = Uint8Array.of(2, 1, 9, 8, 5, 0xff);
    const whole = primitive('assign_header', header('p'), header('o'));
    const alone = [
      primitive('add_header', header('p')),
      primitive('assign_VL', field('p.data'), field('o.data')),
    ];
    const run = (
      body: readonly ReturnType<typeof primitive>[],
    ): { sent: number[]; length: number } => {
      const { packet, bytes: sent } = runPacket(benchOf(create, json(BITS, body)), bytes);
      return { sent: [...sent], length: packet.packetLength };
    };
    expect(run([whole]).sent).toEqual([2, 1, 9, 8, 5, 1, 9, 8, 5, 0xff]);
    expect(run(alone)).toEqual({ sent: [2, 1, 9, 8, 5, 0, 9, 8, 0, 0xff], length: 10 });
    expect(run([primitive('remove_header', header('o'))])).toEqual({ sent: [2, 0xff], length: 2 });
  });
}
