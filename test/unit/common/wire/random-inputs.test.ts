import * as fs from 'node:fs';
import { Random } from '../../../../common/random/random';
import { decodeFrame } from '../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../common/telemetry/decode/decode-settings';
import type { DecodeSettings } from '../../../../common/telemetry/decode/decode-settings';
import { telemetryLine } from '../../../../common/telemetry/decode/telemetry-line';
import { readCapture } from '../../../../common/wire/capture/capture';
import { WireFault } from '../../../../common/wire/fault';
import { computeIcrc } from '../../../../common/wire/roce/icrc';
import { casesOf, SEED } from '../../../support/effort';
import { toHex } from '../../../support/hex';
import { fixture } from '../../../support/paths';
import { CODECS } from '../../../support/wire/codecs';
import { CODEC_NAMES, examplesOf, ownExamples } from '../../../support/wire/examples';
import { FOREIGN_FRAMES } from '../../../support/wire/foreign-frames';
import { formatFrames } from '../../../support/wire/format-frames';
import { pcapFile } from '../../../support/wire/pcap-file';
import { VECTORS, vectorFrame } from '../../../support/wire/vectors';

const RANDOM_LENGTH_MAX = 160;
/** Values that lengths, counts and flags rarely have by chance. */
const EDGES = [0, 1, 0x0f, 0x10, 0x7f, 0x80, 0xf0, 0xff];

/** Random bytes one time in six, else one of the good inputs with some damage. */
function mutatedInput(random: Random, seeds: readonly Uint8Array[]): Uint8Array {
  const seed = seeds[random.below(seeds.length)];
  if (seed === undefined || random.below(6) === 0) {
    return randomBytes(random, random.below(RANDOM_LENGTH_MAX));
  }
  const bytes = seed.slice();
  const changes = random.below(4);
  for (let i = 0; i < changes && bytes.length > 0; i++) {
    // Lengths and versions are at the start of headers.
    const reach = random.below(2) === 0 ? Math.min(16, bytes.length) : bytes.length;
    bytes[random.below(reach)] = damagedByte(random);
  }
  return resized(random, bytes);
}

const damagedByte = (random: Random): number =>
  random.below(2) === 0 ? (EDGES[random.below(EDGES.length)] ?? 0) : random.below(256);

function resized(random: Random, bytes: Uint8Array): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return bytes.slice(0, random.below(bytes.length + 1));
    case 1: {
      const longer = randomBytes(random, bytes.length + random.below(40));
      longer.set(bytes);
      return longer;
    }
    default:
      return bytes;
  }
}

/** PERF: four bytes per number; a long run makes tens of millions of inputs. */
function randomBytes(random: Random, length: number): Uint8Array {
  const words = new Uint32Array((length + 3) >> 2);
  for (let i = 0; i < words.length; i++) words[i] = random.uint32();
  return new Uint8Array(words.buffer, 0, length);
}

/**
 * Bytes that throw when anything outside `0..length-1` is read: an array of bytes would answer
 * `undefined`, which most arithmetic takes for zero without a word.
 */
