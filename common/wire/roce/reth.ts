import { readUint32, writeUint32 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';
import { readWord64, writeWord64 } from '../word64';
import type { Word64 } from '../word64';

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
