import { readUint16, readUint24, readUint32, readWord64, writeUint16, writeUint24 } from '../bytes';
import { writeUint32, writeWord64 } from '../bytes';
import type { Word64 } from '../bytes';

/**
 * One node's metadata by instruction bitmap ("What To Monitor"), in the order of the bits; bit 0 is
 * 0x8000. Domain-specific words follow bit 14, and bit 15 is always last.
 *
 *     0 node id | 1 interfaces 16+16 | 2 hop latency | 3 queue 8+24 | 4, 5 timestamps 64
 *     6 interfaces 32+32 | 7 utilization | 8 buffer 8+24 | 9-14 reserved | ds | 15 complement
 *
 * Before v2.0 timestamps have 32 bits, and bit 6 of v0.5 is queue 8 and congestion status 24. A value of all ones is not available; units are a convention of the domain.
 */
export interface IntBlock {
  readonly nodeId?: number;
  readonly ingressInterface?: number;
  readonly egressInterface?: number;
  readonly hopLatency?: number;
  readonly queueId?: number;
  readonly queueOccupancy?: number;
  /** Time of ingress; in v1.0 32 bits, in `low`. */
  readonly ingressTimestamp?: Word64;
  readonly egressTimestamp?: Word64;
  readonly ingressInterface2?: number;
  readonly egressInterface2?: number;
  /** Bit 6 of v0.5. */
  readonly congestedQueueId?: number;
  readonly congestionStatus?: number;
  readonly txUtilization?: number;
  readonly bufferId?: number;
  readonly bufferOccupancy?: number;
  /** A word per reserved bit (9 to 14) that is set. */
  readonly reserved?: readonly number[];
  /** Domain-specific words; their meaning is the domain's. */
  readonly domain: readonly number[];
  /** Bit 15: the 16-bit value is in the low half of the word (our choice). */
  readonly checksumComplement?: number;
}

/** Sizes and meanings of metadata that differ between versions. */
export interface IntMetadataForm {
  /** 2 since v2.0, 1 before. */
  readonly timestampWords: 1 | 2;
  /** Meaning of bit 6: two interfaces of 32 bits since v1.0, and congestion of a queue in v0.5. */
  readonly bit6: 'interfaces' | 'narrow-interfaces' | 'congestion';
}

export interface IntBlockLayout extends IntMetadataForm {
  readonly instructionBitmap: number;
  readonly hopWords: number;
}

/** The metadata of INT v2.0 and v2.1. */
export const INT_V2_METADATA: IntMetadataForm = { timestampWords: 2, bit6: 'interfaces' };

const NODE_ID = 0x8000;
const INTERFACES = 0x4000;
const HOP_LATENCY = 0x2000;
const QUEUE = 0x1000;
const INGRESS_TIMESTAMP = 0x0800;
const EGRESS_TIMESTAMP = 0x0400;
const INTERFACES_2 = 0x0200;
const TX_UTILIZATION = 0x0100;
const BUFFER = 0x0080;
const RESERVED = 0x007e;
const COMPLEMENT = 0x0001;
const TIMESTAMPS = INGRESS_TIMESTAMP | EGRESS_TIMESTAMP;

/** Words per node that the bitmap requests, without those of a domain. */
export const baselineWords = (
  bitmap: number,
  { timestampWords, bit6 }: IntMetadataForm = INT_V2_METADATA,
): number =>
  bitCount(bitmap & 0xffff) +
  (bit6 === 'interfaces' ? bitCount(bitmap & INTERFACES_2) : 0) +
  bitCount(bitmap & TIMESTAMPS) * (timestampWords - 1);

/** Set bits of a small non-negative integer. */
export function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

type MutableBlock = { -readonly [Key in keyof IntBlock]: IntBlock[Key] };

