import type { Bytes } from '../../../common/units/units';
import type { Reth } from '../../../common/wire/roce/extended-headers';

/** Memory that peers may write to or read from. */
export interface MemoryRegion {
  readonly key: number;
  /** Virtual address of the first byte; below 2^53. */
  readonly base: number;
  readonly length: Bytes;
  readonly access: { readonly write: boolean; readonly read: boolean };
}

/** A part of a region that may be used as was asked. */
export interface GrantedMemory {
  /** Offset from the beginning of the region. */
  readonly offset: number;
  readonly length: Bytes;
}

const WORD_MODULUS = 0x1_0000_0000;

/**
 * Grants a request its range of memory; undefined if the key is unknown, the access not allowed or the
 * range not within the region (InfiniBand architecture, volume 1, section 10.6.3.1). Key and address of a
 * request for no bytes are not looked at.
 */
export function grantMemory(
  region: MemoryRegion,
  reth: Reth,
  access: keyof MemoryRegion['access'],
): GrantedMemory | undefined {
  const { remoteKey, virtualAddress, dmaLength: length } = reth;
  if (length === 0) return { offset: 0, length };
  const address = virtualAddress.high * WORD_MODULUS + virtualAddress.low;
  const offset = address - region.base;
  const isWithin = offset >= 0 && Number.isSafeInteger(address) && offset + length <= region.length;
  if (remoteKey !== region.key || !region.access[access] || !isWithin) return undefined;
  return { offset, length };
}
