import { readUint24, readUint32, readWord64, writeUint24, writeUint32 } from '../bytes';
import { writeWord64 } from '../bytes';
import type { Word64 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * InfiniBand RDMA Extended Transport Header.
 *
 *     | virtual address 64 | remote key 32 | DMA length 32 |
 */
export const RETH_LENGTH = 16;

export interface Reth {
  readonly virtualAddress: Word64;
  readonly remoteKey: number;
  /** Bytes of the whole RDMA operation. */
  readonly dmaLength: number;
}

export function parseReth(bytes: Uint8Array, offset: number, end = bytes.length): Reth | WireFault {
  if (end < offset + RETH_LENGTH) return truncated('reth', offset, RETH_LENGTH, end);
  return {
    virtualAddress: readWord64(bytes, offset),
    remoteKey: readUint32(bytes, offset + 8),
    dmaLength: readUint32(bytes, offset + 12),
  };
}

export function emitReth(reth: Reth, bytes: Uint8Array, offset: number): void {
  writeWord64(bytes, offset, reth.virtualAddress);
  writeUint32(bytes, offset + 8, reth.remoteKey);
  writeUint32(bytes, offset + 12, reth.dmaLength);
}

/**
 * InfiniBand Acknowledge Extended Transport Header.
 *
 *     | 0, kind 2, value 5 | message sequence number 24 |
 */
export const AETH_LENGTH = 4;

/** The credit code that says that credits are not used. */
export const AETH_NO_CREDITS = 31;

/** Kinds of AETH in the order of their two bits; `reserved` is read so that it can be reported. */
const KINDS = ['ack', 'rnr-nak', 'reserved', 'nak'] as const;

export interface Aeth {
  readonly kind: (typeof KINDS)[number];
  /** `ack`: credit code; `rnr-nak`: timer code; `nak`: error code. */
  readonly value: number;
  readonly msn: number;
}

export function parseAeth(bytes: Uint8Array, offset: number, end = bytes.length): Aeth | WireFault {
  if (end < offset + AETH_LENGTH) return truncated('aeth', offset, AETH_LENGTH, end);
  const syndrome = bytes[offset] as number;
  const kind = KINDS[syndrome >>> 5];
  if (kind === undefined) {
    return new WireFault('aeth', offset, `bit 7 of the syndrome must be 0, found ${syndrome}`);
  }
  return { kind, value: syndrome & 0x1f, msn: readUint24(bytes, offset + 1) };
}

export function emitAeth(aeth: Aeth, bytes: Uint8Array, offset: number): void {
  bytes[offset] = (KINDS.indexOf(aeth.kind) << 5) | aeth.value;
  writeUint24(bytes, offset + 1, aeth.msn);
}
