import { readUint16, readUint24, readUint32, readWord64, writeUint16, writeUint24 } from '../bytes';
import { writeUint32, writeWord64 } from '../bytes';
import type { Word64 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';
import { bitCount } from '../int/int-metadata';

/**
 * Data that one node adds to an IOAM trace (RFC 9197 section 4.4.2), in the order of the type's
 * bits; bit 0 is 0x800000. All ones mark a value that is not available.
 *
 *     0 hop limit 8, node id 24 | 1 interfaces 16+16 | 2, 3 timestamp | 4 transit delay
 *     5 namespace data | 6 queue depth | 7 complement | 8 hop limit 8, node id 56
 *     9 interfaces 32+32 | 10 namespace data 64 | 11 buffer | 12-21 undefined | 22 snapshot
 */
export interface IoamNode {
  readonly hopLimit?: number;
  readonly nodeId?: number;
  readonly ingressInterface?: number;
  readonly egressInterface?: number;
  readonly seconds?: number;
  /** ns, microseconds or 2^-32 s, by the node's format. */
  readonly fraction?: number;
  readonly transitDelay?: number;
  readonly namespaceData?: number;
  readonly queueDepth?: number;
  readonly checksumComplement?: number;
  /** Hop limit in the upper 8 bits, node id in the lower 56. */
  readonly wideNode?: Word64;
  readonly ingressInterfaceWide?: number;
  readonly egressInterfaceWide?: number;
  readonly namespaceDataWide?: Word64;
  readonly bufferOccupancy?: number;
  /** Words of bits 12 to 21 that are set, in order; see {@link undefinedWord}. */
  readonly undefinedWords?: readonly number[];
  readonly snapshot?: IoamSnapshot;
}

/** Opaque state snapshot: a schema and words of data; schema 0xffffff when there is none. */
export interface IoamSnapshot {
  readonly schemaId: number;
  readonly data: Uint8Array;
}

const HOP_LIMIT_NODE = 0x800000;
const INTERFACES = 0x400000;
const SECONDS = 0x200000;
const FRACTION = 0x100000;
const TRANSIT_DELAY = 0x080000;
const NAMESPACE_DATA = 0x040000;
const QUEUE_DEPTH = 0x020000;
const COMPLEMENT = 0x010000;
const WIDE_NODE = 0x008000;
const WIDE_INTERFACES = 0x004000;
const WIDE_DATA = 0x002000;
const BUFFER = 0x001000;
const UNDEFINED = 0x000ffc;
const SNAPSHOT = 0x000002;
const ONE_WORD = 0xff1ffc;
const TWO_WORDS = 0x00e000;

/** Bits 2 to 7, one word each, under their names. */
const WORDS = [
  [SECONDS, 'seconds'],
  [FRACTION, 'fraction'],
  [TRANSIT_DELAY, 'transitDelay'],
  [NAMESPACE_DATA, 'namespaceData'],
  [QUEUE_DEPTH, 'queueDepth'],
  [COMPLEMENT, 'checksumComplement'],
] as const;

/** NodeLen that belongs to a trace type: words without those of a snapshot. */
export const ioamNodeWords = (traceType: number): number =>
  bitCount(traceType & ONE_WORD) + 2 * bitCount(traceType & TWO_WORDS);

export const hasSnapshot = (traceType: number): boolean => (traceType & SNAPSHOT) !== 0;

/** Bytes of a node's data. */
export const ioamNodeLength = (traceType: number, node: IoamNode): number =>
  4 * ioamNodeWords(traceType) +
  (hasSnapshot(traceType) ? 4 + (node.snapshot?.data.length ?? 0) : 0);

/** The word of an undefined bit (12 to 21), if the trace has it. */
export function undefinedWord(node: IoamNode, traceType: number, bit: number): number | undefined {
  const mask = 0x800000 >>> bit;
  if ((traceType & mask) === 0) return undefined;
  return node.undefinedWords?.[bitCount(traceType & UNDEFINED & ~(2 * mask - 1))];
}

type MutableNode = { -readonly [Key in keyof IoamNode]: IoamNode[Key] };

/** Reads a node's data, which must end at or before `end`. */
export function parseIoamNode(
  bytes: Uint8Array,
  offset: number,
  end: number,
  traceType: number,
): IoamNode | WireFault {
  const fixed = 4 * ioamNodeWords(traceType);
  const need = fixed + (hasSnapshot(traceType) ? 4 : 0);
  if (end < offset + need) return truncated('ioam-node', offset, need, end);
  const node: MutableNode = {};
  readWide(node, bytes, readNarrow(node, bytes, offset, traceType), traceType);
  if (!hasSnapshot(traceType)) return node;
  const at = offset + fixed;
  const dataEnd = at + 4 + 4 * (bytes[at] as number);
  if (end < dataEnd) return truncated('ioam-node', at, dataEnd - at, end);
  const data = bytes.subarray(at + 4, dataEnd);
  node.snapshot = { schemaId: readUint24(bytes, at + 1), data };
  return node;
}

function readNarrow(node: MutableNode, bytes: Uint8Array, offset: number, type: number): number {
  let at = offset;
  if ((type & HOP_LIMIT_NODE) !== 0) {
    node.hopLimit = bytes[at] as number;
    node.nodeId = readUint24(bytes, at + 1);
    at += 4;
  }
  if ((type & INTERFACES) !== 0) {
    node.ingressInterface = readUint16(bytes, at);
    node.egressInterface = readUint16(bytes, at + 2);
    at += 4;
  }
  return readWords(node, bytes, at, type);
}

/** PERF: fields by name; assigning by a computed name made a trace of five nodes four times as slow. */
function readWords(node: MutableNode, bytes: Uint8Array, offset: number, type: number): number {
  let at = offset;
  if ((type & SECONDS) !== 0) {
    node.seconds = readUint32(bytes, at);
    at += 4;
  }
  if ((type & FRACTION) !== 0) {
    node.fraction = readUint32(bytes, at);
    at += 4;
  }
  if ((type & TRANSIT_DELAY) !== 0) {
    node.transitDelay = readUint32(bytes, at);
    at += 4;
  }
  if ((type & NAMESPACE_DATA) !== 0) {
    node.namespaceData = readUint32(bytes, at);
    at += 4;
  }
  if ((type & QUEUE_DEPTH) !== 0) {
    node.queueDepth = readUint32(bytes, at);
    at += 4;
  }
  if ((type & COMPLEMENT) !== 0) {
    node.checksumComplement = readUint32(bytes, at);
    at += 4;
  }
  return at;
}

function readWide(node: MutableNode, bytes: Uint8Array, offset: number, type: number): void {
  let at = offset;
  if ((type & WIDE_NODE) !== 0) {
    node.wideNode = readWord64(bytes, at);
    at += 8;
  }
  if ((type & WIDE_INTERFACES) !== 0) {
    node.ingressInterfaceWide = readUint32(bytes, at);
    node.egressInterfaceWide = readUint32(bytes, at + 4);
    at += 8;
  }
  if ((type & WIDE_DATA) !== 0) {
    node.namespaceDataWide = readWord64(bytes, at);
    at += 8;
  }
  if ((type & BUFFER) !== 0) {
    node.bufferOccupancy = readUint32(bytes, at);
    at += 4;
  }
  const count = bitCount(type & UNDEFINED);
  if (count === 0) return;
  const words: number[] = [];
  for (let i = 0; i < count; i++) words.push(readUint32(bytes, at + 4 * i));
  node.undefinedWords = words;
}

/**
 * Writes a node's data; values that the type requests and the node does not have become all ones.
 */
export function emitIoamNode(
  node: IoamNode,
  bytes: Uint8Array,
  offset: number,
  traceType: number,
): void {
  const fixed = 4 * ioamNodeWords(traceType);
  bytes.fill(0xff, offset, offset + fixed);
  emitWide(node, bytes, emitNarrow(node, bytes, offset, traceType), traceType);
  if (!hasSnapshot(traceType)) return;
  const { schemaId, data } = node.snapshot ?? { schemaId: 0xff_ffff, data: new Uint8Array() };
  bytes[offset + fixed] = data.length / 4;
  writeUint24(bytes, offset + fixed + 1, schemaId);
  bytes.set(data, offset + fixed + 4);
}

function emitNarrow(node: IoamNode, bytes: Uint8Array, offset: number, type: number): number {
  let at = offset;
  if ((type & HOP_LIMIT_NODE) !== 0) {
    bytes[at] = node.hopLimit ?? 0xff;
    writeUint24(bytes, at + 1, node.nodeId ?? 0xff_ffff);
    at += 4;
  }
  if ((type & INTERFACES) !== 0) {
    writeUint16(bytes, at, node.ingressInterface ?? 0xffff);
    writeUint16(bytes, at + 2, node.egressInterface ?? 0xffff);
    at += 4;
  }
  for (const [mask, name] of WORDS) {
    if ((type & mask) === 0) continue;
    writeUint32(bytes, at, node[name] ?? 0xffff_ffff);
    at += 4;
  }
  return at;
}

function emitWide(node: IoamNode, bytes: Uint8Array, offset: number, type: number): void {
  let at = offset;
  if ((type & WIDE_NODE) !== 0) {
    if (node.wideNode !== undefined) writeWord64(bytes, at, node.wideNode);
    at += 8;
  }
  if ((type & WIDE_INTERFACES) !== 0) {
    writeUint32(bytes, at, node.ingressInterfaceWide ?? 0xffff_ffff);
    writeUint32(bytes, at + 4, node.egressInterfaceWide ?? 0xffff_ffff);
    at += 8;
  }
  if ((type & WIDE_DATA) !== 0) {
    if (node.namespaceDataWide !== undefined) writeWord64(bytes, at, node.namespaceDataWide);
    at += 8;
  }
  if ((type & BUFFER) !== 0) {
    writeUint32(bytes, at, node.bufferOccupancy ?? 0xffff_ffff);
    at += 4;
  }
  for (const [i, word] of (node.undefinedWords ?? []).entries())
    writeUint32(bytes, at + 4 * i, word);
}
