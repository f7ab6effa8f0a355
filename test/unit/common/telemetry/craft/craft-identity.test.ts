import { Random } from '../../../../../common/random/random';
import { craftFrame, dissectFrame, linkTypeOf } from '../../../../../common/telemetry/craft/kinds';
import type { AnyLayer } from '../../../../../common/telemetry/craft/layer';
import { decodeFrameAt } from '../../../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../../../common/telemetry/decode/decode-settings';
import { parseIntHead } from '../../../../../common/wire/int/int-packet';
import { WireFault } from '../../../../../common/wire/fault';
import { RandomStacks } from '../../../../support/craft/random-stack';
import { casesOf, SEED } from '../../../../support/effort';
import { FOREIGN_FRAMES } from '../../../../support/wire/foreign-frames';
import { formatFrames } from '../../../../support/wire/format-frames';

/** `HPCC_EFFORT=1700` tries 10^6. */
const STACKS = casesOf(600);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function faultsOf(frame: Uint8Array, linkType: number): string[] {
  const decoded = decodeFrameAt(
    { bytes: frame, at: 0, wireEnd: frame.length, linkType },
    DEFAULT_DECODE_SETTINGS,
    'auto',
  );
  if (decoded instanceof WireFault) return [decoded.toString()];
  return decoded.telemetry.flatMap((found) => ('fault' in found ? [found.fault.toString()] : []));
}

const kinds = (layers: readonly AnyLayer[]): string[] => layers.map(({ kind }) => kind);

/** Padding of our hosts that is well-formed INT-MD, too: what is behind it tells them apart. */
const LIKE_INT: readonly AnyLayer[] = [
  { kind: 'ethernet' },
  { kind: 'ipv4' },
  { kind: 'udp' },
  {
    kind: 'hpcc-padding',
    pathId: 1283,
    aligned: false,
    hops: [{ speedCode: 4, timestamp: 5_997_089, txUnits: 556_971, queueUnits: 50_101 }],
  },
  { kind: 'hpcc', type: 1, generation: 36_230, flowId: 0xff_ffff, sequence: 1_012_952_671_232 },
  { kind: 'payload', bytes: '3e2979cf0fb478ca6591210fe3223373da06a7a2' },
];

test('padding that reads as INT is padding where our transport is behind it', () => {
  const frame = craftFrame(LIKE_INT);
  expect(parseIntHead(frame, 42)).toMatchObject({ kind: 'int-md' });
  expect(kinds(dissectFrame(frame).layers)).toEqual(kinds(LIKE_INT));
  const place = { bytes: frame, at: 0, wireEnd: frame.length, linkType: 1 };
  const decoded = decodeFrameAt(place, DEFAULT_DECODE_SETTINGS, 'auto');
  expect(decoded).toMatchObject({ telemetry: [{ format: 'padding' }] });
});

test.each([
  ['alone', '02', []],
  ['before a selective acknowledgement', '06', [{ kind: 'selective-ack' }]],
])('the shim that an acknowledgement brings back is one, %s', (_what, flags, behind) => {
  const stack: readonly AnyLayer[] = [
    { kind: 'ethernet' },
    { kind: 'ipv4' },
    { kind: 'udp' },
    { kind: 'hpcc', type: 2, flags, flowId: 7, sequence: 1000 },
    { kind: 'path-shim', hasTime: true, sentAtNs: 123_456 },
    ...behind,
  ];
  const frame = craftFrame(stack);
  const { layers } = dissectFrame(frame);
  expect(kinds(withBytes(layers))).toEqual(kinds(stack));
  expect(hex(craftFrame(layers))).toBe(hex(frame));
});

/** Layers that take no bytes leave no trace. */
const withBytes = (stack: readonly AnyLayer[]): AnyLayer[] =>
  stack.filter((layer) => layer.kind !== 'payload' || layer['bytes'] !== '');

test('random stacks of all formats are the same after craft, dissect and craft, and decode reads them', () => {
  const seen = new Set<string>();
  for (let i = 0; i < STACKS; i++) {
    const seed = SEED * 1_000_000 + i;
    const stack = new RandomStacks(new Random(seed)).next();
    const linkType = linkTypeOf(stack);
    const frame = craftFrame(stack);
    const { layers, faults } = dissectFrame(frame, linkType);
    const where = (): string => `stack ${seed}: ${JSON.stringify(stack)}`;
    if (faults.length > 0) throw new Error(`${faults.join('; ')} in ${where()}`);
    const again = craftFrame(layers);
    if (hex(again) !== hex(frame)) throw new Error(`${JSON.stringify(layers)} of ${where()}`);
    if (kinds(layers).join() !== kinds(withBytes(stack)).join())
      throw new Error(`${kinds(layers).join()} of ${where()}`);
    const derived = layers.filter(
      (layer) => layer.kind !== 'gre' && UNSET.some((name) => layer[name] !== undefined),
    );
    if (derived.length > 0) throw new Error(`${JSON.stringify(derived)} of ${where()}`);
    const decodeFaults = faultsOf(frame, linkType);
    if (decodeFaults.length > 0) throw new Error(`${decodeFaults.join('; ')} in ${where()}`);
    for (const kind of kinds(layers)) seen.add(kind);
  }
  expect(seen.size).toBeGreaterThan(40);
});

/** Fields that a right frame does not need to say. */
const UNSET = ['totalLength', 'payloadLength', 'etherType', 'nextHeader', 'checksum'];

test('any bytes are the same after dissect and craft', () => {
  const random = new Random(SEED);
  const examples = [
    ...formatFrames(),
    ...FOREIGN_FRAMES.map(([name, frame]) => [name, frame] as const),
  ];
  for (const [name, frame] of examples) {
    expect([name, hex(craftFrame(dissectFrame(frame).layers))]).toEqual([name, hex(frame)]);
  }
  for (let i = 0; i < STACKS; i++) {
    const frame = craftFrame(new RandomStacks(new Random(SEED * 7_000_000 + i)).next());
    const damaged = frame.subarray(
      0,
      random.below(4) === 0 ? random.below(frame.length) : frame.length,
    );
    for (let flips = random.below(4); flips >= 0 && damaged.length > 0; flips--) {
      damaged[random.below(damaged.length)] = random.below(256);
    }
    const { layers } = dissectFrame(damaged);
    if (hex(craftFrame(layers)) !== hex(damaged))
      throw new Error(`${hex(damaged)}: ${JSON.stringify(layers)}`);
  }
});
