import { truncated } from '../fault';
import type { WireFault } from '../fault';
import { FixedFormat } from '../fixed-format';

/** Next protocols of VXLAN-GPE that announce INT: 2.1's, and 2.0's. */
export const INT_GPE_PROTOCOLS: readonly number[] = [0x82, 0x80];
/** Option classes of Geneve that announce INT: 2.1's, and the example of 2.0. */
export const INT_GENEVE_CLASSES: readonly number[] = [0x0103, 0x00ab];

/** A shim that announces the words behind it, which must be there too. */
class ShimFormat<Shim extends { readonly words: number }> extends FixedFormat<Shim> {
  override parse(bytes: Uint8Array, offset = 0, end = bytes.length): Shim | WireFault {
    const shim = super.parse(bytes, offset, end);
    if (!('words' in shim)) return shim;
    const need = this.size + 4 * shim.words;
    return end < offset + need ? truncated(this.name, offset, need, end) : shim;
  }
}

/** The shim of INT over GRE. */
export interface IntGreShim {
  readonly type: number;
  /** The INT source added the GRE header, so the sink removes it. */
  readonly greAdded: boolean;
  readonly words: number;
  /** EtherType of what follows the INT bytes. */
  readonly nextProtocol: number;
}

/**
 * INT shim after a GRE header ("INT over GRE").
 *
 *     | type 4 | G 1 | r 3 | length 8, words after the shim | next protocol 16 |
 */
export const INT_GRE_SHIM = new ShimFormat<IntGreShim>('int-gre-shim', {
  type: 4,
  greAdded: 'flag',
  r1: 3,
  words: 8,
  nextProtocol: 16,
});

/** The header of the Geneve option that carries INT. */
export interface IntGeneveOption {
  readonly optionClass: number;
  readonly type: number;
  readonly words: number;
}

/**
 * Header of the Geneve option that carries INT ("INT over Geneve"): class 0x0103 in v2.1, where
 * v2.0 names 0x00AB as an example.
 *
 *     | option class 16 | INT type 8 | r 3 | length 5, words of data |
 *
 * The length bounds the stack: 124 bytes are the INT-MD header and three blocks of 32 bytes.
 */
export const INT_GENEVE_OPTION = new ShimFormat<IntGeneveOption>('int-geneve-option', {
  optionClass: 16,
  type: 8,
  r1: 3,
  words: 5,
});

/** The shim of INT over VXLAN-GPE. */
export interface IntVxlanGpeShim {
  readonly type: number;
  readonly words: number;
  /** The packet was plain VXLAN before the INT source. */
  readonly wasVxlan: boolean;
  readonly nextProtocol: number;
}

/**
 * INT shim after a VXLAN-GPE header ("INT over VXLAN GPE"), whose next protocol announces it: 0x08 in
 * v1.0, 0x80 in v2.0, 0x82 in v2.1.
 *
 *     | type 4 | r 4 | length 8, words after the shim | G 1, r 7 | next protocol 8 |
 */
export const INT_VXLAN_GPE_SHIM = new ShimFormat<IntVxlanGpeShim>('int-vxlan-gpe-shim', {
  type: 4,
  r1: 4,
  words: 8,
  wasVxlan: 'flag',
  r2: 7,
  nextProtocol: 8,
});
