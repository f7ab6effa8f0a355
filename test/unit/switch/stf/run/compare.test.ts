import * as fc from 'fast-check';
import { comparePackets, toHex } from '../../../../../switch/stf/run/compare';
import type { Expectation } from '../../../../../switch/stf/run/compare';

const expected = (line: number, port: number, digits?: string, exact = false): Expectation => ({
  line,
  port,
  pattern: digits === undefined ? undefined : { digits, exact },
});

const packet = (port: number, ...bytes: number[]) => ({ port, bytes: Uint8Array.from(bytes) });

/** The digit from which on the packet differs, or undefined when the pattern takes it. */
function differenceOf(digits: string, exact: boolean, found: string): number | undefined {
  const sent = { port: 1, bytes: Uint8Array.from(Buffer.from(found, 'hex')) };
  const { message } = comparePackets([expected(1, 1, digits, exact)], [sent], [1]) ?? {};
  return message === undefined ? undefined : Number(/from digit (\d+) on/.exec(message)?.[1]);
}

describe('a pattern', () => {
  test.each([
    ['', false, 'AB', undefined],
    ['AB', false, 'AB', undefined],
    ['AB', false, 'ABCD', undefined],
    ['AB', true, 'AB', undefined],
    ['AB', true, 'ABCD', 2],
    ['', true, 'AB', 0],
    ['ABCD', false, 'AB', 2],
    ['A*', false, 'AF', undefined],
    ['**', false, 'AF', undefined],
    ['**', false, '', 0],
    ['A*CD', false, 'AFCE', 3],
  ])('%s (exact: %s) against %s differs at %s', (digits, exact, found, at) => {
    expect(differenceOf(digits, exact, found)).toBe(at === undefined ? at : at + 1);
  });

  test('agrees with every packet that it is the beginning of, and with no shorter one', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), fc.uint8Array(), (start, rest) => {
        const digits = toHex(start);
        expect(differenceOf(digits, false, digits + toHex(rest))).toBeUndefined();
        expect(differenceOf(digits, false, toHex(start.slice(1)))).toBeDefined();
      }),
    );
  });
});

describe('the comparison of packets', () => {
  test('knows an order at each port and none between ports', () => {
    const expectations = [expected(1, 2, 'BB'), expected(2, 1, 'AA'), expected(3, 1, 'CC')];
    const packets = [packet(1, 0xaa), packet(1, 0xcc), packet(2, 0xbb)];
    expect(comparePackets(expectations, packets, [1, 2])).toBeUndefined();
    expect(comparePackets(expectations, [...packets].reverse(), [1, 2])).toEqual({
      line: 2,
      message: 'packet 1 at port 1 differs from digit 1 on:\n  wanted AA\n  found  CC',
    });
  });

  test('counts a packet without looking at it when there is no pattern', () => {
    expect(comparePackets([expected(1, 0)], [packet(0, 1, 2)], [0])).toBeUndefined();
    expect(comparePackets([expected(7, 0)], [], [0])).toEqual({
      line: 7,
      message: 'packet 1 at port 0:\n  wanted any\n  found  none',
    });
  });

  test('tells of a packet that is missing', () => {
    expect(comparePackets([expected(4, 3, 'A*', true)], [], [3])).toEqual({
      line: 4,
      message: 'packet 1 at port 3:\n  wanted A* $\n  found  none',
    });
  });

  test('tells of a packet too many at a port that is named, and ignores other ports', () => {
    expect(comparePackets([], [packet(3, 0xab)], [1])).toBeUndefined();
    expect(comparePackets([], [packet(3, 0xab)], [3])).toEqual({
      line: undefined,
      message: 'packet 1 at port 3:\n  wanted none\n  found  AB',
    });
  });
});
