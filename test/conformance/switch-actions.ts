import { ProgramAssertionError } from '../../switch/executor/executor';
import {
  assign,
  bool,
  expression,
  field,
  header,
  headerStack,
  hex,
  local,
  op,
  primitive,
  runtimeData,
  unary,
} from '../unit/switch/support/json-values';
import { bench, readField, runAction, runPacket } from '../unit/switch/support/run';
import type { Primitive } from '../unit/switch/support/json-values';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Primitives do the same in every executor. */
export function describeActions(create: ExecutorFactory): void {
  const SPEC: ProgramSpec = {
    metadata: [
      ['byte', 8],
      ['signed', 8, true],
      ['sat', 8, false, true],
      ['ssat', 8, true, true],
      ['word', 32],
    ],
    types: {
      tag_t: [
        ['x', 8],
        ['y', 8],
      ],
    },
    headers: [
      ['a', 'tag_t'],
      ['b', 'tag_t'],
    ],
    stacks: [
      ['s', 'tag_t', 3],
      ['t', 'tag_t', 3],
    ],
    extra: {
      register_arrays: [{ name: 'r', id: 0, size: 4, bitwidth: 8 }],
      counter_arrays: [{ name: 'c', id: 0, size: 2, is_direct: false }],
      calculations: [
        {
          name: 'h',
          id: 0,
          algo: 'identity',
          input: [{ type: 'field', value: ['m', 'byte'] }],
        },
      ],
    },
  };

  const run = (...body: Primitive[]): ReturnType<typeof runAction> => runAction(create, body, SPEC);
  const valueAfter = (name: string, ...body: Primitive[]): number => {
    const { bench: made, packet } = run(...body);
    return readField(made, packet, name);
  };

  describe('assignment', () => {
    const cases: readonly (readonly [string, number, number])[] = [
      ['m.byte', 0x1ff, 0xff],
      ['m.byte', -1, 0xff],
      ['m.signed', 0x80, -128],
      ['m.signed', 0x17f, 127],
      ['m.sat', 300, 255],
      ['m.sat', -5, 0],
      ['m.ssat', 300, 127],
      ['m.ssat', -300, -128],
    ];
    test.each(cases)('to %s squeezes %i to %i', (name, value, result) => {
      expect(valueAfter(name, assign(name, hex(value)))).toBe(result);
    });

    test('reads the arguments of the action by position', () => {
      const action = {
        id: 1,
        name: 'set',
        parameters: [
          ['first', 8],
          ['second', 8],
        ] as const,
        body: [assign('m.word', op('-', local(0), local(1))), assign('m.byte', runtimeData(1))],
      };
      const table = { name: 't', actions: [action], defaultAction: [1, '0x9', '0x4'] as const };
      const made = bench(create, { ...SPEC, ingress: { start: 't', tables: [table] } });
      const { packet } = runPacket(made, new Uint8Array(0));
      expect(readField(made, packet, 'm.word')).toBe(5);
      expect(readField(made, packet, 'm.byte')).toBe(4);
    });
  });

  describe('headers', () => {
    const add = primitive('add_header', header('a'));
    const remove = primitive('remove_header', header('a'));

    test('an added header is valid, zero, and makes the packet longer', () => {
      const { packet, bytes } = run(assign('a.x', hex(5)), add);
      expect(packet.packetLength).toBe(2);
      expect([...bytes]).toEqual([0, 0]);
    });

    test('adding a valid header changes nothing', () => {
      const { packet, bytes } = run(add, assign('a.x', hex(5)), add);
      expect(packet.packetLength).toBe(2);
      expect([...bytes]).toEqual([5, 0]);
    });

    test('a removed header makes the packet shorter, once', () => {
      const { packet, bytes } = run(add, remove, remove);
      expect(packet.packetLength).toBe(0);
      expect(bytes).toHaveLength(0);
    });

    test('metadata can neither be added nor removed', () => {
      const body = [primitive('remove_header', header('m')), assign('m.byte', field('m.$valid$'))];
      expect(valueAfter('m.byte', ...body)).toBe(1);
    });

    test('assigning a valid header copies its fields and makes the target valid', () => {
      const copy = primitive('assign_header', header('b'), header('a'));
      const { packet, bytes } = run(add, assign('a.y', hex(7)), copy);
      expect([...bytes]).toEqual([0, 7, 0, 7]);
      // Assignment leaves the length that add and remove keep.
      expect(packet.packetLength).toBe(2);
    });

    test('assigning an invalid header makes the target invalid', () => {
      const copy = primitive('assign_header', header('a'), header('b'));
      expect(run(add, copy).bytes).toHaveLength(0);
    });
  });

  describe('header stacks', () => {
    const element = (i: number): Primitive[] => [
      primitive('add_header', header(`s[${i}]`)),
      assign(`s[${i}].x`, hex(i + 1)),
    ];
    const full = [...element(0), ...element(1), ...element(2)];
    const push = (n: number): Primitive => primitive('push', headerStack('s'), hex(n));
    const pop = (n: number): Primitive => primitive('pop', headerStack('s'), hex(n));
    const firstBytes = (body: Primitive[]): number[] =>
      [...run(...body).bytes].filter((_, i) => i % 2 === 0);

    test('push moves elements back; new ones are invalid and the last falls off', () => {
      expect(firstBytes([...full, push(1)])).toEqual([1, 2]);
    });

    test('pop moves elements forward and leaves the tail invalid', () => {
      expect(firstBytes([...full, pop(1)])).toEqual([2, 3]);
    });

    test.each([3, 4, 100])('moving by %i empties the stack', (count) => {
      expect(firstBytes([...full, push(count)])).toEqual([]);
      expect(firstBytes([...full, pop(count)])).toEqual([]);
    });

    test('push and pop move the count of elements, within the size of the stack', () => {
      const count = unary('size_stack', headerStack('s'));
      expect(valueAfter('m.byte', push(2), assign('m.byte', count))).toBe(2);
      expect(valueAfter('m.byte', push(9), assign('m.byte', count))).toBe(3);
      expect(valueAfter('m.byte', push(2), pop(1), assign('m.byte', count))).toBe(1);
      expect(valueAfter('m.byte', push(2), pop(5), assign('m.byte', count))).toBe(0);
      const last = unary('last_stack_index', headerStack('s'));
      expect(valueAfter('m.signed', assign('m.signed', last))).toBe(-1);
    });

    test('an element may be chosen by a value of the packet', () => {
      const chosen = op('dereference_header_stack', headerStack('s'), field('m.byte'));
      const access = expression({ op: 'access_field', left: chosen, right: 0 });
      const body = [...full, assign('m.byte', hex(2)), assign('m.word', access)];
      expect(valueAfter('m.word', ...body)).toBe(3);
      const write = primitive('assign', access, hex(0x55));
      expect(firstBytes([...full, assign('m.byte', hex(1)), write])).toEqual([1, 0x55, 3]);
    });

    test('outside the stack, reading gives 0 and writing does nothing', () => {
      const chosen = op('dereference_header_stack', headerStack('s'), hex(3));
      const access = expression({ op: 'access_field', left: chosen, right: 0 });
      expect(valueAfter('m.word', ...full, assign('m.word', access))).toBe(0);
      const write = [primitive('assign', access, hex(9)), primitive('remove_header', chosen)];
      expect(firstBytes([...full, ...write])).toEqual([1, 2, 3]);
    });

    test('assigning a stack copies all elements and the count', () => {
      const copy = primitive('assign_header_stack', headerStack('t'), headerStack('s'));
      const count = assign('m.byte', unary('size_stack', headerStack('t')));
      const { bench: made, packet, bytes } = run(push(1), ...element(0), copy, count);
      expect([...bytes]).toEqual([1, 0, 1, 0]);
      expect(readField(made, packet, 'm.byte')).toBe(1);
    });
  });

  describe('control inside an action', () => {
    const set = (value: number): Primitive => assign('m.byte', hex(value));
    const jumpIfZero = (value: number, to: number): Primitive =>
      primitive('_jump_if_zero', unary('b2d', bool(value !== 0)), hex(to));

    test('a jump skips the statements up to its target', () => {
      expect(valueAfter('m.byte', set(1), primitive('_jump', hex(3)), set(2))).toBe(1);
    });

    test.each([
      [0, 2],
      [1, 1],
    ])('if-else by jumps: a condition of %i gives %i', (condition, result) => {
      const body = [jumpIfZero(condition, 3), set(1), primitive('_jump', hex(4)), set(2)];
      expect(valueAfter('m.byte', ...body)).toBe(result);
    });

    test('exit lets the rest of the action run', () => {
      expect(valueAfter('m.byte', primitive('exit'), set(3))).toBe(3);
    });

    test('no operation does nothing', () => {
      expect(valueAfter('m.byte', set(4), primitive('no_op'))).toBe(4);
    });
  });

  describe('dropping', () => {
    const group = assign('standard_metadata.mcast_grp', hex(7));

    test('mark_to_drop sets the drop port and clears the multicast group', () => {
      const drop = primitive('mark_to_drop', header('standard_metadata'));
      const { bench: made, packet } = run(group, drop);
      expect(readField(made, packet, 'standard_metadata.egress_spec')).toBe(511);
      expect(readField(made, packet, 'standard_metadata.mcast_grp')).toBe(0);
    });

    test('the older drop leaves the multicast group', () => {
      const { bench: made, packet } = run(group, primitive('drop'));
      expect(readField(made, packet, 'standard_metadata.egress_spec')).toBe(511);
      expect(readField(made, packet, 'standard_metadata.mcast_grp')).toBe(7);
    });
  });

  describe('registers', () => {
    const array = { type: 'register_array', value: 'r' };
    const write = (index: number, value: number): Primitive =>
      primitive('register_write', array, hex(index), hex(value));
    const readTo = (name: string, index: number): Primitive =>
      primitive('register_read', field(name), array, hex(index));

    test('a cell keeps the low bits of what is written', () => {
      expect(valueAfter('m.word', write(3, 0x1ff), readTo('m.word', 3))).toBe(0xff);
    });

    test('an expression can read a cell', () => {
      const cell = { type: 'register', value: ['r', hex(2)] };
      expect(valueAfter('m.word', write(2, 9), assign('m.word', cell))).toBe(9);
    });

    test('outside the array nothing happens and the destination keeps its value', () => {
      const before = assign('m.word', hex(77));
      expect(valueAfter('m.word', before, write(4, 5), readTo('m.word', 4))).toBe(77);
      expect(valueAfter('m.word', before, write(-1, 5), readTo('m.word', -1))).toBe(77);
    });

    test('cells outlive packets', () => {
      const { bench: made } = run(write(1, 42));
      expect(made.state.registers.get('r')?.read(1)).toBe(42n);
    });
  });

  describe('counters', () => {
    test('count packets and the bytes that were received', () => {
      const count = primitive('count', { type: 'counter_array', value: 'c' }, hex(1));
      const add = primitive('add_header', header('a'));
      const { bench: made } = runAction(create, [add, count, count], SPEC, new Uint8Array(60));
      expect(made.state.counters.get('c')?.read(1)).toEqual({ packets: 2, bytes: 120 });
      expect(made.state.counters.get('c')?.read(0)).toEqual({ packets: 0, bytes: 0 });
    });

    test('an index outside the array counts nothing', () => {
      const count = primitive('count', { type: 'counter_array', value: 'c' }, hex(2));
      expect(run(count).bench.state.counters.get('c')?.read(2)).toBeUndefined();
    });
  });

  describe('hashing', () => {
    const calculation = { type: 'calculation', value: 'h' };
    const hashTo = (base: number, max: number): Primitive =>
      primitive(
        'modify_field_with_hash_based_offset',
        field('m.word'),
        hex(base),
        calculation,
        hex(max),
      );

    test.each([
      // identity of one byte: base + 77 mod max
      [0, 100, 77],
      [0, 10, 7],
      [1000, 10, 1007],
      // A maximum of 0 counts as 1.
      [5, 0, 5],
    ])('base %i and max %i give %i', (base, max, result) => {
      expect(valueAfter('m.word', assign('m.byte', hex(77)), hashTo(base, max))).toBe(result);
    });
  });

  describe('messages', () => {
    test('log_msg fills in values from left to right', () => {
      const values = [hex(5), op('+', field('m.byte'), hex(1))];
      const message = primitive(
        'log_msg',
        { type: 'string', value: 'a={} b={} c={}' },
        { type: 'parameters_vector', value: values },
      );
      expect(run(message).bench.logged).toEqual(['a=5 b=1 c={}']);
    });

    test('an assertion that holds is silent', () => {
      expect(() => run(primitive('assert', bool(true)))).not.toThrow();
    });

    test('an assertion that fails names its place in the program', () => {
      const source_info = { filename: 'prog.p4', line: 12 };
      const failing = { ...primitive('assert', unary('b2d', bool(false))), source_info };
      expect(() => run(failing)).toThrow(ProgramAssertionError);
      expect(() => run(failing)).toThrow('assertion of the program fails at prog.p4:12');
    });
  });
}
