import fc from 'fast-check';

import { fromHex, toHex } from '../support/hex';
import { assign, field, header, hex, op, primitive } from '../unit/switch/support/json-values';
import { acceptState, alwaysRun, extract } from '../unit/switch/support/program';
import { bench, readField, runPacket } from '../unit/switch/support/run';
import type { Primitive } from '../unit/switch/support/json-values';
import type { ProgramSpec } from '../unit/switch/support/program';
import type { ExecutorFactory } from '../../switch/executor/executor';

/** Checksums and deparsers write the same in every executor. */
export function describeDeparser(create: ExecutorFactory): void {
  /** An IPv4 header without options, as p4c's checksum calls list it. */
  const IPV4_FIELDS = [
    ['version', 4],
    ['ihl', 4],
    ['diffserv', 8],
    ['length', 16],
    ['identification', 16],
    ['flags', 3],
    ['offset', 13],
    ['ttl', 8],
    ['protocol', 8],
    ['checksum', 16],
    ['source', 32],
    ['destination', 32],
  ] as const;

  const summed = IPV4_FIELDS.filter(([name]) => name !== 'checksum').map(([name]) => ({
    type: 'field',
    value: ['ipv4', name],
  }));

  const VALID = op('==', field('ipv4.$valid$'), hex(1));

  interface Choice {
    readonly body?: readonly Primitive[];
    readonly input?: readonly object[];
    readonly algo?: string;
    readonly condition?: object | null;
  }

  function program({
    body = [],
    input = summed,
    algo = 'csum16',
    condition = VALID,
  }: Choice): ProgramSpec {
    return {
      metadata: [['byte', 8]],
      types: { ipv4_t: IPV4_FIELDS },
      headers: [['ipv4', 'ipv4_t']],
      states: [acceptState('start', [extract('ipv4')])],
      ingress: alwaysRun({ id: 1, name: 'change', body }),
      extra: {
        calculations: [{ name: 'sum', id: 0, algo, input }],
        checksums: [
          {
            name: 'cksum',
            id: 0,
            target: ['ipv4', 'checksum'],
            type: 'generic',
            calculation: 'sum',
            verify: true,
            update: true,
            if_cond: condition,
          },
        ],
      },
    };
  }

  /** The IPv4 header of a published INT example; its checksum is 0x1479. */
  const HEADER = fromHex('4502003c12344000401114790a0000010a000002');

  describe('checksum verification', () => {
    const isWrong = (bytes: Uint8Array, choice: Choice = {}): boolean =>
      runPacket(bench(create, program(choice)), bytes).packet.checksumError;

    test('accepts a right checksum', () => {
      expect(isWrong(HEADER)).toBe(false);
    });

    test('notices every wrong bit', () => {
      const flipped = fc.integer({ min: 0, max: HEADER.length * 8 - 1 });
      fc.assert(
        fc.property(flipped, (bit) => {
          const bytes = Uint8Array.from(HEADER);
          bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
          expect(isWrong(bytes)).toBe(true);
        }),
        { numRuns: 40 },
      );
    });

    test('is skipped when its condition is false', () => {
      const wrong = Uint8Array.from(HEADER).fill(0xff, 10, 12);
      expect(isWrong(wrong)).toBe(true);
      expect(isWrong(wrong, { condition: op('==', hex(1), hex(2)) })).toBe(false);
    });

    test('has no condition when the program gives none', () => {
      const wrong = Uint8Array.from(HEADER).fill(0xff, 10, 12);
      expect(isWrong(wrong, { condition: null })).toBe(true);
    });

    test('is skipped when the header is not there', () => {
      expect(isWrong(HEADER.subarray(0, 19), { condition: null })).toBe(false);
    });
  });

  describe('checksum update', () => {
    const outcome = (choice: Choice, bytes = HEADER, length = bytes.length): string =>
      toHex(runPacket(bench(create, program(choice)), bytes, length).bytes);

    test('follows the header that ingress changed', () => {
      // TTL 64 -> 63 takes 0x0100 from the sum, so the checksum grows by as much: 1479 -> 1579.
      const body = [assign('ipv4.ttl', hex(63))];
      expect(outcome({ body })).toBe('4502003c123440003f1115790a0000010a000002');
    });

    test('leaves a removed header out', () => {
      expect(outcome({ body: [primitive('remove_header', header('ipv4'))] })).toBe('');
    });

    test('writes the field even of a header that is not sent', () => {
      const made = bench(create, program({ condition: null }));
      const { packet } = runPacket(made, new Uint8Array(0));
      // The sum of nothing is 0, and its complement is written.
      expect(readField(made, packet, 'ipv4.checksum')).toBe(0xffff);
    });

    test('covers the payload when the program says so, with an odd byte as a high half', () => {
      const input = [
        { type: 'field', value: ['ipv4', 'ttl'] },
        { type: 'payload', value: null },
      ];
      const bytes = new Uint8Array(23);
      bytes.set([1, 2, 3], 20);
      // The field is padded to 0x00.. first: one byte 00, then 01 02 03: 0001 + 0203 = 0204.
      expect(outcome({ input }, bytes).slice(20, 24)).toBe('fdfb');
    });

    test('of an emulated packet counts the virtual zeros for algorithms that notice them', () => {
      const input = [{ type: 'payload', value: null }];
      const header20 = new Uint8Array(20);
      const real = outcome({ input, algo: 'crc16' }, Uint8Array.from([...header20, 1, 0, 0]));
      const virtual = outcome({ input, algo: 'crc16' }, Uint8Array.from([...header20, 1]), 23);
      expect(virtual.slice(20, 24)).toBe(real.slice(20, 24));
      const bare = outcome({ input, algo: 'crc16' }, Uint8Array.from([...header20, 1]), 21);
      expect(bare.slice(20, 24)).not.toBe(real.slice(20, 24));
    });

    test('packs constants and whole headers', () => {
      const input = [
        { type: 'hexstr', value: '0x12', bitwidth: 8 },
        { type: 'hexstr', value: '0x34', bitwidth: 8 },
        { type: 'header', value: 'ipv4' },
      ];
      // xor16 of 1234 and twenty zero bytes.
      expect(outcome({ input, algo: 'xor16' }, new Uint8Array(20)).slice(20, 24)).toBe('1234');
    });
  });

  describe('deparsing', () => {
    const SPEC: ProgramSpec = {
      types: {
        t: [
          ['a', 3],
          ['b', 13],
          ['signed', 8, true],
          ['wide', 72],
        ],
      },
      headers: [
        ['one', 't'],
        ['two', 't'],
      ],
      order: ['two', 'one'],
      states: [acceptState('start', [extract('one')])],
    };

    test('emits valid headers in the order of the deparser, then the rest', () => {
      const copy = primitive('assign_header', header('two'), header('one'));
      const body = [copy, assign('two.a', hex(7))];
      const made = bench(create, { ...SPEC, ingress: alwaysRun({ id: 1, name: 'copy', body }) });
      const bytes = fromHex('2001 ff 010203040506070809 eeee');
      expect(toHex(runPacket(made, bytes).bytes)).toBe(
        'e001ff010203040506070809' + '2001ff010203040506070809' + 'eeee',
      );
    });

    test('an unchanged packet leaves as it came, however long', () => {
      const made = bench(create, SPEC);
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
          expect(toHex(runPacket(made, bytes).bytes)).toBe(toHex(bytes));
        }),
      );
    });

    test('a packet does not depend on the one before it', () => {
      const made = bench(create, SPEC);
      const state = made.executor.createState();
      const through = (bytes: Uint8Array): string => {
        made.executor.reset(state, { bytes, length: bytes.length });
        made.executor.parse(state);
        made.executor.ingress(state);
        made.executor.egress(state);
        return toHex(made.executor.deparse(state));
      };
      const long = fromHex('2001ff010203040506070809');
      expect(through(long)).toBe(toHex(long));
      expect(through(Uint8Array.of(1))).toBe('01');
      expect(readField(made, state, 'one.b')).toBe(0);
    });
  });
}
