import { parseStf } from '../../../../../switch/stf/text/parse-stf';
import { runStf } from '../../../../../switch/stf/run/run-stf';
import { messageOf } from '../support/message-of';
import { OUTLINE } from '../support/outline';
import { RecordingTarget } from '../support/recording-target';
import type { StfReply, StfRequest } from '../../../../../switch/stf/run/requests';
import type { StfVerdict } from '../../../../../switch/stf/run/run-stf';

type Replies = Partial<Record<StfRequest['kind'], StfReply>>;

const run = (text: string, replies: Replies = {}): StfVerdict =>
  runStf(parseStf(text, 'a.stf'), OUTLINE, new RecordingTarget(replies));

/** Requests of the statements to the target, before it collects packets at the end. */
function requests(text: string): StfRequest[] {
  const target = new RecordingTarget();
  runStf(parseStf(text, 'a.stf'), OUTLINE, target);
  return target.requests.slice(0, -1);
}

const packets = (...list: (readonly [number, ...number[]])[]): Replies => ({
  collect: {
    kind: 'packets',
    packets: list.map(([port, ...bytes]) => ({ port, bytes: Uint8Array.from(bytes) })),
  },
});

const ENTRY = {
  table: 'ingress.exact',
  key: [
    { kind: 'exact', value: 7n },
    { kind: 'lpm', value: 0n, prefixLength: 0 },
  ],
  priority: 0,
};

describe('a test asks the target', () => {
  test('for entries with full names, all key fields, and arguments in the order of parameters', () => {
    expect(requests('add exact a:7 send(mark:2, port:1)')).toEqual([
      {
        kind: 'add-entry',
        entry: ENTRY,
        target: { kind: 'call', action: 'ingress.send', actionId: 3, arguments: [1n, 2n] },
      },
    ]);
  });

  test('for priorities above 0 where entries compete, and 0 where they do not', () => {
    const priorities = requests(
      'add acl a:1 drop()\nadd acl 0 a:2 drop()\nadd acl 9 a:3 drop()\nadd exact 9 a:4 drop()',
    ).map((request) => request.kind === 'add-entry' && request.entry.priority);
    expect(priorities).toEqual([1, 1, 10, 0]);
  });

  test('for members and groups by their handles', () => {
    expect(
      requests(
        'member_create hops send(port:1, mark:2)\ngroup_create hops 0\n' +
          'add indirect a:1 member(handle:0)\nadd indirect a:2 group(handle:5)',
      ),
    ).toMatchObject([
      { kind: 'create-member', profile: 'ingress.hops', call: { arguments: [1n, 2n] } },
      { kind: 'group-create', profile: 'ingress.hops', members: [0] },
      { kind: 'add-entry', target: { kind: 'member', handle: 0 } },
      { kind: 'add-entry', target: { kind: 'group', handle: 5 } },
    ]);
  });

  test('to remove an entry by its name, and all entries from the last to the first', () => {
    const text =
      'add exact a:7 drop() = A\nadd exact a:8 drop()\nadd acl a:9 drop()\nremove A\nremove all';
    const removed = requests(text).flatMap((request) =>
      request.kind === 'delete-entry' ? [request.entry] : [],
    );
    expect(removed).toMatchObject([
      ENTRY,
      { table: 'ingress.acl' },
      { table: 'ingress.exact', key: [{ value: 8n }, {}] },
    ]);
  });

  test.each([
    ['setdefault exact drop()', { kind: 'set-default', table: 'ingress.exact' }],
    ['packet 3 AB', { kind: 'send', packet: { port: 3, bytes: Uint8Array.of(0xab) } }],
    ['wait 1 us', { kind: 'wait', duration: 1e6 }],
    ['mirroring_add 1 2', { kind: 'mirror', session: 1, to: { port: 2 } }],
    ['mirroring_add_mc 1 2', { kind: 'mirror', session: 1, to: { group: 2 } }],
    ['mirroring_delete 1', { kind: 'mirror', session: 1, to: undefined }],
    ['mc_mgrp_create 1', { kind: 'mc-group-create', group: 1 }],
    ['mc_node_create 5 1 2', { kind: 'mc-node-create', rid: 5, ports: [1, 2] }],
    ['mc_node_update 0 3', { kind: 'mc-node-update', node: 0, ports: [3] }],
    ['mc_node_associate 1 0', { kind: 'mc-node-associate', group: 1, node: 0 }],
    ['counter_write seen 1 2 3', { kind: 'counter-write', counter: 'ingress.seen', bytes: 2n }],
    ['register_write cells 1 2', { kind: 'register-write', register: 'ingress.cells', value: 2n }],
    ['register_reset cells', { kind: 'register-reset', register: 'ingress.cells' }],
    ['meter_set_rates limit 1 1:2', { kind: 'meter-set-rates', meter: 'ingress.limit', index: 1 }],
    ['meter_array_set_rates limit 1:2', { kind: 'meter-set-rates', index: undefined }],
    ['pvs_add types 5', { kind: 'value-set-add', valueSet: 'parser.types', value: 5n }],
    ['set_queue_rate 5', { kind: 'set-queue-rate', packetsPerSecond: 5 }],
    ['set_queue_depth 5 1', { kind: 'set-queue-depth', packets: 5, port: 1 }],
  ])('%s', (text, request) => {
    expect(requests(text)).toMatchObject([request]);
  });

  test('for nothing at statements that only inform', () => {
    expect(requests('mirroring_get 1\nmeter_get_rates limit 1\nexpect 1')).toEqual([]);
  });

  test('for the direct counter and meter of an entry by its name', () => {
    const found = requests(
      'add exact a:7 drop() = A\ncheck_counter hits($A)\nmeter_set_rates limit $A 1:1',
    );
    expect(found.slice(1)).toMatchObject([
      { kind: 'read-direct-counter', counter: 'ingress.hits', entry: ENTRY },
      { kind: 'set-direct-meter', meter: 'ingress.limit', entry: ENTRY },
    ]);
  });
});

