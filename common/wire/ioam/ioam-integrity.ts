import { copyOf, readUint16, writeUint16 } from '../bytes';
import type { Word64 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';

/**
 * Integrity header of the protected IOAM options (draft-ietf-ippm-ioam-data-integrity), AES-GMAC:
 *
 *     | method 8 = 0 | nonce length 8 = 12 | r 16 |
 *     | nonce: key id 8, node id 24, counter 64 | check value 128 |
 */
export const IOAM_INTEGRITY_LENGTH = 32;
const IOAM_NONCE_LENGTH = 12;

/** The integrity header of a protected IOAM option. */
export interface IoamIntegrity {
  readonly keyId: number;
  readonly nodeId: number;
  readonly counter: Word64;
  readonly checkValue: Uint8Array;
}

const NONCE = new FixedFormat<Omit<IoamIntegrity, 'checkValue'>>('ioam-integrity', {
  keyId: 8,
  nodeId: 24,
  counter: 'word64',
});

/** Refuses methods other than AES-GMAC and nonces other than of 12 bytes. */
export function parseIoamIntegrity(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): IoamIntegrity | WireFault {
  if (end < offset + IOAM_INTEGRITY_LENGTH) {
    return truncated('ioam-integrity', offset, IOAM_INTEGRITY_LENGTH, end);
  }
  const method = readUint16(bytes, offset);
  if (method !== IOAM_NONCE_LENGTH) {
    const reason = `method and nonce length must be 0x000c, found 0x${method.toString(16)}`;
    return new WireFault('ioam-integrity', offset, reason);
  }
  const checkValue = bytes.subarray(offset + 16, offset + IOAM_INTEGRITY_LENGTH);
  return { ...NONCE.read(bytes, offset + 4), checkValue };
}

export function emitIoamIntegrity(header: IoamIntegrity, bytes: Uint8Array, offset: number): void {
  writeUint16(bytes, offset, IOAM_NONCE_LENGTH);
  writeUint16(bytes, offset + 2, 0);
  NONCE.emit(header, bytes, offset + 4);
  bytes.set(header.checkValue, offset + 16);
}

/**
 * The 8 bytes of a trace header as they count for the check value: what transit nodes change
 * (overflow, remaining length) is zero.
 */
export function maskedTraceHeader(bytes: Uint8Array, offset: number): Uint8Array {
  const masked = copyOf(bytes, offset, offset + 8);
  writeUint16(masked, 2, readUint16(masked, 2) & 0xfb00);
  masked[7] = 0;
  return masked;
}
