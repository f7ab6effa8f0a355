import { readUint16, readUint24, readUint32 } from '../bytes';
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
