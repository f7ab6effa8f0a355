import { readUint16, writeUint16 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * INT shim after a GRE header ("INT over GRE").
 *
 *     | type 4 | G 1 | r 3 | length 8, words after the shim | next protocol 16 |
 */
export const INT_GRE_SHIM_LENGTH = 4;

export interface IntGreShim {
  readonly type: number;
  /** The INT source added the GRE header, so the sink removes it. */
  readonly greAdded: boolean;
  readonly words: number;
  /** EtherType of what follows the INT bytes. */
  readonly nextProtocol: number;
}

export function parseIntGreShim(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntGreShim | WireFault {
  if (end < offset + INT_GRE_SHIM_LENGTH) {
    return truncated('int-gre-shim', offset, INT_GRE_SHIM_LENGTH, end);
  }
  const words = bytes[offset + 1] as number;
  const need = INT_GRE_SHIM_LENGTH + 4 * words;
  if (end < offset + need) return truncated('int-gre-shim', offset, need, end);
  const first = bytes[offset] as number;
  return {
    type: first >>> 4,
    greAdded: (first & 0x08) !== 0,
    words,
    nextProtocol: readUint16(bytes, offset + 2),
  };
}

export function emitIntGreShim(shim: IntGreShim, bytes: Uint8Array, offset: number): void {
  bytes[offset] = (shim.type << 4) | (shim.greAdded ? 0x08 : 0);
  bytes[offset + 1] = shim.words;
  writeUint16(bytes, offset + 2, shim.nextProtocol);
}