/** Reads a block whose `hopWords` words exist and are at least those that the bitmap requests. */
export function readIntBlock(bytes: Uint8Array, offset: number, layout: IntBlockLayout): IntBlock {
  const { instructionBitmap: bitmap, hopWords } = layout;
  const block: MutableBlock = { domain: NO_WORDS };
  let at = readUpToQueue(block, bytes, offset, bitmap);
  at = readTimestamps(block, bytes, at, layout);
  at = readFromInterfaces2(block, bytes, at, layout);
  const domainWords = hopWords - baselineWords(bitmap, layout);
  if (domainWords > 0) block.domain = readWords(bytes, at, domainWords);
  if ((bitmap & COMPLEMENT) !== 0)
    block.checksumComplement = readUint32(bytes, at + 4 * domainWords);
  return block;
}

const NO_WORDS: readonly number[] = [];

function readUpToQueue(
  block: MutableBlock,
  bytes: Uint8Array,
  offset: number,
  bitmap: number,
): number {
  let at = offset;
  if ((bitmap & NODE_ID) !== 0) {
    block.nodeId = readUint32(bytes, at);
    at += 4;
  }
  if ((bitmap & INTERFACES) !== 0) {
    block.ingressInterface = readUint16(bytes, at);
    block.egressInterface = readUint16(bytes, at + 2);
    at += 4;
  }
  if ((bitmap & HOP_LATENCY) !== 0) {
    block.hopLatency = readUint32(bytes, at);
    at += 4;
  }
  if ((bitmap & QUEUE) !== 0) {
    block.queueId = bytes[at] as number;
    block.queueOccupancy = readUint24(bytes, at + 1);
    at += 4;
  }
  return at;
}

function readTimestamps(
  block: MutableBlock,
  bytes: Uint8Array,
  offset: number,
  { instructionBitmap: bitmap, timestampWords }: IntBlockLayout,
): number {
  let at = offset;
  if ((bitmap & INGRESS_TIMESTAMP) !== 0) {
    block.ingressTimestamp = readTimestamp(bytes, at, timestampWords);
    at += 4 * timestampWords;
  }
  if ((bitmap & EGRESS_TIMESTAMP) !== 0) {
    block.egressTimestamp = readTimestamp(bytes, at, timestampWords);
    at += 4 * timestampWords;
  }
  return at;
}

const readTimestamp = (bytes: Uint8Array, at: number, words: 1 | 2): Word64 =>
  words === 2 ? readWord64(bytes, at) : { high: 0, low: readUint32(bytes, at) };

function readFromInterfaces2(
  block: MutableBlock,
  bytes: Uint8Array,
  offset: number,
  layout: IntBlockLayout,
): number {
  const { instructionBitmap: bitmap } = layout;
  let at = offset;
  if ((bitmap & INTERFACES_2) !== 0) at = readBit6(block, bytes, at, layout);
  if ((bitmap & TX_UTILIZATION) !== 0) {
    block.txUtilization = readUint32(bytes, at);
    at += 4;
  }
  if ((bitmap & BUFFER) !== 0) {
    block.bufferId = bytes[at] as number;
    block.bufferOccupancy = readUint24(bytes, at + 1);
    at += 4;
  }
  const reservedWords = bitCount(bitmap & RESERVED);
  if (reservedWords > 0) block.reserved = readWords(bytes, at, reservedWords);
  return at + 4 * reservedWords;
}

/** Returns the offset of what follows. */
function readBit6(
  block: MutableBlock,
  bytes: Uint8Array,
  at: number,
  { bit6 }: IntBlockLayout,
): number {
  switch (bit6) {
    case 'interfaces':
      block.ingressInterface2 = readUint32(bytes, at);
      block.egressInterface2 = readUint32(bytes, at + 4);
      return at + 8;
    case 'narrow-interfaces':
      block.ingressInterface2 = readUint16(bytes, at);
      block.egressInterface2 = readUint16(bytes, at + 2);
      return at + 4;
    case 'congestion':
      block.congestedQueueId = bytes[at] as number;
      block.congestionStatus = readUint24(bytes, at + 1);
      return at + 4;
  }
}

function readWords(bytes: Uint8Array, at: number, count: number): number[] {
  const words: number[] = [];
  for (let i = 0; i < count; i++) words.push(readUint32(bytes, at + 4 * i));
  return words;
}

