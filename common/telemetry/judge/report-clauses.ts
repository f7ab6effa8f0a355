import { readUint16 } from '../../wire/bytes';
import { WireFault } from '../../wire/fault';
import { baselineWords } from '../../wire/int/int-metadata';
import { INT_TYPE_MD } from '../../wire/int/int-shim';
import { parseTelemetryReport } from '../../wire/int/telemetry-report';
import type {
  IndividualReport,
  ReportedInt,
  TelemetryReport,
} from '../../wire/int/telemetry-report';
import { equal, faultless } from './clause';
import type { ClauseOf, Finding } from './clause';
import { hex, l4Fault, viewPacket, withoutHop } from './packet-view';
import type { JudgeSettings, PacketView } from './packet-view';
import { inOrder } from './role-clauses';
import { judgeTransit } from './transit-clauses';

/** A packet that a node tracks, and the report of it that came to the collector. */
export interface Reporting {
  readonly sent: PacketView;
  readonly frame: PacketView;
  readonly group: TelemetryReport;
  readonly report: IndividualReport;
  /** Sequence number and node of the report before. */
  readonly previous?: TelemetryReport | undefined;
  /** Instructions that the packet brings; undefined where a watchlist has them. */
  readonly asked:
    | { readonly bitmap: number; readonly domainId: number; readonly ds: number }
    | undefined;
  /** Code points of the domain. */
  readonly settings: JudgeSettings;
}

const OUTER = 'Outer Encapsulation';
const GROUP = 'Telemetry Report Group Header';
const REPORT = 'Individual Report Header';
const CONTENTS = 'Individual Report Main Contents for RepType 1 (INT)';
const EMBEDDED = 'Embedded Telemetry Metadata In Stacked Reports';
const SEQUENCE_MODULUS = 2 ** 22;
const ALL_ONES = 0xffff_ffff;

const INNER: readonly (string | undefined)[] = [
  undefined,
  undefined,
  undefined,
  'ethernet',
  'ipv4',
  'ipv6',
];

const ofInt =
  (check: (int: ReportedInt, reporting: Reporting) => Finding) =>
  (reporting: Reporting): Finding =>
    reporting.report.int === undefined ? undefined : check(reporting.report.int, reporting);

/** Bytes of the packet in the report, and of the packet that was sent, as far as the report has it. */
function innerPair({ sent, report }: Reporting): readonly [string, string] {
  const { inner, innerType } = report;
  const from = innerType === 3 ? 14 : 0;
  const packet = inner.subarray(from);
  const original = sent.bytes.subarray(sent.ipAt, sent.ipEnd);
  const length = Math.min(packet.length, original.length);
  return [packet, original].map((each) => hex(withoutHop(each.subarray(0, length)))) as [
    string,
    string,
  ];
}

/** Bytes by which reports of whole words are longer than what is in them. */
const PADDING_MAX = 3;

/** Length that the IP header of a packet says. */
const packetLength = (packet: Uint8Array): number =>
  (packet[0] ?? 0) >>> 4 === 4 ? readUint16(packet, 2) : 40 + readUint16(packet, 4);

/**
 * True if the report has the packet with the sink's own metadata on the stack, as a transit hop would have pushed it:
 * the first of two ways in which sinks of INT-MD may tell it. What the report cuts off is the end of the packet that came.
 */
function hasOwnHop({ sent, report, settings }: Reporting): boolean {
  if (sent.shim?.type !== INT_TYPE_MD || sent.int === undefined) return false;
  const whole = report.inner.subarray(report.innerType === 3 ? 14 : 0);
  const length = packetLength(whole);
  const inner = whole.subarray(0, length);
  const cut = length - inner.length;
  if (cut > sent.ipEnd - sent.int.end) return false;
  const ethernet = sent.bytes.subarray(0, sent.ipAt);
  const frame = [...ethernet, ...inner, ...sent.bytes.subarray(sent.ipEnd - cut, sent.ipEnd)];
  const verdicts = judgeTransit(sent.bytes, Uint8Array.from(frame), settings);
  return verdicts.every(({ verdict }) => verdict !== 'fail');
}

/** Addresses and source port of the packet in the report: its destination port may announce INT. */
function flowOf(bytes: Uint8Array, family: 4 | 6): string {
  const l4 = family === 4 ? 4 * ((bytes[0] ?? 0) & 0xf) : 40;
  const addresses = family === 4 ? bytes.subarray(12, 20) : bytes.subarray(8, 40);
  return hex(addresses) + hex(bytes.subarray(l4, l4 + 2));
}

