import { decodeFrame } from '../../../common/telemetry/decode/decode-frame';
import { DEFAULT_DECODE_SETTINGS } from '../../../common/telemetry/decode/decode-settings';
import { telemetryLine } from '../../../common/telemetry/decode/telemetry-line';
import { WireFault } from '../../../common/wire/fault';
import { toHex } from '../../support/hex';
import { CODECS } from '../../support/wire/codecs';
import type { AnyCodec } from '../../support/wire/codecs';
import { CODEC_NAMES, examplesOf } from '../../support/wire/examples';
import { FOREIGN_FRAMES } from '../../support/wire/foreign-frames';
import { craftFrame } from '../../../common/telemetry/craft/kinds';
import { formatFrames } from '../../support/wire/format-frames';
import { holds } from '../target';
import type { FuzzTarget } from '../target';

const PADDINGS = ['none', 'published', 'aligned', 'ns3'] as const;

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

/** IOAM behind NSH, with a packet inside. */
const NSH_FRAME = craftFrame([
  { kind: 'ethernet' },
  { kind: 'nsh', context: '0011223344556677' },
  { kind: 'nsh-ioam', edgeToEdge: { namespaceId: 1, sequence: 2 } },
  { kind: 'nsh-ioam', trace: { traceType: 0xc00002, isIncremental: true, hops: [{ nodeId: 5 }] } },
  { kind: 'ipv4' },
  { kind: 'udp', destinationPort: 5000 },
]);

/** One byte says which: a format of its own, or a whole frame with one of the paddings. */
export const target: FuzzTarget = {
  about: 'every telemetry format for itself (INT, IOAM, IFA, CSIG, RoCEv2), and whole frames',
  bytesMax: 256,
  inSuite: 8_000,
  seeds: () =>
    [
      ...CODEC_NAMES.flatMap((name, i) => examplesOf(name).map((bytes) => [i, ...bytes])),
      ...[...formatFrames(), ...FOREIGN_FRAMES].flatMap(([, bytes]) =>
        PADDINGS.map((_, i) => [255 - i, ...bytes]),
      ),
      [255, ...NSH_FRAME],
    ].map((bytes) => Uint8Array.from(bytes)),
  start: () => (input) => {
    const [which = 0] = input;
    const bytes = input.subarray(1);
    const name = CODEC_NAMES[which];
    if (name !== undefined) checkCodec(CODECS[name], bytes, !ANNOUNCE.has(name));
    else checkFrame(bytes, PADDINGS[255 - which] ?? 'none');
  },
};

function checkCodec(codec: AnyCodec, bytes: Uint8Array, isWhole: boolean): void {
  const once = codec.roundTrip(bytes, 0, bytes.length);
  if (once instanceof WireFault) {
    checkFault(once, bytes.length);
    return;
  }
  if (!isWhole) return;
  const twice = codec.roundTrip(once, 0, once.length);
  holds(
    !(twice instanceof WireFault) && Buffer.compare(twice, once) === 0,
    () =>
      `${toHex(once)} is read and written as ${twice instanceof WireFault ? String(twice) : toHex(twice)}`,
  );
}

function checkFrame(bytes: Uint8Array, padding: (typeof PADDINGS)[number]): void {
  const settings = { ...DEFAULT_DECODE_SETTINGS, padding };
  const decoded = decodeFrame(bytes, bytes.length, settings, 'auto');
  if (decoded instanceof WireFault) {
    checkFault(decoded, bytes.length);
    return;
  }
  for (const telemetry of decoded.telemetry) {
    JSON.stringify(telemetryLine(1, undefined, decoded, telemetry));
    if ('fault' in telemetry) checkFault(telemetry.fault, bytes.length);
  }
}

function checkFault({ offset, need, reason }: WireFault, end: number): void {
  holds(
    Number.isInteger(offset) && offset >= 0 && offset <= end && reason !== '' && (need ?? 1) > 0,
    () => `a fault at ${offset} of ${end} bytes that needs ${need}: '${reason}'`,
  );
}
