import * as fs from 'node:fs';
import { CaptureReader, readCapture } from '../../../../../common/wire/capture/capture';
import { WireFault } from '../../../../../common/wire/fault';
import type { CapturedFrame } from '../../../../../common/wire/capture/records';
import { PcapngClock } from '../../../../../common/wire/capture/pcapng';
import { fromHex, toHex } from '../../../../support/hex';
import { fixture } from '../../../../support/paths';
import { pcapFile } from '../../../../support/wire/pcap-file';

const FRAMES = [fromHex('00112233445566778899aabbccdd'), fromHex('01')];

const read = (file: Uint8Array): (CapturedFrame | WireFault)[] => [...readCapture(file)];

/** Frames that were read, and then the text of the fault. */
const outcome = (file: Uint8Array): (number | string)[] =>
  read(file).map((frame) => (frame instanceof WireFault ? frame.toString() : frame.bytes.length));

describe('pcap', () => {
  test.each([
    [{ littleEndian: true, nanoseconds: false }, 1_000_000],
    [{ littleEndian: false, nanoseconds: false }, 1_000_000],
    [{ littleEndian: true, nanoseconds: true }, 1_000_007],
    [{ littleEndian: false, nanoseconds: true }, 1_000_007],
  ])('of %j is read', (form, nanoseconds) => {
    expect(read(pcapFile(FRAMES, form))).toEqual([
      {
        bytes: FRAMES[0],
        originalLength: 14,
        linkType: 1,
        time: { seconds: 1_700_000_000, nanoseconds: form.nanoseconds ? 7 : 0 },
      },
      {
        bytes: FRAMES[1],
        originalLength: 1,
        linkType: 1,
        time: { seconds: 1_700_000_000, nanoseconds },
      },
    ]);
  });

  const file = pcapFile(FRAMES);
  test.each<[string, Uint8Array, (number | string)[]]>([
    [
      'no bytes',
      new Uint8Array(),
      ['capture at byte 0: must start as pcap or pcapng does, found an empty file'],
    ],
    ['a short header', file.slice(0, 20), ['pcap at byte 0: needs 24 bytes, 20 left']],
    ['another version', patched(file, 4, 3), ['pcap at byte 4: version must be 2, found 3']],
    ['a short record', file.slice(0, 60), [14, 'pcap record at byte 54: needs 16 bytes, 6 left']],
    ['a short frame', file.slice(0, 70), [14, 'pcap record at byte 54: needs 17 bytes, 16 left']],
  ])('with %s is a fault that says where', (_what, bytes, wanted) => {
    expect(outcome(bytes)).toEqual(wanted);
  });
});

/** A block with its length before and after the body, in 32-bit words of the given order. */
function block(type: number, body: string, little = true): string {
  const length = 12 + body.length / 2;
  return word(type, little) + word(length, little) + body + word(length, little);
}

function word(value: number, little = true): string {
  const bytes = Buffer.alloc(4);
  if (little) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes.toString('hex');
}

const section = (little = true): string =>
  block(0x0a0d0d0a, word(0x1a2b3c4d, little) + '0100'.padEnd(8, '0') + 'ff'.repeat(8), little);

/** Ethernet, no limit; options by code, length and value. */
const wire = (options = ''): string => block(1, '01000000' + word(0) + options);

const enhanced = (id: number, ticks: number): string =>
  block(6, word(id) + word(0) + word(ticks) + word(2) + word(60) + 'abcd0000');

