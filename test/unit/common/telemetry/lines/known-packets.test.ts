import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeIntCapture } from '../../../../../bench/decode';
import { Random } from '../../../../../common/random/random';
import { CaptureFrames } from '../../../../../common/telemetry/decode/decode-capture';
import type { LinkFrame } from '../../../../../common/telemetry/decode/decode-capture';
import { decodeFrame } from '../../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import { ByteText } from '../../../../../common/telemetry/lines/byte-text';
import { CsvLines } from '../../../../../common/telemetry/lines/csv-lines';
import { WireFault } from '../../../../../common/wire/fault';
import { finishChecksum, checksumWords } from '../../../../../common/wire/ip/checksum';

const IP_AT = 14;
const HOPS_AT = 58;

/** Packets of one flow, whose hops have queues of all lengths. */
function dataPackets(): LinkFrame[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-known-'));
  const file = path.join(folder, 'int.pcap');
  writeIntCapture(file, 1);
  const bytes = fs.readFileSync(file);
  fs.rmSync(folder, { recursive: true });
  return [...new CaptureFrames('capture').read(bytes)];
}

const PACKETS = dataPackets();

function withChecksum(bytes: Uint8Array): Uint8Array {
  bytes.fill(0, IP_AT + 10, IP_AT + 12);
  const sum = finishChecksum(checksumWords(bytes, IP_AT, IP_AT + 20));
  bytes.set([sum >>> 8, sum & 0xff], IP_AT + 10);
  return bytes;
}

type Change = (bytes: Uint8Array, random: Random) => Uint8Array;

const CHANGES: Readonly<Record<string, Change>> = {
  none: (bytes) => bytes,
  'identification and TTL': (bytes, random) => {
    bytes.set([random.below(256), random.below(256)], IP_AT + 4);
    bytes[IP_AT + 8] = random.below(256);
    return withChecksum(bytes);
  },
  'another flow': (bytes, random) => {
    bytes[35] = random.below(3);
    return bytes;
  },
  'a value that is not available': (bytes, random) => {
    const [at, length] = (
      [
        [0, 4],
        [4, 2],
        [9, 3],
        [12, 8],
        [20, 8],
        [28, 4],
      ] as const
    )[random.below(6)] ?? [0, 4];
    const hop = HOPS_AT + 32 * random.below(5);
    return bytes.fill(0xff, hop + at, hop + at + length);
  },
  'counters that wrap, or are small': (bytes, random) => {
    const hop = HOPS_AT + 32 * random.below(5);
    const at = hop + (random.below(2) === 0 ? 14 : 22);
    bytes.fill(0, at, at + 6);
    const length = 1 + random.below(6);
    for (let i = 6 - length; i < 6; i++) bytes[at + i] = random.below(256);
    return bytes;
  },
  'any byte': (bytes, random) => {
    bytes[random.below(bytes.length)] = random.below(256);
    return bytes;
  },
  'cut off': (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  'an acknowledgement': (bytes) => {
    bytes[bytes.length - 16] = 0x32;
    return bytes;
  },
};

function lines(frames: readonly LinkFrame[], format: 'auto' | 'int', isShort: boolean) {
  const out = new ByteText();
  const csv = new CsvLines(format, DEFAULT_DECODE_SETTINGS);
  let known = 0;
  for (const [i, frame] of frames.entries()) {
    if (isShort && csv.shortcut?.write(out, i + 1, frame) === true) {
      known++;
      continue;
    }
    const { bytes, originalLength } = frame;
    const decoded = decodeFrame(bytes, originalLength, DEFAULT_DECODE_SETTINGS, format);
    if (decoded instanceof WireFault) continue;
    for (const found of decoded.telemetry)
      csv.write(out, { frame: i + 1, time: frame.time, decoded }, found);
    csv.shortcut?.learn(frame, decoded);
  }
  return { known, text: Buffer.from(out.written).toString() };
}

describe.each(['auto', 'int'] as const)('packets like earlier ones (--format %s)', (format) => {
  test('give the lines that decoding gives, and are not decoded', () => {
    const short = lines(PACKETS, format, true);
    expect(short.text).toBe(lines(PACKETS, format, false).text);
    expect(short.known).toBe(PACKETS.length - 1);
  });

  test.each(Object.entries(CHANGES))('give the same lines with changes: %s', (_name, change) => {
    const random = new Random(7);
    const changed = PACKETS.slice(0, 600).map((frame, i): LinkFrame => {
      const bytes = i % 2 === 0 ? frame.bytes : change(new Uint8Array(frame.bytes), random);
      return { ...frame, bytes };
    });
    const { text, known } = lines(changed, format, true);
    expect(text).toBe(lines(changed, format, false).text);
    expect(known).toBeGreaterThan(250);
  });
});
