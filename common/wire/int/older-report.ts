import {
  readUint16,
  readUint24,
  readUint32,
  writeUint16,
  writeUint24,
  writeUint32,
} from '../bytes';
import { WireFault, truncated } from '../fault';
import { bitCount } from './int-metadata';
import type { IntBlock } from './int-metadata';

/**
 * Telemetry Report v0.5 and v1.0 over UDP: one report of one packet, which follows the header.
 *
 *     v0.5: | ver 4 = 0 | next protocol 4 | D Q F | r 15 | hw id 6 | sequence 32 | ingress time 32 |
 *           next 1: | switch id 32 | ports 16+16 | queue id 8, drop reason 8, r 16 |       then Ethernet
 *           next 2: | switch id 32 | ports 16+16 | queue 8+24 | egress time 32 |           then Ethernet
 *     v1.0: | ver 4 = 1 | length 4, words | next protocol 3 | metadata bits 6 | r 6 | D Q F | hw id 6 |
 *           | switch id 32 | sequence 32 | ingress time 32 | a word per metadata bit |
 */
export interface OlderReport {
  readonly version: '0.5' | '1.0';
  readonly hardwareId: number;
  readonly sequence: number;
  readonly dropped: boolean;
  readonly congestedQueue: boolean;
  readonly trackedFlow: boolean;
  /** The reporting switch's metadata, as INT has them. */
  readonly block: IntBlock;
  readonly queueAndDrop?: QueueAndDrop;
  /** Kind and offset of the packet that is reported. */
  readonly inner: { readonly protocol: 'ethernet' | 'ipv4' | 'ipv6'; readonly at: number };
}

const NAME = 'telemetry-report';
const V05_LENGTH = 12;
const V1_LENGTH = 16;

/** The report versions before 2.0 that bytes begin with; undefined for others. */
export function olderReportVersion(
  bytes: Uint8Array,
  offset: number,
  end: number,
): '0.5' | '1.0' | undefined {
  if (end <= offset) return undefined;
  const version = (bytes[offset] as number) >>> 4;
  return version === 0 ? '0.5' : version === 1 ? '1.0' : undefined;
}

/** Refuses next protocols and lengths that are not defined. */
export function parseOlderReport(
  bytes: Uint8Array,
  offset: number,
  end: number,
  version: '0.5' | '1.0',
): OlderReport | WireFault {
  return version === '0.5' ? parseV05(bytes, offset, end) : parseV1(bytes, offset, end);
}

interface QueueAndDrop {
  readonly queueId: number;
  readonly dropReason: number;
}

/** Words that follow the header, by next protocol. */
const V05_FOLLOWS: readonly number[] = [0, 3, 4];
const DROP = 1;
const LOCAL = 2;

function parseV05(bytes: Uint8Array, offset: number, end: number): OlderReport | WireFault {
  if (end < offset + V05_LENGTH) return truncated(NAME, offset, V05_LENGTH, end);
  const next = (bytes[offset] as number) & 0xf;
  const words = V05_FOLLOWS[next];
  if (words === undefined) {
    return new WireFault(NAME, offset, `next protocol must be 0 to 2, found ${next}`);
  }
  const need = V05_LENGTH + 4 * words;
  if (end < offset + need) return truncated(NAME, offset, need, end);
  const flags = bytes[offset + 1] as number;
  const at = offset + V05_LENGTH;
  return {
    version: '0.5',
    hardwareId: (bytes[offset + 3] as number) & 0x3f,
    sequence: readUint32(bytes, offset + 4),
    dropped: (flags & 0x80) !== 0,
    congestedQueue: (flags & 0x40) !== 0,
    trackedFlow: (flags & 0x20) !== 0,
    block: {
      ...(next === 0 ? { domain: [] } : localBlock(bytes, at, next)),
      ingressTimestamp: { high: 0, low: readUint32(bytes, offset + 8) },
    },
    ...(next === DROP && { queueAndDrop: queueAndDrop(bytes, at + 8) }),
    inner: { protocol: 'ethernet', at: offset + need },
  };
}