function checkedBytes(bytes: Uint8Array): Uint8Array {
  return new Proxy(bytes, {
    get(target, key) {
      if (key === 'length') return target.length;
      if (typeof key === 'string' && isIndex(key)) return byteAt(target, Number(key));
      if (key === 'subarray') return checkedSubarray(target);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const isIndex = (key: string): boolean => {
  const first = key.charCodeAt(0);
  return (first >= 48 && first <= 57) || first === 45;
};

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError(`read of byte ${at} of ${bytes.length}`);
  return byte;
}

const checkedSubarray =
  (bytes: Uint8Array) =>
  (start = 0, end = bytes.length): Uint8Array => {
    if (start < 0 || end > bytes.length || start > end) {
      throw new RangeError(`bytes ${start} to ${end} of ${bytes.length}`);
    }
    return checkedBytes(bytes.subarray(start, end));
  };

/** Inputs per format. */
const INPUTS = casesOf(6_000);

/** Checking every read is slow, so that long runs do it for 100,000 inputs per format. */
const CHECKED_EVERY = Math.max(1, Math.floor(INPUTS / 100_000));
// A long run takes minutes per format.
jest.setTimeout(Math.max(240_000, INPUTS));

type Read = (bytes: Uint8Array, offset: number) => WireFault | undefined;

/**
 * Checks that a fault says where, within the bytes, and why. The needed bytes may be more than an enclosing
 * header holds although the bytes go on.
 */
function checkFault(fault: WireFault, offset: number, end: number): string | undefined {
  const { offset: at, need, reason } = fault;
  if (!Number.isInteger(at) || at < offset || at > end) return `offset ${at} of ${offset}..${end}`;
  if (reason === '') return 'no reason';
  return need === undefined || need > 0 ? undefined : `needs ${need} bytes`;
}

/** Headers that announce bytes after them, which their codecs leave to the caller. */
const ANNOUNCE: ReadonlySet<string> = new Set([
  'ipv4',
  'ipv6',
  'udp',
  'hpcc-transport',
  'int-gre-shim',
  'int-vxlan-gpe-shim',
  'int-geneve-option',
  'nsh-ioam',
]);

/** Runs all inputs; gives the first that breaks a rule, as text with its bytes. */
function firstBreach(seeds: readonly Uint8Array[], read: Read): string {
  const random = new Random(SEED);
  for (let i = 0; i < INPUTS; i++) {
    const input = mutatedInput(random, seeds);
    const offset = random.below(3);
    const bytes = new Uint8Array(offset + input.length);
    bytes.set(input, offset);
    const describe = (what: string): string => `input ${i}, ${what}: ${toHex(input)}`;
    try {
      const fault = read(i % CHECKED_EVERY === 0 ? checkedBytes(bytes) : bytes, offset);
      const breach = fault === undefined ? undefined : checkFault(fault, offset, bytes.length);
      if (breach !== undefined) return describe(`${breach} (${String(fault)})`);
    } catch (error) {
      return describe(String(error));
    }
  }
  return 'none';
}

/** As if the offset had been counted from `by` bytes earlier. */
const shifted = ({ header, offset, reason }: WireFault, by: number): WireFault =>
  new WireFault(header, offset + by, reason);

const faultOf = (result: object | number): WireFault | undefined =>
  result instanceof WireFault ? result : undefined;

describe(`${INPUTS} random and damaged inputs give a value or a fault that says where`, () => {
  test.each(CODEC_NAMES)('%s', (name) => {
    const breach = firstBreach(examplesOf(name), (bytes, offset) =>
      faultOf(CODECS[name].roundTrip(bytes, offset, bytes.length)),
    );
    expect(breach).toBe('none');
  });

  test.each(CODEC_NAMES.filter((name) => !ANNOUNCE.has(name)))(
    '%s: what was read and written is read and written alike',
    (name) => {
      const random = new Random(SEED);
      const seeds = examplesOf(name);
      for (let i = 0; i < INPUTS / 10; i++) {
        const input = mutatedInput(random, seeds);
        const once = CODECS[name].roundTrip(input, 0, input.length);
        if (once instanceof WireFault) continue;
        const twice = CODECS[name].roundTrip(once, 0, once.length);
        const text = twice instanceof WireFault ? twice.toString() : toHex(twice);
        if (text !== toHex(once)) expect([toHex(input), text]).toEqual([toHex(input), toHex(once)]);
      }
    },
  );

  test('icrc', () => {
    const frames = VECTORS.filter(({ checks }) => checks?.includes('icrc')).map(vectorFrame);
    const breach = firstBreach(frames, (bytes, offset) =>
      faultOf(computeIcrc(bytes, offset, bytes.length)),
    );
    expect(breach).toBe('none');
  });

  const captures = fs
    .readdirSync(fixture('wire'))
    .filter((name) => /\.pcap(ng)?$/.test(name))
    .map((name) => new Uint8Array(fs.readFileSync(fixture('wire', name))));
  const captured = captures.flatMap((file) =>
    [...readCapture(file)].flatMap((frame) => (frame instanceof WireFault ? [] : [frame.bytes])),
  );
  const made = [...formatFrames(), ...FOREIGN_FRAMES].map(([, bytes]) => bytes);
  const frames = [...captured, ...made];

  test('start from good frames', () => {
    expect([captures.length, captured.length]).toEqual([3, 23]);
  });

  const forms = ['none', 'published', 'aligned', 'ns3'] as const;

  test.each(forms)('whole frames, with padding %s', (padding) => {
    const settings: DecodeSettings = { ...DEFAULT_DECODE_SETTINGS, padding };
    const breach = firstBreach(frames, (bytes, offset) => {
      const frame = bytes.subarray(offset);
      const decoded = decodeFrame(frame, frame.length, settings, 'auto');
      if (decoded instanceof WireFault) return shifted(decoded, offset);
      for (const telemetry of decoded.telemetry) {
        JSON.stringify(telemetryLine(1, undefined, decoded, telemetry));
        if ('fault' in telemetry) return shifted(telemetry.fault, offset);
      }
      return undefined;
    });
    expect(breach).toBe('none');
  });

  test.each([
    ['pcap', readCapture, [pcapFile(frames.slice(0, 2)), pcapFile(frames.slice(2, 3))]],
    ['pcapng', readCapture, captures],
  ] as const)('%s files', (_name, reader, files) => {
    const breach = firstBreach(files, (bytes, offset) => {
      const [last] = [...reader(bytes.slice(offset))].slice(-1);
      return last instanceof WireFault ? shifted(last, offset) : undefined;
    });
    expect(breach).toBe('none');
  });
});

describe('formats without a worked example', () => {
  test.each(ownExamples())('%s of our own is read and written byte for byte: %s', (name, hex) => {
    const [written] = [CODECS[name].roundTrip(Buffer.from(hex, 'hex'), 0, hex.length / 2)];
    const full = written instanceof WireFault ? written.toString() : toHex(written);
    // The transport header's codec leaves the payload to its caller.
    expect(hex.startsWith(full) && full.length >= 8 ? 'same' : full).toBe('same');
  });

  test.each(CODEC_NAMES)('%s has an example', (name) => {
    expect(examplesOf(name).length).toBeGreaterThan(0);
  });
});