/** Telemetry Report v2.0 of a tracked flow. */
export const REPORT_CLAUSES: readonly ClauseOf<Reporting>[] = [
  {
    name: 'report-ip-lengths-and-checksum-right',
    section: OUTER,
    check: ({ frame }) => faultless(frame.ipFaults[0]),
  },
  {
    name: 'report-udp-length-right',
    section: OUTER,
    check: ({ frame }) => faultless(l4Fault(frame, frame, 'length')),
  },
  {
    name: 'report-udp-checksum-right-or-none',
    section: OUTER,
    check: ({ frame }) => faultless(l4Fault(frame, frame, 'checksum')),
  },
  {
    name: 'report-not-fragmentable-or-identified',
    section: OUTER,
    check: ({ frame }) => {
      if (frame.family === 6) return undefined;
      const identification = readUint16(frame.bytes, frame.ipAt + 4);
      const isDf = ((frame.bytes[frame.ipAt + 6] ?? 0) & 0x40) !== 0;
      return isDf || identification !== 0 || 'neither DF nor an identification is set';
    },
  },
  {
    name: 'report-node-id-known',
    section: GROUP,
    check: ({ group }) => group.nodeId !== ALL_ONES || 'node id: all ones',
  },
  {
    name: 'report-node-id-constant',
    section: GROUP,
    check: ({ group, previous }) =>
      previous === undefined ? undefined : equal('node id', previous.nodeId, group.nodeId),
  },
  {
    name: 'report-sequence-goes-on',
    section: GROUP,
    check: ({ group, previous }) => {
      const isSame = previous?.hardwareId === group.hardwareId;
      if (previous === undefined || !isSame) return undefined;
      return equal('sequence', (previous.sequence + 1) % SEQUENCE_MODULUS, group.sequence);
    },
  },
  {
    name: 'report-type-defined',
    section: REPORT,
    check: ({ report }) => report.type <= 2 || `RepType: wanted 0 to 2, found ${report.type}`,
  },
  {
    name: 'report-inner-type-defined',
    section: REPORT,
    check: ({ report }) =>
      report.innerType <= 5 || `InType: wanted 0 to 5, found ${report.innerType}`,
  },
  {
    name: 'report-inner-type-fits-packet',
    section: REPORT,
    check: ({ report, sent }) => {
      const kind = INNER[report.innerType];
      if (kind === undefined || report.innerType === 3) return undefined;
      return equal('InType', `ipv${sent.family}`, kind);
    },
  },
  {
    name: 'report-length-right',
    section: REPORT,
    check: ({ report }) => {
      const { inner, innerType } = report;
      const kind = INNER[innerType];
      if (kind === undefined || kind === 'ethernet' || inner.length < 20) return undefined;
      const most = packetLength(inner) + PADDING_MAX;
      return inner.length <= most || `packet: wanted at most ${most} bytes, found ${inner.length}`;
    },
  },
  {
    name: 'report-tracked-flow',
    section: REPORT,
    check: ({ report }) => equal('F', true, report.trackedFlow),
  },
  {
    name: 'report-not-dropped',
    section: REPORT,
    check: ({ report, sent }) =>
      sent.int?.discard === true ? undefined : equal('D', false, report.dropped),
  },
  {
    name: 'report-not-intermediate',
    section: REPORT,
    check: ({ report }) => equal('I', false, report.intermediate),
  },
  {
    name: 'report-reserved-zero',
    section: REPORT,
    check: ({ frame, group, report }) =>
      report === group.reports[0] ? equal('reserved bits', 0, reservedOf(frame)) : undefined,
  },
  {
    name: 'report-inner-only-without-metadata',
    section: REPORT,
    check: ({ frame, group, report }) =>
      report.type === 0 && report === group.reports[0]
        ? equal('MD length', 0, frame.bytes[reportAt(frame) + 2])
        : undefined,
  },
  {
    name: 'report-metadata-length-right',
    section: CONTENTS,
    check: ofInt(({ metadataBits, metadataWords, dsBits }) => {
      const wanted = baselineWords(metadataBits);
      const fits = dsBits === 0 ? metadataWords === wanted : metadataWords > wanted;
      return (
        fits || `MD length: wanted ${wanted} words and those of the domain, found ${metadataWords}`
      );
    }),
  },
  {
    name: 'report-bit-0-zero',
    section: CONTENTS,
    check: ofInt(({ metadataBits }) => equal('bit 0', 0, metadataBits & 0x8000)),
  },
  {
    name: 'report-bits-9-to-14-zero',
    section: CONTENTS,
    check: ofInt(({ metadataBits }) => equal('bits 9 to 14', 0, metadataBits & 0x007e)),
  },
  {
    name: 'report-bit-15-for-drops',
    section: CONTENTS,
    check: ofInt(({ metadataBits }, { report }) =>
      report.dropped ? undefined : equal('bit 15', 0, metadataBits & 1),
    ),
  },
  {
    name: 'report-no-bits-beyond-instructions',
    section: CONTENTS,
    check: ofInt(({ metadataBits }, { asked, report }) =>
      asked === undefined || report.congestedQueue
        ? undefined
        : equal('bits beyond', 0, metadataBits & ~asked.bitmap & 0x7f80),
    ),
  },
  {
    name: 'report-domain-of-instructions',
    section: CONTENTS,
    check: ofInt(({ domainId, dsBits }, { asked }) =>
      asked === undefined || dsBits === 0 ? undefined : equal('domain', asked.domainId, domainId),
    ),
  },
  {
    name: 'report-default-domain-without-ds',
    section: CONTENTS,
    check: ofInt(({ domainId, dsBits }) =>
      domainId === 0 ? equal('DSMdBits', 0, dsBits) : undefined,
    ),
  },
  {
    name: 'report-no-ds-bits-beyond-instructions',
    section: CONTENTS,
    check: ofInt(({ dsBits }, { asked }) =>
      asked === undefined ? undefined : equal('DS bits beyond', 0, dsBits & ~asked.ds & 0xffff),
    ),
  },
  {
    name: 'report-unavailable-has-no-bit',
    section: CONTENTS,
    check: ofInt(({ block }) => {
      const single = Object.entries(block).find(
        ([name, value]) => value === ALL_ONES && !/nterface/.test(name),
      );
      return single === undefined || `${single[0]}: all ones, so the bit must not be set`;
    }),
  },
  {
    name: 'report-egress-not-before-ingress',
    section: CONTENTS,
    check: ofInt(({ block }) => {
      const { ingressTimestamp: from, egressTimestamp: to } = block;
      if (from === undefined || to === undefined) return undefined;
      const value = ({ high, low }: typeof from): number => high * 2 ** 32 + low;
      return inOrder({ ingressTimestamp: value(from), egressTimestamp: value(to) });
    }),
  },
  {
    name: 'report-has-flow',
    section: 'Flow Identification',
    check: ({ sent, report }) => {
      const packet = report.inner.subarray(report.innerType === 3 ? 14 : 0);
      if (INNER[report.innerType] === undefined) return undefined;
      return equal(
        'flow',
        flowOf(sent.bytes.subarray(sent.ipAt), sent.family),
        flowOf(packet, sent.family),
      );
    },
  },
  {
    name: 'report-has-packet-as-it-came',
    section: EMBEDDED,
    check: (reporting) => {
      const { sent, report } = reporting;
      if (sent.int === undefined || INNER[report.innerType] === undefined) return undefined;
      const [found, wanted] = innerPair(reporting);
      const asItCame = equal('packet', wanted, found);
      return asItCame === true || hasOwnHop(reporting) || asItCame;
    },
  },
  {
    name: 'report-stack-whole',
    section: EMBEDDED,
    check: ({ sent, report }) => {
      if (sent.shim?.type !== 1 || sent.int === undefined) return undefined;
      const need = sent.int.end - sent.ipAt + (report.innerType === 3 ? 14 : 0);
      const has = report.inner.length;
      return (
        has >= need || `the packet is cut after ${has} bytes, and its stack ends after ${need}`
      );
    },
  },
];

const reportAt = ({ l4 }: PacketView): number => (l4?.end ?? 0) + 8;
const reservedOf = (frame: PacketView): number => (frame.bytes[reportAt(frame) + 3] ?? 0) & 0xf;

/** Reads the frame of a report; a sentence where it is none. */
export function readReport(
  frame: Uint8Array,
): { readonly frame: PacketView; readonly group: TelemetryReport } | string {
  const view = viewPacket(frame);
  if (view?.l4?.kind !== 'udp') return 'what came to the collector is no UDP';
  const group = parseTelemetryReport(frame, view.l4.end, view.ipEnd);
  return group instanceof WireFault ? group.toString() : { frame: view, group };
}
