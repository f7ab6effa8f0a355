import { parseStf } from '../../../../../switch/stf/text/parse-stf';
import { messageOf } from '../support/message-of';
import type { Command } from '../../../../../switch/stf/text/statements';

const commands = (text: string): readonly Command[] =>
  parseStf(text, 'a.stf').statements.map(({ command }) => command);

const only = (text: string): Command | undefined => commands(text)[0];

const literal = (text: string, value: bigint): object =>
  expect.objectContaining({ text, value }) as object;

describe('an STF file', () => {
  test('may be empty, and ignores blank lines and comments', () => {
    expect(commands('')).toEqual([]);
    expect(commands('\n  # a comment\n\t\nwait # another\n')).toEqual([
      { kind: 'wait', duration: 0 },
    ]);
  });

  test('has keywords in any case, after any space, and lines that end with carriage return', () => {
    expect(commands('  WAIT\r\nNo_Packet\r\n')).toEqual([
      { kind: 'wait', duration: 0 },
      { kind: 'no-packet' },
    ]);
  });

  test('numbers its statements by lines, and continues them on lines without a keyword', () => {
    const text = '# one\nadd t\n  k:1\n\n  a()\npacket 1 AA\n  BB CC\n';
    const { statements } = parseStf(text, 'a.stf');
    expect(statements.map(({ line, command }) => [line, command.kind])).toEqual([
      [2, 'add'],
      [6, 'packet'],
    ]);
    expect(statements[1]?.command).toMatchObject({ bytes: Uint8Array.of(0xaa, 0xbb, 0xcc) });
  });

  test('may use keywords as names behind the first word', () => {
    expect(only('add packet wait.x:1 remove(all:2)')).toMatchObject({
      table: 'packet',
      matches: [{ name: 'wait.x' }],
      action: { name: 'remove', arguments: [{ name: 'all' }] },
    });
  });
});

describe('a packet', () => {
  test('is hexadecimal digits in groups of any size', () => {
    expect(only('packet 3 0 1 02030 4 aBcD')).toEqual({
      kind: 'packet',
      port: 3,
      bytes: Uint8Array.of(0x01, 0x02, 0x03, 0x04, 0xab, 0xcd),
    });
  });

  test.each([
    ['expect 5', { kind: 'expect', port: 5, pattern: undefined }],
    ['expect 5 ab**', { kind: 'expect', port: 5, pattern: { digits: 'AB**', exact: false } }],
    ['expect 5 AB $', { kind: 'expect', port: 5, pattern: { digits: 'AB', exact: true } }],
    ['expect 5 *A*B$', { kind: 'expect', port: 5, pattern: { digits: '*A*B', exact: true } }],
    ['expect 5 $', { kind: 'expect', port: 5, pattern: { digits: '', exact: true } }],
  ])('%s', (text, command) => {
    expect(only(text)).toEqual(command);
  });
});

describe('a table statement', () => {
  test('adds an entry with priority, matches, arguments and a name', () => {
    const text = 'add t1 100 a.b[2].c:0x1* "odd name":7/3 $valid$:1 pkg.act(x:1, y:0xFF) = $A';
    expect(only(text)).toEqual({
      kind: 'add',
      table: 't1',
      priority: 100,
      matches: [
        { name: 'a.b[2].c', value: { kind: 'literal', value: literal('0x1*', 16n) } },
        {
          name: 'odd name',
          value: { kind: 'prefix', value: literal('7', 7n), length: literal('3', 3n) },
        },
        { name: '$valid$', value: { kind: 'literal', value: literal('1', 1n) } },
      ],
      action: {
        name: 'pkg.act',
        arguments: [
          { name: 'x', value: literal('1', 1n) },
          { name: 'y', value: literal('0xFF', 255n) },
        ],
      },
      id: 'A',
    });
  });

  test('takes masks and ranges', () => {
    expect(only('add t a:0x12&&&0xF0 b:1..5 c()')).toMatchObject({
      matches: [
        { value: { kind: 'masked', value: { value: 0x12n }, mask: { value: 0xf0n } } },
        { value: { kind: 'range', low: { value: 1n }, high: { value: 5n } } },
      ],
    });
  });

  test.each([
    ['setdefault t a(x:1)', { kind: 'setdefault', table: 't' }],
    ['remove all', { kind: 'remove-all' }],
    ['remove $A', { kind: 'remove', id: 'A' }],
    ['member_create p a()', { kind: 'member-create', profile: 'p' }],
    ['group_create p 0 2', { kind: 'group-create', profile: 'p', members: [0, 2] }],
    ['group_create p', { kind: 'group-create', profile: 'p', members: [] }],
  ])('%s', (text, command) => {
    expect(only(text)).toMatchObject(command);
  });
});