const localBlock = (bytes: Uint8Array, at: number, next: number): IntBlock => ({
  nodeId: readUint32(bytes, at),
  ingressInterface: readUint16(bytes, at + 4),
  egressInterface: readUint16(bytes, at + 6),
  ...(next === LOCAL && {
    queueId: bytes[at + 8] as number,
    queueOccupancy: readUint24(bytes, at + 9),
    egressTimestamp: { high: 0, low: readUint32(bytes, at + 12) },
  }),
  domain: [],
});

const queueAndDrop = (bytes: Uint8Array, at: number): QueueAndDrop => ({
  queueId: bytes[at] as number,
  dropReason: bytes[at + 1] as number,
});

const INNER = ['ethernet', 'ipv4', 'ipv6'] as const;

function parseV1(bytes: Uint8Array, offset: number, end: number): OlderReport | WireFault {
  if (end < offset + V1_LENGTH) return truncated(NAME, offset, V1_LENGTH, end);
  const words = (bytes[offset] as number) & 0xf;
  const head = readUint32(bytes, offset);
  const protocol = INNER[(head >>> 21) & 7];
  if (protocol === undefined) {
    const reason = `next protocol must be 0 to 2, found ${(head >>> 21) & 7}`;
    return new WireFault(NAME, offset + 1, reason);
  }
  const metadataBits = (head >>> 15) & 0x3f;
  const wanted = V1_LENGTH / 4 + bitCount(metadataBits);
  if (words !== wanted) {
    const reason = `length must be ${wanted} words for its metadata, found ${words}`;
    return new WireFault(NAME, offset, reason);
  }
  if (end < offset + 4 * words) return truncated(NAME, offset, 4 * words, end);
  return {
    version: '1.0',
    hardwareId: head & 0x3f,
    sequence: readUint32(bytes, offset + 8),
    dropped: (head & 0x100) !== 0,
    congestedQueue: (head & 0x80) !== 0,
    trackedFlow: (head & 0x40) !== 0,
    ...optionalMetadata(bytes, offset, metadataBits),
    inner: { protocol, at: offset + 4 * words },
  };
}

/** A word for each bit, the first of them 0x20. */
function optionalMetadata(
  bytes: Uint8Array,
  offset: number,
  bits: number,
): Pick<OlderReport, 'block' | 'queueAndDrop'> {
  let at = offset + V1_LENGTH - 4;
  const next = (): number => (at += 4);
  const low = (place: number) => ({ high: 0, low: readUint32(bytes, place) });
  const block = {
    nodeId: readUint32(bytes, offset + 4),
    ingressTimestamp: low(offset + 12),
    ...((bits & 0x20) !== 0 && interfaces(bytes, next())),
    ...((bits & 0x10) !== 0 && { hopLatency: readUint32(bytes, next()) }),
    ...((bits & 0x08) !== 0 && queue(bytes, next())),
    ...((bits & 0x04) !== 0 && { egressTimestamp: low(next()) }),
    domain: [],
  };
  const drop = (bits & 0x02) !== 0 ? { queueAndDrop: queueAndDrop(bytes, next()) } : {};
  const load = (bits & 0x01) !== 0 ? { txUtilization: readUint32(bytes, next()) } : {};
  return { block: { ...block, ...load }, ...drop };
}

const interfaces = (bytes: Uint8Array, at: number) => ({
  ingressInterface: readUint16(bytes, at),
  egressInterface: readUint16(bytes, at + 2),
});

const queue = (bytes: Uint8Array, at: number) => ({
  queueId: bytes[at] as number,
  queueOccupancy: readUint24(bytes, at + 1),
});

/** Bytes of the header; the packet that is reported follows. */
export const olderReportLength = (report: OlderReport): number =>
  report.version === '0.5'
    ? V05_LENGTH + 4 * (V05_FOLLOWS[v05Next(report)] as number)
    : V1_LENGTH + 4 * bitCount(v1Bits(report));

