import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { fromHex, toHex } from '../support/hex';
import { fixture } from '../support/paths';
import { crc16 } from '../../switch/runtime/crc';
import { Network } from '../unit/switch/support/network';
import type { ExecutorFactory } from '../../switch/executor/executor';
import type { TableEntry } from '../../switch/control/table-control';
import type { KeyField } from '../../common/p4runtime/key-field';

/** Programs that p4c compiled; their sources lie beside the JSON. */
const compiled = (name: string): string => readFileSync(fixture('p4', `${name}.json`), 'utf8');

const LABEL_STACK = compiled('label_stack');
const MATCH_KINDS = compiled('match_kinds');
const ARITHMETIC = compiled('arithmetic');

/** Result for one packet: its port and bytes, or undefined when it is dropped. */
type Outcome = readonly [port: number, bytes: string] | undefined;

/** Compiled P4 programs do what their sources say. */
export function describePrograms(create: ExecutorFactory): void {
  function load(json: string): Network {
    const ports = [1, 2, 3].map((port) => ({ port, rate: 8e12 }));
    const net = new Network({ ports, executor: create });
    net.switch.loadProgram(json);
    return net;
  }

  function send(net: Network, bytes: Uint8Array, port = 1): Outcome {
    const before = net.sent.length;
    net.arrive(before * 1_000_000, port, { bytes, length: bytes.length });
    const sent = net.sent[before];
    return sent && [sent.port, toHex(sent.packet.bytes)];
  }

  describe('a stack of labels', () => {
    const through = (text: string): Outcome => send(load(LABEL_STACK), fromHex(text));

    // A label is 15 bits and the bottom bit: 100 at the bottom is 201 = 00c9.
    const cases: readonly (readonly [string, string, number, string])[] = [
      ['is forwarded as it is', '01 00c9 ee', 1, '0100c9ee'],
      ['loses its top', '01 00ca 000b ee', 2, '01000bee'],
      ['gains a top', '01 00cc 000b ee', 3, '01009a00cc000bee'],
      [
        'loses its last label when a full stack gains one',
        '01 00cc 0002 000b',
        3,
        '01009a00cc0002',
      ],
      ['has its top swapped', '01 00cf', 1, '01009d'],
    ];
    test.each(cases)('%s', (_name, packet, port, result) => {
      expect(through(packet)).toEqual([port, result]);
    });

    test('with an unknown top is dropped', () => {
      expect(through('01 0003')).toBeUndefined();
    });

    // The report in front: error 4 bytes, labels that were extracted, 7 bits and the lookahead.
    const errors: readonly (readonly [string, string, string])[] = [
      ['a verify that fails', '02 00c9', '00000001 00 00 02 00c9'],
      ['too few bytes', '01 00ca 00', '00000002 01 00 01 00ca 00'],
      ['too many labels', '01 8000 0002 0004 0006', '00000002 03 01 01 8000 0002 0004 0006'],
      ['nothing to look ahead at', '01', '00000002 00 00 01'],
      ['no bytes at all', '', '00000002 00 00'],
    ];
    test.each(errors)('lets ingress report %s', (_name, packet, result) => {
      expect(through(packet)).toEqual([1, toHex(fromHex(result))]);
    });
  });

  describe('match kinds', () => {
    const exact = (value: number): KeyField => ({ kind: 'exact', value: BigInt(value) });

    /** The id of an action by the end of its name, among those that a table knows. */
    function insert(
      net: Network,
      table: string,
      key: readonly KeyField[],
      what: TableEntry['action'] | readonly [action: string, value: number, priority?: number],
    ): void {
      const control = net.switch.pipeline?.tables.get(`ingress.${table}`);
      if ('kind' in what) return control?.insert({ key, priority: 0, action: what });
      const [action, value, priority = 0] = what;
      const call = { actionId: idOf(net, table, action), arguments: [BigInt(value)] };
      return control?.insert({ key, priority, action: { kind: 'call', call } });
    }

    const idOf = (net: Network, table: string, action: string): number =>
      net.switch.pipeline?.tableAction(`ingress.${table}`, `ingress.${action}`)?.id ?? -1;

    const keys = (address: string, lowHigh: string, flags: string, flow: string): Uint8Array =>
      fromHex(address + lowHigh + flags + flow);

    /** One byte of the result by its position. */
    const resultOf = (outcome: Outcome, position: number): number =>
      parseInt(outcome?.[1].slice(2 * position, 2 * position + 2) ?? '', 16);

    test('lpm prefers the longest prefix, tells hit from miss, and counts hits', () => {
      const net = load(MATCH_KINDS);
      const prefix = (value: bigint, prefixLength: number): KeyField[] => [
        { kind: 'lpm', value, prefixLength },
      ];
      insert(net, 'prefix', prefix(0x0a000000n, 8), ['by_prefix', 8]);
      insert(net, 'prefix', prefix(0x0a0b0000n, 16), ['by_prefix', 16]);
      const results = ['0a0b0c0d', '0a0c0c0d', '0b000000'].map((address) => {
        const outcome = send(net, keys(address, '0000', '00', '00'));
        return [resultOf(outcome, 0), resultOf(outcome, 7)];
      });
      expect(results).toEqual([
        [16, 1],
        [8, 1],
        [0, 0],
      ]);
      const table = net.switch.pipeline?.tables.get('ingress.prefix');
      expect(table?.directCounter(prefix(0x0a000000n, 8), 0)).toEqual({ packets: 1, bytes: 8 });
    });

    test.each([
      ['81', 1, 1],
      ['80', 1, 2],
      ['ff', 1, 2],
      ['7f', 1, 99],
      ['00', 2, 3],
      ['81', 3, 99],
    ])('ternary entries of the program: flags %s from port %i', (flags, port, value) => {
      const outcome = send(load(MATCH_KINDS), keys('00000000', '0000', flags, '00'), port);
      expect(resultOf(outcome, 1)).toBe(value);
    });

    test.each([
      ['0063', 0],
      ['0064', 1],
      ['00c8', 1],
      ['00c9', 2],
      ['012d', 0],
    ])('range entries of the program: %s', (lowHigh, value) => {
      const outcome = send(load(MATCH_KINDS), keys('00000000', lowHigh, '00', '00'));
      expect(resultOf(outcome, 2)).toBe(value);
    });

    test('an optional key matches a value or everything', () => {
      const net = load(MATCH_KINDS);
      const optional = (value: bigint, mask: bigint): KeyField => ({
        kind: 'ternary',
        value,
        mask,
      });
      insert(net, 'option', [optional(7n, 0xffn), exact(1)], ['by_option', 1, 20]);
      insert(net, 'option', [optional(0n, 0n), exact(1)], ['by_option', 2, 10]);
      const results = ['0107', '0108', '0207'].map((text) =>
        resultOf(send(net, keys('00000000', '0000', text.slice(0, 2), text.slice(2))), 3),
      );
      expect(results).toEqual([1, 2, 0]);
    });

    test('a member acts for its entry', () => {
      const net = load(MATCH_KINDS);
      const profile = net.switch.pipeline?.actionProfiles.get('ingress.members');
      const actionId = net.switch.pipeline?.profileAction(
        'ingress.members',
        'ingress.by_member',
      )?.id;
      profile?.insertMember(3, { actionId: actionId ?? -1, arguments: [33n] });
      insert(net, 'member', [exact(5)], { kind: 'member', memberId: 3 });
      const outcomes = ['05', '06'].map((flow) => send(net, keys('00000000', '0000', '00', flow)));
      expect(outcomes.map((outcome) => resultOf(outcome, 4))).toEqual([33, 0]);
    });

    test('a group chooses by the hash of the selector fields in their order', () => {
      const net = load(MATCH_KINDS);
      const profile = net.switch.pipeline?.actionProfiles.get('ingress.choices');
      const actionId = idOf(net, 'choice', 'by_hash');
      for (let id = 0; id < 5; id++) {
        profile?.insertMember(id, { actionId, arguments: [BigInt(100 + id)] });
      }
      const members = [0, 1, 2, 3, 4].map((memberId) => ({ memberId, weight: 1 }));
      profile?.insertGroup(1, members, 0);
      insert(net, 'choice', [exact(0)], { kind: 'group', groupId: 1 });
      const flow = fc.tuple(fc.nat(0xff), fc.uint8Array({ minLength: 4, maxLength: 4 }));
      fc.assert(
        fc.property(flow, ([id, address]) => {
          const outcome = send(net, Uint8Array.from([...address, 0, 0, 0, id]));
          expect(resultOf(outcome, 5)).toBe(100 + (crc16(Uint8Array.from([id, ...address])) % 5));
        }),
      );
    });

    test('validity is a key, and a table whose header is missing sees zeros', () => {
      const net = load(MATCH_KINDS);
      expect(resultOf(send(net, keys('00000000', '0000', '00', '00')), 6)).toBe(1);
      expect(resultOf(send(net, new Uint8Array(0)), 6)).toBe(9);
    });

    test('an indirect counter counts per index', () => {
      const net = load(MATCH_KINDS);
      ['01', '01', '03', '04'].forEach((flow) => send(net, keys('00000000', '0000', '00', flow)));
      const counter = net.switch.pipeline?.counters.get('ingress.seen');
      expect([0, 1, 2, 3].map((i) => counter?.read(i)?.packets)).toEqual([0, 2, 0, 1]);
    });
  });

  describe('operators', () => {
    const byte = fc.nat(0xff);
    const wide = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
    const signed = (value: number): number => (value > 127 ? value - 256 : value);
    const clamp = (value: number, low: number, high: number): number =>
      Math.min(Math.max(value, low), high);

    /** The results in the order of the header, each in hexadecimal digits of its width. */
    function model(w: bigint, [a, b, s, t]: readonly [number, number, number, number]): string {
      const u8 = (value: number): string => (value & 0xff).toString(16).padStart(2, '0');
      const u16 = (value: number): string => (value & 0xffff).toString(16).padStart(4, '0');
      const u64 = (value: bigint): string =>
        BigInt.asUintN(64, value).toString(16).padStart(16, '0');
      const data = [...fromHex(u64(w)), a];
      return [
        u8(a + b),
        u8(a - b),
        u16(a * b),
        u8(clamp(a + b, 0, 255)),
        u8(clamp(a - b, 0, 255)),
        u8(s + t),
        u8(clamp(signed(s) + signed(t), -128, 127)),
        u8(b < 8 ? a << b : 0),
        u8(b < 8 ? a >> b : 0),
        u8(signed(s) >> 2),
        u8(~a),
        u8(Number((w >> 12n) & 0xffn)),
        u16(a * 256 + b),
        u16(a),
        u16(signed(s)),
        u8(Math.max(a, b)),
        u8(signed(s) < signed(t) ? 1 : 0),
        u64(w + BigInt(a)),
        u64(w << 4n),
        u8(a === b ? 1 : a < b ? 2 : 3),
        u8(0xf0 | ((a & 3) << 2)),
        '00000000',
        u16(1000 + (crc16(Uint8Array.from(data)) % 500)),
      ].join('');
    }

    test('give what P4 says, at every width and sign', () => {
      fc.assert(
        fc.property(wide, fc.tuple(byte, byte, byte, byte), (w, operands) => {
          const [a] = operands;
          const packet = fromHex(
            w.toString(16).padStart(16, '0') + toHex(Uint8Array.from(operands)),
          );
          const outcome = send(load(ARITHMETIC), packet);
          if (a === 0xff) expect(outcome).toBeUndefined();
          else expect(outcome).toEqual([1, model(w, operands) + toHex(packet)]);
        }),
        { numRuns: 60 },
      );
    });

    test('at small shifts and equal operands as well', () => {
      for (const operands of [
        [1, 1, 0x80, 0x7f],
        [0x81, 7, 0xff, 1],
        [3, 8, 0, 0],
      ] as const) {
        const packet = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, ...operands]);
        const [port, bytes] = send(load(ARITHMETIC), packet) ?? [];
        expect(port).toBe(1);
        expect(bytes).toBe(model(0x0102030405060708n, operands) + toHex(packet));
      }
    });

    test('a register remembers from packet to packet', () => {
      const net = load(ARITHMETIC);
      // `previous` lies 39 bytes into the results; the register has four cells.
      const previous = (a: number, b: number): string | undefined =>
        send(net, Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, a, b, 0, 0]))?.[1].slice(78, 86);
      const wanted = ['00000000', '00000005', '00000000', '00000006', '00000000'];
      const found = [
        previous(5, 2),
        previous(6, 2),
        previous(7, 1),
        previous(8, 2),
        previous(9, 9),
      ];
      expect(found).toEqual(wanted);
    });
  });
}