describe('pcapng', () => {
  test.each([
    ['microseconds by default', '', 1_500_000, { seconds: 1, nanoseconds: 500_000_000 }],
    ['nanoseconds', '0900010009000000', 1_500_000_001, { seconds: 1, nanoseconds: 500_000_001 }],
    ['powers of two', '0900010081000000', 3, { seconds: 1, nanoseconds: 500_000_000 }],
    ['an offset', '0e0008000a00000000000000', 1, { seconds: 10, nanoseconds: 1000 }],
  ])('has times in %s', (_what, options, ticks, time) => {
    const file = fromHex(section() + wire(options) + enhanced(0, ticks));
    const bytes = fromHex('abcd');
    expect(read(file)).toEqual([{ bytes, originalLength: 60, linkType: 1, time }]);
  });

  test('has frames in simple and obsolete blocks too, and other blocks are skipped', () => {
    const simple = block(3, word(2) + 'abcd0000');
    const obsolete = block(2, '00000000' + word(0) + word(5) + word(1) + word(1) + 'ab000000');
    const file = fromHex(section() + wire() + block(5, word(0)) + simple + obsolete);
    expect(read(file)).toMatchObject([
      { originalLength: 2, time: undefined },
      { originalLength: 1, time: { seconds: 0, nanoseconds: 5000 } },
    ]);
  });

  test('may change its byte order with each section, and forgets the interfaces', () => {
    const file = fromHex(section() + wire() + section(false) + block(3, word(0, false), false));
    expect(outcome(file)).toEqual(['pcapng packet at byte 76: interface must be below 0, found 0']);
  });

  test.each<[string, string, RegExp]>([
    [
      'a length of no words',
      section().replace('1c000000', '1d000000'),
      /at byte 4: length must be/,
    ],
    [
      'a block that is cut',
      (section() + wire()).slice(0, -8),
      /at byte 28: needs 20 bytes, 16 left/,
    ],
    [
      'another length behind',
      section().slice(0, -8) + word(24),
      /at byte 24: length must be repea/,
    ],
    ['another byte order', section().replace('4d3c2b1a', '00000000'), /byte-order magic/],
    ['an interface that is not there', section() + enhanced(1, 0), /below 0, found 1/],
    [
      'a frame longer than its block',
      section() + wire() + enhanced(0, 0).replace('02000000', '09000000'),
      /needs 9 bytes, 4 left/,
    ],
  ])('with %s is a fault that says where', (_what, hex, message) => {
    expect(outcome(fromHex(hex)).join()).toMatch(message);
  });

  test('of other programs is read', () => {
    const file = new Uint8Array(
      fs.readFileSync(fixture('wire', 'ioam6-linux-6.18-transit.pcapng')),
    );
    expect(outcome(file)).toHaveLength(6);
    expect(outcome(file).every((frame) => typeof frame === 'number')).toBe(true);
  });
});

describe('a capture that arrives piece by piece', () => {
  const pcapng = fs.readFileSync(fixture('wire', 'ioam6-linux-6.18-transit.pcapng'));
  const captures: [string, Uint8Array][] = [
    ['pcap', pcapFile(FRAMES)],
    ['pcapng', new Uint8Array(pcapng).subarray(0, 800)],
    ['of nothing', new Uint8Array()],
    ['of something else', fromHex('7b7d')],
  ];

  const inPieces = (pieces: readonly Uint8Array[]): unknown[] => {
    const reader = new CaptureReader();
    const copies = pieces.flatMap((piece) => {
      const frames = [...reader.read(piece)].map(shown);
      // The frames were copied before the next piece may take their memory.
      piece.fill(0xee);
      return frames;
    });
    expect([...reader.read(new Uint8Array())]).toEqual([]);
    return [...copies, ...[...reader.end()].map(shown)];
  };

  const shown = (frame: CapturedFrame | WireFault): unknown =>
    frame instanceof WireFault
      ? frame.toString()
      : { ...frame, bytes: Buffer.from(frame.bytes).toString('hex') };

  test.each(captures)('%s is the same whatever the pieces', (_what, file) => {
    const whole = read(file).map(shown);
    const bytewise = Array.from(file, (byte) => Uint8Array.of(byte));
    expect(inPieces(bytewise)).toEqual(whole);
    for (let at = 0; at <= file.length; at += 3) {
      expect(inPieces([file.slice(0, at), file.slice(at)])).toEqual(whole);
    }
  });

  test('gives a frame as soon as its last byte is there', () => {
    const file = pcapFile(FRAMES);
    const reader = new CaptureReader();
    expect([...reader.read(file.slice(0, 53))]).toEqual([]);
    expect([...reader.read(file.slice(53, 54))]).toMatchObject([{ bytes: FRAMES[0] }]);
  });

  test('makes no room for a record that claims gigabytes', () => {
    const reader = new CaptureReader();
    const faults = [
      ...reader.read(fromHex(toHex(pcapFile([])) + '00'.repeat(8) + 'ffffff7f' + '00'.repeat(4))),
    ];
    expect(faults.map(String)).toEqual([
      'pcap record at byte 24: a record must have at most 16777216 bytes, found 2147483663',
    ]);
    expect([...reader.read(new Uint8Array(100))]).toEqual([]);
    expect([...reader.end()]).toEqual([]);
  });

  test('has times of every resolution exactly, wherever the upper word changes', () => {
    for (const perSecond of [1, 2, 1e6, 1e9, 2 ** 20, 2 ** 40, 1e3]) {
      const clock = new PcapngClock(perSecond, 5);
      for (const [high, low] of [
        [0, 0],
        [1, 0xffffffff],
        [0x17979cfe, 0x362a0000],
        [0, 7],
      ] as const) {
        const ticks = BigInt(high) * 2n ** 32n + BigInt(low);
        const by = BigInt(perSecond);
        expect(clock.timeOf(high, low)).toEqual({
          seconds: Number(ticks / by) + 5,
          nanoseconds: Number(((ticks % by) * 1_000_000_000n) / by),
        });
      }
    }
  });
});

function patched(bytes: Uint8Array, at: number, byte: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = byte;
  return copy;
}