/** Metadata that are there decide the next protocol of v0.5, and the bits of v1.0. */
const v05Next = ({ block, queueAndDrop: drop }: OlderReport): number =>
  drop !== undefined ? DROP : block.nodeId !== undefined ? LOCAL : 0;

function v1Bits({ block, queueAndDrop: drop }: OlderReport): number {
  const there = [
    block.ingressInterface,
    block.hopLatency,
    block.queueId,
    block.egressTimestamp,
    drop,
    block.txUtilization,
  ];
  return there.reduce<number>(
    (bits, value, i) => (value === undefined ? bits : bits | (0x20 >>> i)),
    0,
  );
}

/** Writes the header; metadata that belong to it and are missing become zeros. */
export function emitOlderReport(report: OlderReport, bytes: Uint8Array, offset: number): void {
  bytes.fill(0, offset, offset + olderReportLength(report));
  if (report.version === '0.5') emitV05(report, bytes, offset);
  else emitV1(report, bytes, offset);
}

function emitV05(report: OlderReport, bytes: Uint8Array, offset: number): void {
  const { block, queueAndDrop: drop } = report;
  const next = v05Next(report);
  bytes[offset] = next;
  bytes[offset + 1] =
    0x80 * Number(report.dropped) +
    0x40 * Number(report.congestedQueue) +
    0x20 * Number(report.trackedFlow);
  bytes[offset + 3] = report.hardwareId;
  writeUint32(bytes, offset + 4, report.sequence);
  writeUint32(bytes, offset + 8, block.ingressTimestamp?.low ?? 0);
  if (next === 0) return;
  const at = offset + V05_LENGTH;
  writeUint32(bytes, at, block.nodeId ?? 0);
  writeInterfaces(block, bytes, at + 4);
  if (drop !== undefined) writeDrop(drop, bytes, at + 8);
  else {
    writeQueue(block, bytes, at + 8);
    writeUint32(bytes, at + 12, block.egressTimestamp?.low ?? 0);
  }
}

function emitV1(report: OlderReport, bytes: Uint8Array, offset: number): void {
  const { block, queueAndDrop: drop, inner } = report;
  const bits = v1Bits(report);
  const length = olderReportLength(report);
  const flags =
    4 * Number(report.dropped) + 2 * Number(report.congestedQueue) + Number(report.trackedFlow);
  writeUint32(
    bytes,
    offset,
    0x1000_0000 +
      (length / 4) * 0x100_0000 +
      INNER.indexOf(inner.protocol) * 0x20_0000 +
      bits * 0x8000 +
      flags * 0x40 +
      report.hardwareId,
  );
  writeUint32(bytes, offset + 4, block.nodeId ?? 0);
  writeUint32(bytes, offset + 8, report.sequence);
  writeUint32(bytes, offset + 12, block.ingressTimestamp?.low ?? 0);
  let at = offset + V1_LENGTH - 4;
  if ((bits & 0x20) !== 0) writeInterfaces(block, bytes, (at += 4));
  if ((bits & 0x10) !== 0) writeUint32(bytes, (at += 4), block.hopLatency ?? 0);
  if ((bits & 0x08) !== 0) writeQueue(block, bytes, (at += 4));
  if ((bits & 0x04) !== 0) writeUint32(bytes, (at += 4), block.egressTimestamp?.low ?? 0);
  if (drop !== undefined) writeDrop(drop, bytes, (at += 4));
  if ((bits & 0x01) !== 0) writeUint32(bytes, at + 4, block.txUtilization ?? 0);
}

function writeInterfaces(block: IntBlock, bytes: Uint8Array, at: number): void {
  writeUint16(bytes, at, block.ingressInterface ?? 0);
  writeUint16(bytes, at + 2, block.egressInterface ?? 0);
}

function writeQueue(block: IntBlock, bytes: Uint8Array, at: number): void {
  bytes[at] = block.queueId ?? 0;
  writeUint24(bytes, at + 1, block.queueOccupancy ?? 0);
}

function writeDrop({ queueId, dropReason }: QueueAndDrop, bytes: Uint8Array, at: number): void {
  bytes[at] = queueId;
  bytes[at + 1] = dropReason;
}
