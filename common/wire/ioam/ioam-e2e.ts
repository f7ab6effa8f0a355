import { readUint16, readUint32, readWord64, writeUint16, writeUint32 } from '../bytes';
import { writeWord64 } from '../bytes';
import type { Word64 } from '../bytes';
import { WireFault, truncated } from '../fault';

/**
 * IOAM Edge-to-Edge option (RFC 9197 section 4.6): fields in the order of the type's bits.
 *
 *     | namespace 16 | type 16 | 0 sequence 64 | 1 sequence 32 | 2 seconds 32 | 3 fraction 32 |
 */
const IOAM_E2E_HEADER_LENGTH = 4;

const SEQUENCE_64 = 0x8000;
const KNOWN = 0xf000;

/** Bits 1 to 3, one word each, under their names. */
const WORDS = [
  [0x4000, 'sequence'],
  [0x2000, 'seconds'],
  [0x1000, 'fraction'],
] as const;

/** The edge-to-edge option. */
export interface IoamE2e {
  readonly namespaceId: number;
  readonly sequence64?: Word64;
  readonly sequence?: number;
  readonly seconds?: number;
  readonly fraction?: number;
}

type MutableE2e = { -readonly [Key in keyof IoamE2e]: IoamE2e[Key] };

/** Reads the option from `offset` to `end`. Refuses types with undefined bits, whose fields have no known length. */
export function parseIoamE2e(bytes: Uint8Array, offset: number, end: number): IoamE2e | WireFault {
  if (end < offset + IOAM_E2E_HEADER_LENGTH) {
    return truncated('ioam-e2e', offset, IOAM_E2E_HEADER_LENGTH, end);
  }
  const type = readUint16(bytes, offset + 2);
  if ((type & ~KNOWN) !== 0) {
    const reason = `type must have bits 0 to 3 only, found 0x${type.toString(16)}`;
    return new WireFault('ioam-e2e', offset + 2, reason);
  }
  const need = lengthOfType(type);
  if (end < offset + need) return truncated('ioam-e2e', offset, need, end);
  if (end > offset + need) {
    const reason = `length must be ${need} bytes for its type, found ${end - offset}`;
    return new WireFault('ioam-e2e', offset + 2, reason);
  }
  const option: MutableE2e = { namespaceId: readUint16(bytes, offset) };
  let at = offset + IOAM_E2E_HEADER_LENGTH;
  if ((type & SEQUENCE_64) !== 0) {
    option.sequence64 = readWord64(bytes, at);
    at += 8;
  }
  for (const [mask, name] of WORDS) {
    if ((type & mask) === 0) continue;
    option[name] = readUint32(bytes, at);
    at += 4;
  }
  return option;
}

export const ioamE2eLength = (option: IoamE2e): number => lengthOfType(typeOf(option));

export function emitIoamE2e(option: IoamE2e, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset, option.namespaceId);
  writeUint16(bytes, offset + 2, typeOf(option));
  let at = offset + IOAM_E2E_HEADER_LENGTH;
  if (option.sequence64 !== undefined) {
    writeWord64(bytes, at, option.sequence64);
    at += 8;
  }
  for (const [, name] of WORDS) {
    const word = option[name];
    if (word === undefined) continue;
    writeUint32(bytes, at, word);
    at += 4;
  }
}

function typeOf(option: IoamE2e): number {
  const words = WORDS.filter(([, name]) => option[name] !== undefined);
  const start = option.sequence64 === undefined ? 0 : SEQUENCE_64;
  return words.reduce((type, [mask]) => type | mask, start);
}

const lengthOfType = (type: number): number =>
  IOAM_E2E_HEADER_LENGTH +
  ((type & SEQUENCE_64) === 0 ? 0 : 8) +
  4 * WORDS.filter(([mask]) => (type & mask) !== 0).length;