describe('a test passes', () => {
  test('when the packets of all ports that it names are as expected', () => {
    expect(run('packet 1 00\nexpect 2 AB', packets([2, 0xab])).kind).toBe('pass');
    expect(run('packet 1 00\nexpect 2 AB', packets([2, 0xab], [9, 0xff])).kind).toBe('pass');
  });

  test('with notes of what it was asked to read', () => {
    const replies: Replies = {
      'counter-read': { kind: 'count', packets: 2n, bytes: 30n },
      'register-read': { kind: 'value', value: 5n },
    };
    expect(run('counter_read seen 1\nregister_read cells 2', replies).notes).toEqual([
      'ingress.seen(1): 2 packets, 30 bytes',
      'ingress.cells(2): 5',
    ]);
  });

  test.each([
    ['==', 5, true],
    ['==', 4, false],
    ['!=', 4, true],
    ['!=', 5, false],
    ['<', 6, true],
    ['<', 5, false],
    ['<=', 5, true],
    ['<=', 4, false],
    ['>', 4, true],
    ['>', 5, false],
    ['>=', 5, true],
    ['>=', 6, false],
  ])('or fails when a register of 5 is to be %s %i', (operator, value, passes) => {
    const replies: Replies = { 'register-read': { kind: 'value', value: 5n } };
    const verdict = run(`check_register cells(0) ${operator} ${value}`, replies);
    expect(verdict.kind === 'pass').toBe(passes);
  });
});

