import fc from 'fast-check';

import { acceptState, extract, selectState } from '../unit/switch/support/program';
import {
  assign,
  bool,
  field,
  header,
  headerStack,
  hex,
  op,
  primitive,
  unary,
} from '../unit/switch/support/json-values';
import { bench, readField, runPacket } from '../unit/switch/support/run';
import type { Bench } from '../unit/switch/support/run';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Parsers read the same in every executor. */
export function describeParser(create: ExecutorFactory): void {
  /** Codes of the errors in the test programs. */
  const NO_ERROR = 0;
  const PACKET_TOO_SHORT = 1;
  const STACK_OUT_OF_BOUNDS = 3;
  const PARSER_TIMEOUT = 5;
  const PARSER_INVALID_ARGUMENT = 6;
  const OWN_ERROR = 7;

  const TYPES: ProgramSpec = {
    metadata: [
      ['byte', 8],
      ['word', 16],
    ],
    types: {
      tag_t: [
        ['next', 4],
        ['value', 12],
      ],
      label_t: [
        ['label', 7],
        ['bottom', 1],
      ],
    },
    headers: [
      ['a', 'tag_t'],
      ['b', 'tag_t'],
    ],
    stacks: [['s', 'label_t', 3]],
  };

  function parse(
    states: readonly object[],
    bytes: readonly number[],
    length?: number,
  ): { made: Bench; error: number; value: (name: string) => number; out: number[] } {
    const made = bench(create, { ...TYPES, states });
    const result = runPacket(made, Uint8Array.from(bytes), length);
    return {
      made,
      error: result.packet.parserError,
      value: (name) => readField(made, result.packet, name),
      out: [...result.bytes],
    };
  }

  describe('extraction', () => {
    const states = [
      acceptState('start', [extract('a')], 'more'),
      acceptState('more', [extract('b')]),
    ];

    test('reads fields bit by bit, the most significant first', () => {
      const { error, value } = parse(states, [0x12, 0x34, 0x56, 0x78]);
      expect(error).toBe(NO_ERROR);
      expect(value('a.next')).toBe(1);
      expect(value('a.value')).toBe(0x234);
      expect(value('b.next')).toBe(5);
      expect(value('b.value')).toBe(0x678);
    });

    test('of too few bytes leaves the header as it was and ends parsing', () => {
      const { error, value, out } = parse(states, [0x12, 0x34, 0x56]);
      expect(error).toBe(PACKET_TOO_SHORT);
      expect(value('a.value')).toBe(0x234);
      expect(value('b.value')).toBe(0);
      expect(out).toEqual([0x12, 0x34, 0x56]);
    });

    test('counts stored bytes, not the virtual tail of an emulated packet', () => {
      expect(parse(states, [0x12, 0x34, 0x56], 1000).error).toBe(PACKET_TOO_SHORT);
    });

    test('never throws on a packet that is cut short', () => {
      const bytes = fc.uint8Array({ maxLength: 8 });
      fc.assert(
        fc.property(bytes, (data) => {
          const { error, out } = parse(states, [...data]);
          expect(error).toBe(data.length < 4 ? PACKET_TOO_SHORT : NO_ERROR);
          expect(out).toEqual([...data]);
        }),
        { numRuns: 40 },
      );
    });
  });

  describe('select', () => {
    const marked = (name: string, value: number): object =>
      acceptState(name, [{ op: 'set', parameters: [field('m.byte'), hex(value)] }]);
    const select = (
      key: readonly ReturnType<typeof field>[],
      transitions: readonly (readonly [string, string | null, string?])[],
    ): object[] => [
      selectState('start', [extract('a')], key, transitions),
      marked('one', 1),
      marked('two', 2),
    ];

    test('takes the first transition that matches', () => {
      const states = select(
        [field('a.next')],
        [
          ['0x01', 'one'],
          ['0x01', 'two'],
        ],
      );
      expect(parse(states, [0x10, 0]).value('m.byte')).toBe(1);
    });

    test('applies the mask of a transition to key and value', () => {
      const states = select(
        [field('a.next')],
        [
          ['0x0f', 'one', '0x03'],
          ['default', 'two'],
        ],
      );
      expect(parse(states, [0x70, 0]).value('m.byte')).toBe(1);
      expect(parse(states, [0x60, 0]).value('m.byte')).toBe(2);
    });

    test('pads every element of the key to whole bytes', () => {
      // 4 bits take one byte and 12 bits take two: 05 | 0678.
      const states = select([field('a.next'), field('a.value')], [['0x050678', 'one']]);
      expect(parse(states, [0x56, 0x78]).value('m.byte')).toBe(1);
    });

    test('accepts when nothing matches and there is no default', () => {
      const { error, value } = parse(select([field('a.next')], [['0x09', 'one']]), [0x10, 0]);
      expect(error).toBe(NO_ERROR);
      expect(value('m.byte')).toBe(0);
    });

    test('takes the default last, wherever it is listed', () => {
      const states = select(
        [field('a.next')],
        [
          ['default', 'two'],
          ['0x01', 'one'],
        ],
      );
      expect(parse(states, [0x10, 0]).value('m.byte')).toBe(1);
      expect(parse(states, [0x20, 0]).value('m.byte')).toBe(2);
    });

    test('can look ahead, and sees zeros behind the end', () => {
      const states = select([{ type: 'lookahead', value: [4, 8] }], [['0xab', 'one']]);
      expect(parse(states, [0, 0, 0x0a, 0xb0]).value('m.byte')).toBe(1);
      expect(parse(states, [0, 0]).error).toBe(NO_ERROR);
    });

    test('can read validity', () => {
      const states = select([field('a.$valid$')], [['0x01', 'one']]);
      expect(parse(states, [0, 0]).value('m.byte')).toBe(1);
    });
  });

  describe('header stacks', () => {
    const next = { op: 'extract', parameters: [{ type: 'stack', value: 's' }] };
    const bottom = { type: 'stack_field', value: ['s', 'bottom'] };
    const loop = [
      selectState(
        'start',
        [next],
        [bottom],
        [
          ['0x00', 'start'],
          ['0x01', null],
        ],
      ),
    ];

    test('a loop extracts until the last element says so', () => {
      const { error, value, out } = parse(loop, [0x02, 0x04, 0x07, 0xee]);
      expect(error).toBe(NO_ERROR);
      expect(['s[0]', 's[1]', 's[2]'].map((name) => value(`${name}.label`))).toEqual([1, 2, 3]);
      expect(out).toEqual([0x02, 0x04, 0x07, 0xee]);
    });

    test('one element too many is an error of its own', () => {
      const { error, out } = parse(loop, [0x02, 0x04, 0x06, 0x08]);
      expect(error).toBe(STACK_OUT_OF_BOUNDS);
      expect(out).toEqual([0x02, 0x04, 0x06, 0x08]);
    });

    test('a loop that runs out of bytes ends with a short packet', () => {
      expect(parse(loop, [0x02]).error).toBe(PACKET_TOO_SHORT);
    });

    test('the last element can be written to', () => {
      const set = {
        op: 'set',
        parameters: [{ type: 'stack_field', value: ['s', 'label'] }, hex(9)],
      };
      const { value, out } = parse([acceptState('start', [next, set])], [0x03]);
      expect(value('s[0].label')).toBe(9);
      expect(out).toEqual([0x13]);
    });

    test('elements extracted so far are counted', () => {
      const count = op('+', unary('size_stack', headerStack('s')), hex(0));
      const set = { op: 'set', parameters: [field('m.byte'), count] };
      expect(parse([acceptState('start', [next, next, set])], [1, 1]).value('m.byte')).toBe(2);
    });
  });

  describe('set', () => {
    const set = (source: object): object[] => [
      acceptState('start', [extract('a'), { op: 'set', parameters: [field('m.word'), source] }]),
    ];

    test.each([
      ['a field', field('a.value'), 0x234],
      ['a constant', hex(0x1ffff), 0xffff],
      ['an expression', op('+', field('a.next'), hex(1)), 2],
      ['bits that lie ahead', { type: 'lookahead', value: [4, 8] }, 0x67],
    ])('takes %s', (_name, source, result) => {
      expect(parse(set(source), [0x12, 0x34, 0x56, 0x78]).value('m.word')).toBe(result);
    });

    test('looking ahead fails when the value is not there', () => {
      const { error, value } = parse(
        set({ type: 'lookahead', value: [0, 16] }),
        [0x12, 0x34, 0x56],
      );
      expect(error).toBe(PACKET_TOO_SHORT);
      expect(value('m.word')).toBe(0);
    });
  });

  describe('verify', () => {
    const verify = (holds: boolean): object[] => [
      acceptState('start', [
        extract('a'),
        { op: 'verify', parameters: [bool(holds), hex(OWN_ERROR)] },
        extract('b'),
      ]),
    ];

    test('goes on when the condition holds', () => {
      expect(parse(verify(true), [0, 0, 0x12, 0x34]).value('b.value')).toBe(0x234);
    });

    test('ends parsing with its own error otherwise', () => {
      const { error, value, out } = parse(verify(false), [0, 0, 0x12, 0x34]);
      expect(error).toBe(OWN_ERROR);
      expect(value('b.value')).toBe(0);
      expect(out).toEqual([0, 0, 0x12, 0x34]);
    });
  });

  describe('advance', () => {
    const advance = (bits: number): object[] => [
      acceptState('start', [{ op: 'advance', parameters: [hex(bits)] }, extract('a')]),
    ];

    test('skips bytes, which then are missing from the packet', () => {
      const { value, out } = parse(advance(16), [1, 2, 0x12, 0x34, 5]);
      expect(value('a.value')).toBe(0x234);
      expect(out).toEqual([0x12, 0x34, 5]);
    });

    test.each([
      [7, PARSER_INVALID_ARGUMENT],
      [-8, PARSER_INVALID_ARGUMENT],
      [24, PACKET_TOO_SHORT],
    ])('by %i bits is error %i', (bits, code) => {
      expect(parse(advance(bits), [1, 2]).error).toBe(code);
    });

    test('shift is the same in bytes', () => {
      const states = [acceptState('start', [{ op: 'shift', parameters: [1] }, extract('a')])];
      expect(parse(states, [9, 0x12, 0x34]).value('a.value')).toBe(0x234);
    });
  });

  describe('the rest', () => {
    test('a primitive may run in a state', () => {
      const copy = primitive('assign_header', header('b'), header('a'));
      const states = [
        acceptState('start', [extract('a'), { op: 'primitive', parameters: [copy] }]),
      ];
      expect(parse(states, [0x12, 0x34]).out).toEqual([0x12, 0x34, 0x12, 0x34]);
    });

    test('a loop that consumes nothing ends with a timeout', () => {
      const states = [acceptState('start', [], 'start')];
      expect(parse(states, [1, 2]).error).toBe(PARSER_TIMEOUT);
    });

    test('an empty parser accepts', () => {
      const made = bench(create, { ...TYPES, extra: { parsers: [emptyParser()] } });
      expect([...runPacket(made, Uint8Array.of(1, 2)).bytes]).toEqual([1, 2]);
    });

    test('an error lets ingress run', () => {
      const made = bench(create, {
        ...TYPES,
        states: [acceptState('start', [extract('a')])],
        ingress: {
          start: 't',
          tables: [
            {
              name: 't',
              actions: [{ id: 1, name: 'mark', body: [assign('m.byte', hex(5))] }],
              defaultAction: [1],
            },
          ],
        },
      });
      const { packet } = runPacket(made, Uint8Array.of(1));
      expect(packet.parserError).toBe(PACKET_TOO_SHORT);
      expect(readField(made, packet, 'm.byte')).toBe(5);
    });
  });

  const emptyParser = (): object => ({ name: 'parser', id: 0, init_state: null, parse_states: [] });
}