describe('a statement about state', () => {
  test.each([
    ['check_counter c(3)', { kind: 'check-counter', counter: 'c', cell: 3, test: undefined }],
    [
      'check_counter c($A) packets == 2',
      {
        kind: 'check-counter',
        counter: 'c',
        cell: 'A',
        test: { unit: 'packets', operator: '==', value: 2n },
      },
    ],
    [
      'check_counter c(0x10) Bytes >= 20',
      {
        kind: 'check-counter',
        counter: 'c',
        cell: 16,
        test: { unit: 'bytes', operator: '>=', value: 20n },
      },
    ],
    ['counter_read c 1', { kind: 'counter-read', counter: 'c', index: 1 }],
    [
      'counter_write c 1 20 3',
      { kind: 'counter-write', counter: 'c', index: 1, bytes: 20n, packets: 3n },
    ],
    ['register_read r.x 1', { kind: 'register-read', register: 'r.x', index: 1 }],
    ['register_write r 1 0xFF', { kind: 'register-write', register: 'r', index: 1, value: 255n }],
    ['register_reset r', { kind: 'register-reset', register: 'r' }],
    [
      'check_register r(2) != 7',
      { kind: 'check-register', register: 'r', index: 2, operator: '!=', value: 7n },
    ],
    ['meter_get_rates m 1', { kind: 'meter-get-rates', meter: 'm', index: 1 }],
    [
      'meter_set_rates m 1 0.5:3 2:9',
      {
        kind: 'meter-set-rates',
        meter: 'm',
        index: 1,
        rates: [
          { perMicrosecond: 0.5, burst: 3 },
          { perMicrosecond: 2, burst: 9 },
        ],
      },
    ],
    [
      'meter_array_set_rates m 1:1',
      {
        kind: 'meter-set-rates',
        meter: 'm',
        index: undefined,
        rates: [{ perMicrosecond: 1, burst: 1 }],
      },
    ],
    [
      'meter_set_rates m $A 1:1',
      {
        kind: 'meter-set-entry-rates',
        meter: 'm',
        id: 'A',
        rates: [{ perMicrosecond: 1, burst: 1 }],
      },
    ],
    ['pvs_add v 0x88', { kind: 'value-set-add', valueSet: 'v', value: 0x88n }],
  ])('%s', (text, command) => {
    expect(only(text)).toEqual(command);
  });
});

