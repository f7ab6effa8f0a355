import { readUint32, writeUint16, writeUint32 } from '../bytes';
import { WireFault } from '../fault';
import { SELECTIVE_ACK } from '../transport-layouts';

/**
 * Selective acknowledgement of the reliable transport, in the manner of RFC 2018: bytes beyond the
 * acknowledgement that the receiver has. It follows the congestion record of an ACK with
 * HPCC_FLAG_SACK, before the trailer; transport-layouts.ts describes its fields.
 *
 * Block 1 holds the segment that caused the ACK. Its length never varies, so that cutting an
 * echo out of an ACK needs the flags only.
 */
export const SELECTIVE_ACK_LENGTH = SELECTIVE_ACK.size;
const SELECTIVE_ACK_VERSION = 1;
const SACK_BLOCKS_MAX = 3;
const BLOCK_LENGTH = 8;

/** Bytes that a receiver has, by their sequence numbers. */
export interface SackBlock {
  readonly from: number;
  /** Sequence number behind the last byte. */
  readonly to: number;
}

/** Why the record at `offset` is none of version 1; the caller has checked that its bytes exist. */
export function checkSelectiveAck(bytes: Uint8Array, offset: number): WireFault | undefined {
  const version = bytes[offset] as number;
  if (version !== SELECTIVE_ACK_VERSION) {
    return new WireFault(NAME, offset, `version must be 1, found ${version}`);
  }
  const count = bytes[offset + 1] as number;
  if (count < 1 || count > SACK_BLOCKS_MAX) {
    return new WireFault(
      NAME,
      offset + 1,
      `must have 1 to ${SACK_BLOCKS_MAX} blocks, not ${count}`,
    );
  }
  for (let i = 0; i < count; i++) {
    const at = offset + 4 + i * BLOCK_LENGTH;
    if (readUint32(bytes, at) > 0 && readUint32(bytes, at + 4) > 0) continue;
    return new WireFault(
      NAME,
      at,
      `block ${i + 1} must begin behind the acknowledgement, not empty`,
    );
  }
  return undefined;
}

/** The blocks of a record that {@link checkSelectiveAck} accepts. */
export function readSelectiveAck(
  bytes: Uint8Array,
  offset: number,
  acknowledgement: number,
): SackBlock[] {
  return Array.from({ length: bytes[offset + 1] as number }, (_, i) => {
    const at = offset + 4 + i * BLOCK_LENGTH;
    const from = acknowledgement + readUint32(bytes, at);
    return { from, to: from + readUint32(bytes, at + 4) };
  });
}

/** The first three of `blocks`, at least one; all begin within 2^32 bytes of `acknowledgement`. */
export function emitSelectiveAck(
  blocks: readonly SackBlock[],
  acknowledgement: number,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes.fill(0, offset, offset + SELECTIVE_ACK_LENGTH);
  const count = Math.min(blocks.length, SACK_BLOCKS_MAX);
  writeUint16(bytes, offset, (SELECTIVE_ACK_VERSION << 8) | count);
  blocks.slice(0, count).forEach(({ from, to }, i) => {
    const at = offset + 4 + i * BLOCK_LENGTH;
    writeUint32(bytes, at, from - acknowledgement);
    writeUint32(bytes, at + 4, to - from);
  });
}

const NAME = 'selective-ack';
