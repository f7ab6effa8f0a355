import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * INT shim after a VXLAN-GPE header ("INT over VXLAN GPE").
 *
 *     | type 4 | r 4 | length 8, words after the shim | G 1, r 7 | next protocol 8 |
 */
export const INT_VXLAN_GPE_SHIM_LENGTH = 4;

/** Next protocol of the VXLAN-GPE header that announces the shim, per INT version. */
export const VXLAN_GPE_NEXT_INT = { '1.0': 0x08, '2.0': 0x80, '2.1': 0x82 } as const;

export interface IntVxlanGpeShim {
  readonly type: number;
  readonly words: number;
  /** The packet was plain VXLAN before the INT source. */
  readonly wasVxlan: boolean;
  readonly nextProtocol: number;
}

export function parseIntVxlanGpeShim(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntVxlanGpeShim | WireFault {
  if (end < offset + INT_VXLAN_GPE_SHIM_LENGTH) {
    return truncated('int-vxlan-gpe-shim', offset, INT_VXLAN_GPE_SHIM_LENGTH, end);
  }
  const words = bytes[offset + 1] as number;
  const need = INT_VXLAN_GPE_SHIM_LENGTH + 4 * words;
  if (end < offset + need) return truncated('int-vxlan-gpe-shim', offset, need, end);
  return {
    type: (bytes[offset] as number) >>> 4,
    words,
    wasVxlan: ((bytes[offset + 2] as number) & 0x80) !== 0,
    nextProtocol: bytes[offset + 3] as number,
  };
}

export function emitIntVxlanGpeShim(
  shim: IntVxlanGpeShim,
  bytes: Uint8Array,
  offset: number,
): void {
  bytes[offset] = shim.type << 4;
  bytes[offset + 1] = shim.words;
  bytes[offset + 2] = shim.wasVxlan ? 0x80 : 0;
  bytes[offset + 3] = shim.nextProtocol;
}
