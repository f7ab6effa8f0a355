import { readTrace } from '../../../../../emulator/workload/readers/read-trace';
import type { TraceFile } from '../../../../../emulator/workload/readers/reader';

const file = (text: string, name = 'trace'): TraceFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});
const read = (text: string) => readTrace([file(text)], {});

/** A schedule of three ranks, written by LogGOPSim's own writer (Parser.hpp). */
const GOAL_BYTES =
  // Cookie, 3 ranks, most processors and interfaces; where each rank begins and ends.
  '7f10000000000000030000000101' +
  '3600000000000000bf00000000000000bf00000000000000f200000000000000f2000000000000007b01000000000000' +
  // Rank 0.
  '030000000100000000000000000000000300000000881300000000000000000000000001000000' +
  '000000000000000001000000010000000102000000282300000000000007000000010000000000' +
  '010000000100000001000000010000000300000000640000000000000000000000010000000000' +
  '0200000000000000020000000100000002000000' +
  // Rank 1.
  '010000000100000000000000000000000202000000640000000000000000000000000000000000' +
  '000000000000000000000000' +
  // Rank 2.
  '030000000100000000000000000000000200000000282300000000000007000000000001000000' +
  '000000000000000001000000010000000300000000e80300000000000000000000000001000000' +
  '010000000000000002000000010000000101000000640000000000000000000000000100000000' +
  '0200000000000000020000000100000002000000';

describe('GOAL in binary', () => {
  const binary = (change: (bytes: Buffer) => Buffer = (bytes) => bytes) =>
    readTrace([{ name: 'trace', bytes: change(Buffer.from(GOAL_BYTES, 'hex')) }], {});

  test('is what the text is', () => {
    const { format, trace } = binary();
    expect(format).toBe('GOAL (binary)');
    const text = `num_ranks 3
rank 0 {
a: calc 5000
b: send 9000b to 2 tag 7 cpu 1
c: calc 100 cpu 1
b requires a
c irequires b
}
rank 1 {
a: recv 100b from 2
}
rank 2 {
a: recv 9000b from 0 tag 7
b: calc 1000
c: send 100b to 1 nic 1
b requires a
c requires b
}
`;
    const nameless = ({ tasks }: typeof trace) => tasks.map((task) => ({ ...task, name: '' }));
    expect(nameless(trace)).toEqual(nameless(read(text).trace));
    expect(trace.ranks).toBe(3);
  });

  const edited = (at: number, byte: number) => (bytes: Buffer) => {
    bytes[at] = byte;
    return bytes;
  };
  test.each([
    ['was used up', (bytes: Buffer) => (bytes.writeUInt16LE(2342), bytes), /used the schedule up/],
    ['is cut', (bytes: Buffer) => bytes.subarray(0, 300), /ends before rank 2 does/],
    [
      'is cut in its table',
      (bytes: Buffer) => bytes.subarray(0, 16),
      /ends before where rank 0 begins does/,
    ],
    ['has another type', edited(78, 9), /rank 0: operation 0: wanted the type 1, 2 or 3, found 9/],
    ['names a rank beyond the last', edited(118, 4), /rank 0: operation 1: rank 4 is none of 3/],
    ['names an operation beyond the last', edited(191, 9), /rank 0: there is no operation 9/],
  ] as const)('that %s is refused', (_what, change, message) => {
    expect(() => binary(change)).toThrow(message);
  });
});
