import type { HopRecord } from '../../hop/hop';
import { readUint16, readUint24, readUint32, readUint48 } from '../bytes';
import { writeUint16, writeUint24, writeUint32, writeUint48 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * P4.org INT-MD v2.1 over UDP ("INT-MD Metadata Header Format"), recognised by DSCP, with the
 * per-hop block of our INT domain "HP":
 *
 *     shim      | type 4 | npt 2 | r 2 | length 8 (words after the shim) | r 8 | dscp 6 | r 2 |
 *     header 0  | ver 4 | d e m | r 12 | hop ml 5 | remaining hop count 8 |
 *     header 1  | instruction bitmap 16 | domain specific id 16 |
 *     header 2  | ds instruction 16     | ds flags 16           |
 *     stack     newest hop first, `hop ml` words each:
 *       word 0  | node id                       |   instruction bit 0
 *       word 1  | ingress port | egress port    |   instruction bit 1
 *       word 2  | queue id 8   | occupancy 24   |   instruction bit 3, occupancy in bytes
 *       word 3-4| egress timestamp              |   instruction bit 5, ns
 *       word 5-6| txBytes                       |   ds bit 0, bytes sent before this packet; with
 *                                                    word 5 all ones, in 32 bits
 *       word 7  | B                             |   ds bit 1, Mb/s
 */
export const INT_DSCP = 0x17;
export const INT_SHIM_LENGTH = 4;
export const INT_MD_LENGTH = 12;
/** Bytes that an INT source adds: shim and INT-MD header with an empty stack. */
export const INT_FIXED_LENGTH = INT_SHIM_LENGTH + INT_MD_LENGTH;

const INT_TYPE_MD = 1;
const INT_VERSION = 2;
const WORD = 4;

/** The INT domain "HP": the words that HPCC++ requests from every node. */
export const HP_DOMAIN = {
  domainId: 0x4850,
  instructionBitmap: 0xd400,
  dsInstruction: 0xc000,
  hopWords: 8,
  hopLength: 32,
} as const;

/**
 * The same with instruction bit 2 and ds bit 2: the time that the packet waited, in ns, behind the
 * ports, and bytes in all queues of the port at the end. For ports with several queues.
 */
export const HP_WIDE_DOMAIN = {
  domainId: HP_DOMAIN.domainId,
  instructionBitmap: 0xf400,
  dsInstruction: 0xe000,
  hopWords: 10,
  hopLength: 40,
} as const;

type HpDomain = typeof HP_DOMAIN | typeof HP_WIDE_DOMAIN;

/** Counters of 64 bits are reduced to 48, which a number holds exactly. */
const MODULUS_48 = 2 ** 48;
/** Modulus of counters of 32 bits. */
const MODULUS_32 = 2 ** 32;
const WORD_ABSENT = 0xffff_ffff;

const HOP_FIELD = {
  nodeId: 0,
  ingressPort: 4,
  egressPort: 6,
  queueId: 8,
  occupancy: 8,
  timestamp: 12,
  txBytes: 20,
  capacity: 28,
} as const;

/** Offset of the sojourn time in the wide block; later fields are a word further on. */
const SOJOURN_AT = 8;

export interface IntMdHeader {
  readonly version: number;
  /** The sink discards the packet after extraction (probes). */
  readonly discard: boolean;
  /** E: a node could not push because the remaining hop count was zero. */
  readonly hopLimitExceeded: boolean;
  /** M: a node could not push because its egress MTU would have been exceeded. */
  readonly mtuExceeded: boolean;
  readonly remainingHops: number;
  readonly instructionBitmap: number;
  readonly domainId: number;
  readonly dsInstruction: number;
  readonly dsFlags: number;
  /** Words that each node pushes. */
  readonly hopWords: number;
}

export interface IntMd extends IntMdHeader {
  /** Bytes of shim, header and stack together. */
  readonly length: number;
  /** Number of blocks in the stack. */
  readonly hopCount: number;
}

type MutableIntMd = { -readonly [Name in keyof IntMd]: IntMd[Name] };

/** An empty header to be filled in. */
export const noIntMd = (): MutableIntMd => ({
  version: 0,
  discard: false,
  hopLimitExceeded: false,
  mtuExceeded: false,
  hopWords: 0,
  remainingHops: 0,
  instructionBitmap: 0,
  domainId: 0,
  dsInstruction: 0,
  dsFlags: 0,
  length: 0,
  hopCount: 0,
});

/**
 * Reads shim and header at `offset` and checks the stack against `bytes`. Refuses what is not
 * INT-MD 2.x by DSCP, an instruction set other than the HP domain's, a stack that is not a whole
 * number of blocks, and a stack that `bytes` does not hold.
 * @param into is filled in and returned. PERF: for those who need it no longer than the call.
 */
export function parseIntMd(
  bytes: Uint8Array,
  offset: number,
  into: MutableIntMd = noIntMd(),
): IntMd | WireFault {
  const stored = intMdLength(bytes, offset);
  if (stored instanceof WireFault) return stored;
  readHeader(bytes, offset, stored, into);
  return checkHeader(into, offset) ?? checkStack(into, offset) ?? into;
}

/** Bytes of shim, header and stack by the shim alone, so that what follows can be found. */
export function intMdLength(bytes: Uint8Array, offset: number): number | WireFault {
  if (bytes.length < offset + INT_FIXED_LENGTH) {
    return truncated('int-md', offset, INT_FIXED_LENGTH, bytes.length);
  }
  const type = (bytes[offset] as number) >>> 4;
  if (type !== INT_TYPE_MD) return new WireFault('int-md', offset, `type must be 1, found ${type}`);
  const npt = ((bytes[offset] as number) >>> 2) & 3;
  if (npt !== 0) return new WireFault('int-md', offset, `npt must be 0, found ${npt}`);
  const length = INT_SHIM_LENGTH + (bytes[offset + 1] as number) * WORD;
  if (length < INT_FIXED_LENGTH) {
    return new WireFault('int-md', offset + 1, `length must be at least 3 words`);
  }
  if (bytes.length < offset + length) return truncated('int-md', offset, length, bytes.length);
  return length;
}

function readHeader(bytes: Uint8Array, offset: number, length: number, into: MutableIntMd): void {
  const at = offset + INT_SHIM_LENGTH;
  const first = bytes[at] as number;
  into.version = first >>> 4;
  into.discard = (first & 0x8) !== 0;
  into.hopLimitExceeded = (first & 0x4) !== 0;
  into.mtuExceeded = (first & 0x2) !== 0;
  into.hopWords = (bytes[at + 2] as number) & 0x1f;
  into.remainingHops = bytes[at + 3] as number;
  into.instructionBitmap = readUint16(bytes, at + 4);
  into.domainId = readUint16(bytes, at + 6);
  into.dsInstruction = readUint16(bytes, at + 8);
  into.dsFlags = readUint16(bytes, at + 10);
  into.length = length;
  into.hopCount = (length - INT_FIXED_LENGTH) / (into.hopWords * WORD);
}

function checkHeader(header: IntMdHeader, offset: number): WireFault | undefined {
  const at = offset + INT_SHIM_LENGTH;
  if (header.version !== INT_VERSION) {
    return new WireFault('int-md', at, `version must be 2, found ${header.version}`);
  }
  if (asksFor(header, HP_DOMAIN) || asksFor(header, HP_WIDE_DOMAIN)) return undefined;
  const hex = (of: Pick<IntMdHeader, keyof typeof HP_DOMAIN & keyof IntMdHeader>): string =>
    [of.instructionBitmap, of.domainId, of.dsInstruction, of.hopWords]
      .map((value) => value.toString(16))
      .join('/');
  const reason = `bitmap/domain/ds/hop ml must be ${hex(HP_DOMAIN)}, found ${hex(header)}`;
  return new WireFault('int-md', at + 4, reason);
}

function asksFor(header: IntMdHeader, domain: HpDomain): boolean {
  return (
    header.instructionBitmap === domain.instructionBitmap &&
    header.domainId === domain.domainId &&
    header.dsInstruction === domain.dsInstruction &&
    header.hopWords === domain.hopWords
  );
}

function checkStack({ hopCount, length, hopWords }: IntMd, offset: number): WireFault | undefined {
  if (Number.isInteger(hopCount)) return undefined;
  const stack = length - INT_FIXED_LENGTH;
  const reason = `a stack of ${stack} bytes is no multiple of ${hopWords * WORD}`;
  return new WireFault('int-md', offset + 1, reason);
}

/** Hop records in path order (the wire has the newest hop first). */
export function readHops(int: IntMd, bytes: Uint8Array, offset: number): HopRecord[] {
  const hops: HopRecord[] = [];
  const blockLength = int.hopWords * WORD;
  for (let i = int.hopCount - 1; i >= 0; i--) {
    hops.push(readBlock(int.hopWords, bytes, offset + INT_FIXED_LENGTH + i * blockLength));
  }
  return hops;
}

/**
 * The record that the latest switch has pushed, of whichever domain the header at `offset` is; undefined
 * where the stack is empty or cut off. The header is not checked.
 * @param end of the frame in `bytes`
 * @param into filled in with a record of the HP domain by those who keep none
 */
export function readNewestHop(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
  into?: HpHop,
): HopRecord | undefined {
  const length = INT_SHIM_LENGTH + (bytes[offset + 1] as number) * WORD;
  const hopWords = (bytes[offset + INT_SHIM_LENGTH + 2] as number) & 0x1f;
  const needed = INT_FIXED_LENGTH + hopWords * WORD;
  if (length < needed || end < offset + needed) return undefined;
  const at = offset + INT_FIXED_LENGTH;
  if (into === undefined || hopWords === HP_WIDE_DOMAIN.hopWords)
    return readBlock(hopWords, bytes, at);
  rereadHop(bytes, at, into);
  return into;
}

const readBlock = (hopWords: number, bytes: Uint8Array, at: number): HopRecord =>
  hopWords === HP_WIDE_DOMAIN.hopWords ? readWideHop(bytes, at) : readHop(bytes, at);

/** A record of the HP domain that is filled in again. */
export type HpHop = { -readonly [Name in keyof HopRecord]: HopRecord[Name] };

/** Reads one 32-byte block of the HP domain. PERF: one literal, a fifth faster than filling one in. */
export function readHop(bytes: Uint8Array, at: number): HpHop {
  const isShort = isShortCounter(bytes, at + HOP_FIELD.txBytes);
  return {
    switchId: readUint32(bytes, at + HOP_FIELD.nodeId),
    ingressPortId: readUint16(bytes, at + HOP_FIELD.ingressPort),
    portId: readUint16(bytes, at + HOP_FIELD.egressPort),
    queueId: bytes[at + HOP_FIELD.queueId],
    queueBytes: readUint24(bytes, at + HOP_FIELD.occupancy + 1),
    timestamp: readUint48(bytes, at + HOP_FIELD.timestamp + 2),
    timestampModulus: MODULUS_48,
    txBytes: readTxBytes(bytes, at + HOP_FIELD.txBytes, isShort),
    txBytesModulus: isShort ? MODULUS_32 : MODULUS_48,
    capacity: readUint32(bytes, at + HOP_FIELD.capacity) * 1e6,
  };
}

/** A record for {@link rereadHop}. */
export const noHop = (): HpHop => readHop(new Uint8Array(HP_DOMAIN.hopWords * WORD), 0);

/** The same for those who keep no record: `into`, which {@link readHop} has made, is filled in. */
export function rereadHop(bytes: Uint8Array, at: number, into: HpHop): void {
  const isShort = isShortCounter(bytes, at + HOP_FIELD.txBytes);
  into.switchId = readUint32(bytes, at + HOP_FIELD.nodeId);
  into.ingressPortId = readUint16(bytes, at + HOP_FIELD.ingressPort);
  into.portId = readUint16(bytes, at + HOP_FIELD.egressPort);
  into.queueId = bytes[at + HOP_FIELD.queueId] as number;
  into.queueBytes = readUint24(bytes, at + HOP_FIELD.occupancy + 1);
  into.timestamp = readUint48(bytes, at + HOP_FIELD.timestamp + 2);
  into.txBytes = readTxBytes(bytes, at + HOP_FIELD.txBytes, isShort);
  into.txBytesModulus = isShort ? MODULUS_32 : MODULUS_48;
  into.capacity = readUint32(bytes, at + HOP_FIELD.capacity) * 1e6;
}

/** Reads one 40-byte block; its bytes in all queues of the port are left out. */
function readWideHop(bytes: Uint8Array, at: number): HopRecord {
  const isShort = isShortCounter(bytes, at + HOP_FIELD.txBytes + WORD);
  return {
    switchId: readUint32(bytes, at + HOP_FIELD.nodeId),
    ingressPortId: readUint16(bytes, at + HOP_FIELD.ingressPort),
    portId: readUint16(bytes, at + HOP_FIELD.egressPort),
    sojournNs: readUint32(bytes, at + SOJOURN_AT),
    queueId: bytes[at + HOP_FIELD.queueId + WORD],
    queueBytes: readUint32(bytes, at + HOP_FIELD.occupancy + WORD) % 0x100_0000,
    timestamp: readUint48(bytes, at + HOP_FIELD.timestamp + WORD + 2),
    timestampModulus: MODULUS_48,
    txBytes: readTxBytes(bytes, at + HOP_FIELD.txBytes + WORD, isShort),
    txBytesModulus: isShort ? MODULUS_32 : MODULUS_48,
    capacity: readUint32(bytes, at + HOP_FIELD.capacity + WORD) * 1e6,
  };
}

/**
 * Nodes that count in 32 bits say that the upper word is not available, by all ones as INT does;
 * the counter then wraps with the lower one. One of 64 bits would take years to look like that.
 * PERF: its first byte alone says no.
 */
const isShortCounter = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0xff && readUint32(bytes, at) === WORD_ABSENT;

const readTxBytes = (bytes: Uint8Array, at: number, isShort: boolean): number =>
  isShort ? readUint32(bytes, at + WORD) : readUint48(bytes, at + 2);

/**
 * Writes what an INT source adds: shim and header of the HP domain with an empty stack.
 * `remainingHops` is from 0 to 255; `originalDscp` is kept in the shim.
 */
export function emitIntMdSource(
  source: {
    readonly remainingHops: number;
    readonly originalDscp: number;
    /** {@link HP_DOMAIN} unless given. */
    readonly domain?: HpDomain;
  },
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] = INT_TYPE_MD << 4;
  bytes[offset + 1] = INT_MD_LENGTH / WORD;
  bytes[offset + 2] = 0;
  bytes[offset + 3] = source.originalDscp << 2;
  const at = offset + INT_SHIM_LENGTH;
  const domain = source.domain ?? HP_DOMAIN;
  writeUint16(bytes, at, INT_VERSION << 12);
  bytes[at + 2] = domain.hopWords;
  bytes[at + 3] = source.remainingHops;
  writeUint16(bytes, at + 4, domain.instructionBitmap);
  writeUint16(bytes, at + 6, domain.domainId);
  writeUint32(bytes, at + 8, domain.dsInstruction * 0x10000);
}

