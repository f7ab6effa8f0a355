import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';
import type { IntMetadataForm } from './int-metadata';
import { bitCount } from './int-metadata';

/**
 * INT over TCP or UDP, v0.5: header and stack between a shim and a tail. Every metadata is a word.
 *
 *     | type 8 | r 8 | length 8, words with shim and tail | r 8 |
 *     | ver 4 = 0 | rep 2 | C 1 | E 1 | r 3 | instruction count 5 | max hop count 8 | total hop count 8 |
 *     | instruction bitmap 16 | r 16 |
 *     | stack, newest block first |
 *     | protocol 8 | destination port 16 | r 2, DSCP 6 |
 */
export const INT_V05_HEAD_LENGTH = 12;
export const INT_V05_TAIL_LENGTH = 4;
const TYPE_HOP_BY_HOP = 1;

/** Sizes of metadata of v0.5. */
export const INT_V05_METADATA: IntMetadataForm = { timestampWords: 1, bit6: 'congestion' };

/** Shim and header. */
export interface IntV05Head {
  /** Words from shim to tail. */
  readonly words: number;
  /** Rep: 0 none, 1 ports of a LAG, 2 next hops, 3 both: how the packet may be replicated. */
  readonly replication: number;
  /** C: the packet is a copy. */
  readonly discard: boolean;
  /** E: a node could not push because `maxHops` nodes had. */
  readonly hopLimitExceeded: boolean;
  /** Words that each node pushes. */
  readonly hopWords: number;
  readonly maxHops: number;
  /** Nodes that have pushed. */
  readonly totalHops: number;
  readonly instructionBitmap: number;
}

/** Values that the sink restores. */
export interface IntV05Tail {
  readonly originalProtocol: number;
  readonly originalPort: number;
  readonly originalDscp: number;
}

/** The type and the version are reserved fields: they are constants. */
const HEAD = new FixedFormat<IntV05Head>('int-v0.5', {
  r1: 16,
  words: 8,
  r2: 8,
  r3: 4,
  replication: 2,
  discard: 'flag',
  hopLimitExceeded: 'flag',
  r4: 3,
  hopWords: 5,
  maxHops: 8,
  totalHops: 8,
  instructionBitmap: 16,
  r5: 16,
});

const TAIL = new FixedFormat<IntV05Tail>('int-v0.5-tail', {
  originalProtocol: 8,
  originalPort: 16,
  r1: 2,
  originalDscp: 6,
});

/** True if the version behind a shim whose type has eight bits is that of v0.5. */
export const isIntV05 = (bytes: Uint8Array, offset: number, end: number): boolean =>
  end > offset + 4 && (bytes[offset + 4] as number) >>> 4 === 0;

/** Refuses lengths that the packet does not have, and counts of instructions that are not the bitmap's. */
export function parseIntV05Head(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntV05Head | WireFault {
  const head = HEAD.parse(bytes, offset, end);
  if (head instanceof WireFault) return head;
  const { words, hopWords, instructionBitmap } = head;
  if (end < offset + 4 * words) return truncated('int-v0.5', offset, 4 * words, end);
  const least = (INT_V05_HEAD_LENGTH + INT_V05_TAIL_LENGTH) / 4;
  if (words < least) {
    return new WireFault('int-v0.5', offset, `length must be at least ${least}, found ${words}`);
  }
  const count = bitCount(instructionBitmap);
  if (hopWords === count) return head;
  const reason = `instruction count must be ${count} for its bitmap, found ${hopWords}`;
  return new WireFault('int-v0.5', offset + 4, reason);
}

export const readIntV05Tail = (bytes: Uint8Array, offset: number): IntV05Tail =>
  TAIL.read(bytes, offset);

export function emitIntV05Head(head: IntV05Head, bytes: Uint8Array, offset: number): void {
  HEAD.emit(head, bytes, offset);
  bytes[offset] = TYPE_HOP_BY_HOP;
}

export function emitIntV05Tail(tail: IntV05Tail, bytes: Uint8Array, offset: number): void {
  TAIL.emit(tail, bytes, offset);
}
