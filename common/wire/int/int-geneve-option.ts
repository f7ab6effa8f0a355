import { readUint16, writeUint16 } from '../bytes';
import type { WireFault } from '../fault';
import { truncated } from '../fault';

/**
 * Header of the Geneve option that carries INT ("INT over Geneve").
 *
 *     | option class 16 | INT type 8 | r 3 | length 5, words of data |
 *
 * The length bounds the stack: 124 bytes are the INT-MD header and three blocks of 32 bytes.
 */
export const INT_GENEVE_OPTION_LENGTH = 4;

/** Of v2.1; v2.0 names 0x00AB as an example. */
export const GENEVE_CLASS_INT = 0x0103;

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