describe('a statement about the switch', () => {
  test.each([
    ['wait', { kind: 'wait', duration: 0 }],
    ['wait 3 ns', { kind: 'wait', duration: 3_000 }],
    ['wait 20 us', { kind: 'wait', duration: 20_000_000 }],
    ['wait 4 ms', { kind: 'wait', duration: 4_000_000_000 }],
    ['wait 1 s', { kind: 'wait', duration: 1_000_000_000_000 }],
    ['mirroring_add 1 2', { kind: 'mirroring-add', session: 1, port: 2 }],
    ['mirroring_add_mc 1 2', { kind: 'mirroring-add-mc', session: 1, group: 2 }],
    ['mirroring_delete 1', { kind: 'mirroring-delete', session: 1 }],
    ['mirroring_get 1', { kind: 'mirroring-get', session: 1 }],
    ['mc_mgrp_create 7', { kind: 'mc-group-create', group: 7 }],
    ['mc_node_create 400 6 7', { kind: 'mc-node-create', rid: 400, ports: [6, 7] }],
    ['mc_node_update 0 1', { kind: 'mc-node-update', node: 0, ports: [1] }],
    ['mc_node_associate 7 0', { kind: 'mc-node-associate', group: 7, node: 0 }],
    ['set_queue_rate 100', { kind: 'set-queue-rate', packetsPerSecond: 100, port: undefined }],
    ['set_queue_depth 5 2', { kind: 'set-queue-depth', packets: 5, port: 2 }],
    ['expect_digest d 1 0x2', { kind: 'expect-digest', digest: 'd', values: [1n, 2n] }],
    ['expect_log "a # b"', { kind: 'expect-log', text: 'a # b' }],
  ])('%s', (text, command) => {
    expect(only(text)).toEqual(command);
  });
});

describe('a statement that is wrong says where, what was wanted and what was found', () => {
  test.each([
    ['what 1', "a.stf:1: wanted a keyword such as 'packet', found 'what 1'"],
    [
      '\npacket',
      'a.stf:2: wanted a port (decimal) before the data, found the end of the statement',
    ],
    ['packet A 00', "a.stf:1: wanted a port (decimal) before the data, found 'A'"],
    ['packet 1', "a.stf:1: wanted the packet's hexadecimal digits, found the end of the statement"],
    ['packet 1 0*', "a.stf:1: wanted a packet without '*', found the end of the statement"],
    [
      'packet 1 012',
      'a.stf:1: wanted an even number of hexadecimal digits instead of 3, found the end of the statement',
    ],
    ['packet 1 0g', "a.stf:1: wanted hexadecimal digits, found 'g'"],
    ['expect 1 $ 00', "a.stf:1: wanted the end of the statement, found '00'"],
    ['add', 'a.stf:1: wanted the name of a table, found the end of the statement'],
    ['add t a()', "a.stf:1: wanted ':', found '('"],
    ['add t k:x a()', "a.stf:1: wanted a value, found 'x'"],
    ['add t k:1 a(', 'a.stf:1: wanted an argument ARG:VALUE, found the end of the statement'],
    ['add t k:1 a(x:1 y:2)', "a.stf:1: wanted ',', found 'y'"],
    ['add t k:1\n  a() = 3', "a.stf:2: wanted a name for the entry, found '3'"],
    ['add t k:1 a() b', "a.stf:1: wanted the end of the statement, found 'b'"],
    ['add t k:1 !', "a.stf:1: wanted a name, a number or a symbol, found '!'"],
    ['remove', "a.stf:1: wanted 'all' or the name of an entry, found the end of the statement"],
    ['check_counter c 1', "a.stf:1: wanted '(', found '1'"],
    [
      'check_counter c(1) bits == 1',
      "a.stf:1: wanted 'bytes' or 'packets' instead of 'bits', found '=='",
    ],
    [
      'check_counter c(1) bytes = 1',
      "a.stf:1: wanted a comparison (==, !=, <, <=, > or >=), found '='",
    ],
    ['wait 5', 'a.stf:1: wanted a unit of time (ns, us, ms or s), found the end of the statement'],
    ['mc_node_create 1', 'a.stf:1: wanted a port, found the end of the statement'],
    ['register_write r 1 0x1*', "a.stf:1: wanted a value without '*', found '0x1*'"],
    ['meter_set_rates m 1 5', "a.stf:1: wanted ':', found the end of the statement"],
    ['meter_set_rates m 1 0x5:1', "a.stf:1: wanted a rate per microsecond, found '0x5'"],
    ['expect_log plain', "a.stf:1: wanted a text in double quotes, found 'plain'"],
    ['no_packet 1', "a.stf:1: wanted the end of the statement, found '1'"],
  ])('%j', (text, message) => {
    expect(messageOf(() => parseStf(text, 'a.stf'))).toBe(message);
  });
});
