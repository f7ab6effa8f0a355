import { readUint16, writeUint16 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * INT shim over TCP or UDP, v2.0 and v2.1 ("INT over TCP/UDP").
 *
 *     | type 4 | npt 2 | r 2 | length 8, words after the shim | by npt 16 |
 *     npt 0: | r 8 | original DSCP 6 | r 2 |      found by DSCP or probe marker
 *     npt 1: | original UDP destination port 16 | found by UDP port
 *     npt 2: | r 8 | original IP protocol 8 |     a UDP header was added
 */
export const INT_SHIM_LENGTH = 4;

export const INT_TYPE_MD = 1;
export const INT_TYPE_MX = 3;

/** The shim in front of INT of versions 2.x, behind TCP or UDP. */
export type IntShim = {
  /** INT_TYPE_*. */
  readonly type: number;
  /** Words after the shim: header and stack. */
  readonly words: number;
} & (
  | { readonly npt: 0; readonly originalDscp: number }
  | { readonly npt: 1; readonly originalPort: number }
  | { readonly npt: 2; readonly originalProtocol: number }
);

/** Refuses types and NPT that are not defined, and a length that reaches beyond `end`. */
export function parseIntShim(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IntShim | WireFault {
  if (end < offset + INT_SHIM_LENGTH) return truncated('int-shim', offset, INT_SHIM_LENGTH, end);
  const first = bytes[offset] as number;
  const type = first >>> 4;
  if (type < INT_TYPE_MD || type > INT_TYPE_MX) {
    return new WireFault('int-shim', offset, `type must be 1 to 3, found ${type}`);
  }
  const words = bytes[offset + 1] as number;
  const need = INT_SHIM_LENGTH + 4 * words;
  if (end < offset + need) return truncated('int-shim', offset, need, end);
  const last = readUint16(bytes, offset + 2);
  const npt = (first >>> 2) & 3;
  switch (npt) {
    case 0:
      return { type, words, npt, originalDscp: (last >>> 2) & 0x3f };
    case 1:
      return { type, words, npt, originalPort: last };
    case 2:
      return { type, words, npt, originalProtocol: last & 0xff };
    default:
      return new WireFault('int-shim', offset, `npt must be 0 to 2, found ${npt}`);
  }
}

/** The DSCP that the shim at `offset` keeps, of packets that are found by their own. */
export const originalDscpAt = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset + 3] as number) >>> 2;

export function emitIntShim(shim: IntShim, bytes: Uint8Array, offset: number): void {
  bytes[offset] = (shim.type << 4) | (shim.npt << 2);
  bytes[offset + 1] = shim.words;
  writeUint16(bytes, offset + 2, lastHalf(shim));
}

function lastHalf(shim: IntShim): number {
  switch (shim.npt) {
    case 0:
      return shim.originalDscp << 2;
    case 1:
      return shim.originalPort;
    case 2:
      return shim.originalProtocol;
  }
}
