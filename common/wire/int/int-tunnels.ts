import { readUint16, writeUint16 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';

/**
 * INT shim after a GRE header ("INT over GRE").
 *
 *     | type 4 | G 1 | r 3 | length 8, words after the shim | next protocol 16 |
 */
export const INT_GRE_SHIM_LENGTH = 4;

/** The shim of INT over GRE. */
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

/**
 * Header of the Geneve option that carries INT ("INT over Geneve"): class 0x0103 in v2.1, where
 * v2.0 names 0x00AB as an example.
 *
 *     | option class 16 | INT type 8 | r 3 | length 5, words of data |
 *
 * The length bounds the stack: 124 bytes are the INT-MD header and three blocks of 32 bytes.
 */
export const INT_GENEVE_OPTION_LENGTH = 4;

/** The header of the Geneve option that carries INT. */
export interface IntGeneveOption {
  readonly optionClass: number;
  readonly type: number;
  readonly words: number;
}

export function parseIntGeneveOption(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntGeneveOption | WireFault {
  if (end < offset + INT_GENEVE_OPTION_LENGTH) {
    return truncated('int-geneve-option', offset, INT_GENEVE_OPTION_LENGTH, end);
  }
  const words = (bytes[offset + 3] as number) & 0x1f;
  const need = INT_GENEVE_OPTION_LENGTH + 4 * words;
  if (end < offset + need) return truncated('int-geneve-option', offset, need, end);
  return { optionClass: readUint16(bytes, offset), type: bytes[offset + 2] as number, words };
}

export function emitIntGeneveOption(
  option: IntGeneveOption,
  bytes: Uint8Array,
  offset: number,
): void {
  writeUint16(bytes, offset, option.optionClass);
  bytes[offset + 2] = option.type;
  bytes[offset + 3] = option.words;
}

/**
 * INT shim after a VXLAN-GPE header ("INT over VXLAN GPE"), whose next protocol announces it: 0x08 in
 * v1.0, 0x80 in v2.0, 0x82 in v2.1.
 *
 *     | type 4 | r 4 | length 8, words after the shim | G 1, r 7 | next protocol 8 |
 */
export const INT_VXLAN_GPE_SHIM_LENGTH = 4;

/** The shim of INT over VXLAN-GPE. */
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
