import { assert } from '../../assert';
import { readUint16, readUint24, readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { INT_V2_METADATA, baselineWords, emitIntBlock, readIntBlock } from './int-metadata';
import type { IntBlock, IntBlockLayout } from './int-metadata';

/**
 * Telemetry Report v2.0 over UDP: a group header and individual reports.
 *
 *     | ver 4 | hw id 6 | sequence 22 | node id 32 |
 *     report: | type 4, inner 4 | length 8, words after this one | md words 8 | D Q F I, r 4 |
 *       type 1: | metadata bits 16 | domain 16 | ds bits 16 | ds status 16 | metadata |
 *       then the inner contents, a truncated packet for example
 *
 * The metadata are those of INT with two differences: bit 0 is reserved, since the group names the
 * node, and bit 15 is queue and drop reason, in the order of the bits.
 */
const REPORT_GROUP_LENGTH = 8;

const REPORT_TYPE_INT = 1;

const NAME = 'telemetry-report';
const VERSION = 2;
const INT_WORDS = 2;
const TO_THE_END = 0xff;
const QUEUE_AND_DROP = 0x0001;

/** A datagram of telemetry reports, version 2.0. */
export interface TelemetryReport {
  readonly hardwareId: number;
  readonly sequence: number;
  readonly nodeId: number;
  readonly reports: readonly IndividualReport[];
}

/** One report of such a datagram. */
export interface IndividualReport {
  readonly type: number;
  readonly innerType: number;
  /** The length was given as 0xff: the report fills the datagram. */
  readonly isOpenEnded: boolean;
  readonly dropped: boolean;
  readonly congestedQueue: boolean;
  readonly trackedFlow: boolean;
  readonly intermediate: boolean;
  /** Metadata of the reporting hop, in reports of type 1. */
  readonly int?: ReportedInt;
  readonly inner: Uint8Array;
}

/** Metadata of the hop that sent a report. */
export interface ReportedInt {
  readonly metadataBits: number;
  readonly domainId: number;
  readonly dsBits: number;
  readonly dsStatus: number;
  /** Words of baseline and domain metadata. */
  readonly metadataWords: number;
  readonly block: IntBlock;
  /** Bit 15. */
  readonly queueAndDrop?: { readonly queueId: number; readonly dropReason: number };
}

/** Refuses versions other than 2, and reports that overrun the datagram or their own length. */
export function parseTelemetryReport(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): TelemetryReport | WireFault {
  if (end < offset + REPORT_GROUP_LENGTH) return truncated(NAME, offset, REPORT_GROUP_LENGTH, end);
  const version = (bytes[offset] as number) >>> 4;
  if (version !== VERSION) {
    return new WireFault(NAME, offset, `version must be 2, found ${version}`);
  }
  const reports: IndividualReport[] = [];
  let at = offset + REPORT_GROUP_LENGTH;
  while (at < end) {
    const report = parseReport(bytes, at, end);
    if (report instanceof WireFault) return report;
    reports.push(report);
    at = report.isOpenEnded ? end : at + individualLength(report);
  }
  return {
    hardwareId: (readUint16(bytes, offset) >>> 6) & 0x3f,
    sequence: readUint24(bytes, offset + 1) & 0x3f_ffff,
    nodeId: readUint32(bytes, offset + 4),
    reports,
  };
}

function parseReport(
  bytes: Uint8Array,
  at: number,
  groupEnd: number,
): IndividualReport | WireFault {
  if (groupEnd < at + 4) return truncated(NAME, at, 4, groupEnd);
  const words = bytes[at + 1] as number;
  const end = words === TO_THE_END ? groupEnd : at + 4 + 4 * words;
  if (groupEnd < end) return truncated(NAME, at, end - at, groupEnd);
  const type = (bytes[at] as number) >>> 4;
  const int = type === REPORT_TYPE_INT ? parseReportedInt(bytes, at, end) : undefined;
  if (int instanceof WireFault) return int;
  const flags = bytes[at + 3] as number;
  const intLength = int === undefined ? 0 : 4 * (INT_WORDS + int.metadataWords);
  return {
    type,
    innerType: (bytes[at] as number) & 0xf,
    isOpenEnded: words === TO_THE_END,
    dropped: (flags & 0x80) !== 0,
    congestedQueue: (flags & 0x40) !== 0,
    trackedFlow: (flags & 0x20) !== 0,
    intermediate: (flags & 0x10) !== 0,
    ...(int === undefined ? {} : { int }),
    inner: bytes.subarray(at + 4 + intLength, end),
  };
}

function parseReportedInt(bytes: Uint8Array, at: number, end: number): ReportedInt | WireFault {
  const metadataWords = bytes[at + 2] as number;
  const need = 4 + 4 * (INT_WORDS + metadataWords);
  if (end < at + need) return truncated(NAME, at, need, end);
  const metadataBits = readUint16(bytes, at + 4);
  const wanted = baselineWords(metadataBits);
  if (metadataWords < wanted) {
    const reason = `metadata must be at least ${wanted} words, found ${metadataWords}`;
    return new WireFault(NAME, at + 2, reason);
  }
  const hasDrop = (metadataBits & QUEUE_AND_DROP) !== 0;
  const read = readIntBlock(bytes, at + 12, blockLayout(metadataBits, metadataWords));
  const [drop, domain] = hasDrop
    ? [read.domain[0], read.domain.slice(1)]
    : [undefined, read.domain];
  return {
    metadataBits,
    domainId: readUint16(bytes, at + 6),
    dsBits: readUint16(bytes, at + 8),
    dsStatus: readUint16(bytes, at + 10),
    metadataWords,
    block: { ...read, domain },
    ...(drop === undefined
      ? {}
      : { queueAndDrop: { queueId: drop >>> 24, dropReason: (drop >>> 16) & 0xff } }),
  };
}

/** Without bit 15, whose word is then the first after the baseline: just where a report has it. */
const blockLayout = (metadataBits: number, hopWords: number): IntBlockLayout => ({
  instructionBitmap: metadataBits & ~QUEUE_AND_DROP,
  hopWords,
  ...INT_V2_METADATA,
});

export const telemetryReportLength = ({ reports }: TelemetryReport): number =>
  reports.reduce((sum, report) => sum + individualLength(report), REPORT_GROUP_LENGTH);

function individualLength({ int, inner }: IndividualReport): number {
  return 4 + (int === undefined ? 0 : 4 * (INT_WORDS + int.metadataWords)) + inner.length;
}

export function emitTelemetryReport(
  group: TelemetryReport,
  bytes: Uint8Array,
  offset: number,
): void {
  const head = VERSION * 0x1000_0000 + group.hardwareId * 0x40_0000 + group.sequence;
  writeUint32(bytes, offset, head);
  writeUint32(bytes, offset + 4, group.nodeId);
  let at = offset + REPORT_GROUP_LENGTH;
  for (const report of group.reports) {
    emitReport(report, bytes, at);
    at += individualLength(report);
  }
}

function emitReport(report: IndividualReport, bytes: Uint8Array, at: number): void {
  const words = individualLength(report) / 4 - 1;
  assert(report.isOpenEnded || Number.isInteger(words), 'a report is whole words or open-ended');
  assert(report.isOpenEnded || words < TO_THE_END, 'a report of 255 words or more is open-ended');
  bytes[at] = (report.type << 4) | report.innerType;
  bytes[at + 1] = report.isOpenEnded ? TO_THE_END : words;
  bytes[at + 2] = report.int?.metadataWords ?? 0;
  bytes[at + 3] =
    (report.dropped ? 0x80 : 0) |
    (report.congestedQueue ? 0x40 : 0) |
    (report.trackedFlow ? 0x20 : 0) |
    (report.intermediate ? 0x10 : 0);
  const innerAt = at + individualLength(report) - report.inner.length;
  if (report.int !== undefined) emitReportedInt(report.int, bytes, at + 4);
  bytes.set(report.inner, innerAt);
}

function emitReportedInt(int: ReportedInt, bytes: Uint8Array, at: number): void {
  writeUint16(bytes, at, int.metadataBits);
  writeUint16(bytes, at + 2, int.domainId);
  writeUint16(bytes, at + 4, int.dsBits);
  writeUint16(bytes, at + 6, int.dsStatus);
  const { queueAndDrop: drop } = int;
  const dropWord = drop === undefined ? [] : [(drop.queueId * 256 + drop.dropReason) * 0x10000];
  const block = { ...int.block, domain: [...dropWord, ...int.block.domain] };
  emitIntBlock(block, bytes, at + 8, blockLayout(int.metadataBits, int.metadataWords));
}