/**
 * Writes a block of `hopWords` words. Values that the bitmap requests and the block does not have
 * become all ones, as from a node that cannot supply them.
 */
export function emitIntBlock(
  block: IntBlock,
  bytes: Uint8Array,
  offset: number,
  layout: IntBlockLayout,
): void {
  bytes.fill(0xff, offset, offset + 4 * layout.hopWords);
  const bitmap = layout.instructionBitmap;
  let at = offset;
  for (let bit = NODE_ID; bit >= 0x0002; bit >>>= 1) {
    if ((bitmap & bit) === 0) continue;
    const words = wordsOf(bit, layout);
    emitBit(block, bit, { bytes, at, words, layout });
    at += 4 * words;
  }
  for (const [i, word] of block.domain.entries()) writeUint32(bytes, at + 4 * i, word);
  if ((bitmap & COMPLEMENT) !== 0 && block.checksumComplement !== undefined) {
    writeUint32(bytes, offset + 4 * (layout.hopWords - 1), block.checksumComplement);
  }
}

function wordsOf(bit: number, { timestampWords, bit6 }: IntMetadataForm): number {
  if ((bit & TIMESTAMPS) !== 0) return timestampWords;
  return bit === INTERFACES_2 && bit6 === 'interfaces' ? 2 : 1;
}

interface Place {
  readonly bytes: Uint8Array;
  readonly at: number;
  readonly words: number;
  readonly layout: IntBlockLayout;
}

function emitBit(block: IntBlock, bit: number, place: Place): void {
  const { bytes, at } = place;
  switch (bit) {
    case INTERFACES:
      writeUint16(bytes, at, block.ingressInterface ?? 0xffff);
      writeUint16(bytes, at + 2, block.egressInterface ?? 0xffff);
      return;
    case QUEUE:
      emitIdAndCount(place, block.queueId, block.queueOccupancy);
      return;
    case BUFFER:
      emitIdAndCount(place, block.bufferId, block.bufferOccupancy);
      return;
    case INGRESS_TIMESTAMP:
      emitTimestamp(place, block.ingressTimestamp);
      return;
    case EGRESS_TIMESTAMP:
      emitTimestamp(place, block.egressTimestamp);
      return;
    case INTERFACES_2:
      emitBit6(block, place);
      return;
    default:
      writeUint32(bytes, at, singleWord(block, bit, place.layout.instructionBitmap) ?? 0xffff_ffff);
  }
}

function emitBit6(block: IntBlock, place: Place): void {
  const { bytes, at, layout } = place;
  switch (layout.bit6) {
    case 'interfaces':
      writeUint32(bytes, at, block.ingressInterface2 ?? 0xffff_ffff);
      writeUint32(bytes, at + 4, block.egressInterface2 ?? 0xffff_ffff);
      return;
    case 'narrow-interfaces':
      writeUint16(bytes, at, block.ingressInterface2 ?? 0xffff);
      writeUint16(bytes, at + 2, block.egressInterface2 ?? 0xffff);
      return;
    case 'congestion':
      emitIdAndCount(place, block.congestedQueueId, block.congestionStatus);
  }
}

function singleWord(block: IntBlock, bit: number, bitmap: number): number | undefined {
  if (bit === NODE_ID) return block.nodeId;
  if (bit === HOP_LATENCY) return block.hopLatency;
  if (bit === TX_UTILIZATION) return block.txUtilization;
  // The bits above this one among the reserved bits come first.
  return block.reserved?.[bitCount(bitmap & RESERVED & ~(2 * bit - 1))];
}

function emitIdAndCount({ bytes, at }: Place, id = 0xff, count = 0xff_ffff): void {
  bytes[at] = id;
  writeUint24(bytes, at + 1, count);
}

function emitTimestamp({ bytes, at, words }: Place, time: Word64 | undefined): void {
  if (time === undefined) return;
  if (words === 2) writeWord64(bytes, at, time);
  else writeUint32(bytes, at, time.low);
}