/**
 * Writes one 32-byte block of the HP domain. The 64-bit fields take the 48 bits that a record keeps
 * of them, or 32 of a counter of so many; the capacity is rounded to whole Mb/s.
 */
export function emitHop(hop: HopRecord, bytes: Uint8Array, at: number): void {
  writeUint32(bytes, at + HOP_FIELD.nodeId, hop.switchId);
  writeUint16(bytes, at + HOP_FIELD.ingressPort, hop.ingressPortId ?? 0);
  writeUint16(bytes, at + HOP_FIELD.egressPort, hop.portId);
  bytes[at + HOP_FIELD.queueId] = hop.queueId ?? 0;
  writeUint24(bytes, at + HOP_FIELD.occupancy + 1, Math.min(hop.queueBytes, 0xff_ffff));
  writeUint16(bytes, at + HOP_FIELD.timestamp, 0);
  writeUint48(bytes, at + HOP_FIELD.timestamp + 2, hop.timestamp);
  writeUint16(bytes, at + HOP_FIELD.txBytes, 0);
  writeUint48(bytes, at + HOP_FIELD.txBytes + 2, hop.txBytes);
  if (hop.txBytesModulus === MODULUS_32) writeUint32(bytes, at + HOP_FIELD.txBytes, WORD_ABSENT);
  writeUint32(bytes, at + HOP_FIELD.capacity, Math.round(hop.capacity / 1e6));
}

/** Writes a stack under what {@link emitIntMdSource} wrote at `offset`: hops are in path order. */
export function emitHops(hops: readonly HopRecord[], bytes: Uint8Array, offset: number): void {
  let at = offset + INT_FIXED_LENGTH + hops.length * HP_DOMAIN.hopLength;
  for (const hop of hops) emitHop(hop, bytes, (at -= HP_DOMAIN.hopLength));
  bytes[offset + 1] = INT_MD_LENGTH / WORD + hops.length * HP_DOMAIN.hopWords;
}