describe('a test fails', () => {
  const failure = (text: string, replies: Replies): unknown => {
    const verdict = run(text, replies);
    return verdict.kind === 'fail' ? verdict.difference : verdict.kind;
  };

  test('at a packet that leaves by a port that it sends to and nobody expects', () => {
    expect(failure('packet 1 00', packets([1, 0xab]))).toEqual({
      line: undefined,
      message: 'packet 1 at port 1:\n  wanted none\n  found  AB',
    });
  });

  test('at no_packet when more has left than is expected so far, by whatever port', () => {
    expect(failure('expect 1\npacket 0 00\nno_packet', packets([1, 1], [9, 2]))).toEqual({
      line: 3,
      message: 'wanted 1 packets so far, found 2\n  port 1: 01\n  port 9: 02',
    });
    expect(failure('expect 1\npacket 0 00\nno_packet', packets([1, 1]))).toBe('pass');
  });

  test('at a counter that does not hold', () => {
    const replies: Replies = { 'counter-read': { kind: 'count', packets: 2n, bytes: 30n } };
    expect(failure('check_counter seen(1) bytes > 30', replies)).toEqual({
      line: 1,
      message: 'ingress.seen(1): wanted bytes > 30, found 30',
    });
    expect(failure('check_counter seen(1) packets == 2', replies)).toBe('pass');
    expect(failure('check_counter seen(1)', replies)).toBe('pass');
  });

  test('at digests that are others, missing or too many, if it names any', () => {
    const replies: Replies = {
      'read-digests': { kind: 'digests', digests: [{ name: 'learned_t', values: [1n, 0x20n] }] },
    };
    expect(failure('expect_digest learned_t 1 0x20', replies)).toBe('pass');
    expect(failure('wait', replies)).toBe('pass');
    expect(failure('expect_digest learned_t 1 2', replies)).toEqual({
      line: 1,
      message: 'digest 1:\n  wanted learned_t 0x1 0x2\n  found  learned_t 0x1 0x20',
    });
    const two = 'expect_digest learned_t 1 0x20\nexpect_digest learned_t 3';
    expect(failure(two, replies)).toEqual({
      line: 2,
      message: 'digest 2:\n  wanted learned_t 0x3\n  found  none',
    });
  });

  test('at messages that are others, if it names any', () => {
    const replies: Replies = { 'read-log': { kind: 'log', messages: ['a', 'b'] } };
    expect(failure('expect_log "a"\nexpect_log "b"', replies)).toBe('pass');
    expect(failure('expect_log "a"', replies)).toEqual({
      line: undefined,
      message: 'message 2:\n  wanted none\n  found  b',
    });
  });
});

describe('a test cannot be run', () => {
  test.each([
    [
      'add flows a:1 drop()',
      "wanted a table, found 'flows'; there are: ingress.exact, ingress.acl, ingress.indirect",
    ],
    ['add exact c:1 drop()', "wanted a key of table 'ingress.exact' (hdr.a, hdr.b), found 'c'"],
    ['add exact a:256 drop()', "key 'hdr.a' has 8 bits, found 256"],
    [
      'add exact a:1 what()',
      "wanted an action, found 'what'; there are: ingress.send, ingress.drop",
    ],
    ['add exact a:1 drop(x:1)', "action 'ingress.drop' has no argument 'x'"],
    ['add exact a:1 send(port:1)', "wanted argument 'mark' of action 'ingress.send', found none"],
    [
      'add exact a:1 send(port:512, mark:0)',
      "argument 'port' of action 'ingress.send' has 9 bits, found 512",
    ],
    [
      'add exact a:1 send(port:0x*, mark:0)',
      "argument 'port' of action 'ingress.send' must not contain '*'",
    ],
    [
      'add indirect a:1 send(port:1, mark:0)',
      "table 'ingress.indirect' is indirect: wanted member(handle:N) or group(handle:N), " +
        'found send(...)',
    ],
    ['remove B', "wanted the name of an entry (none), found 'B'"],
    ['check_counter hits($B)', "wanted the name of an entry (none), found 'B'"],
    ['register_read r 1', "wanted a register, found 'r'; there are: ingress.cells"],
    ['meter_get_rates m 1', "wanted a meter, found 'm'; there are: ingress.limit"],
    ['pvs_add v 1', "wanted a parser value set, found 'v'; there are: parser.types"],
    ['expect_digest d', "wanted a digest, found 'd'; there are: learned_t"],
    ['member_create p drop()', "wanted an action profile, found 'p'; there are: ingress.hops"],
  ])('%s', (text, reason) => {
    expect(messageOf(() => run(`\n${text}`))).toBe(`a.stf:2: ${reason}`);
  });

  test('when the target refuses a statement', () => {
    const replies: Replies = { 'add-entry': { kind: 'refused', reason: 'the table is full' } };
    expect(messageOf(() => run('add exact a:1 drop()', replies))).toBe(
      'a.stf:1: the table is full',
    );
  });
});
