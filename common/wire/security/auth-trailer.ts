import { truncated } from '../fault';
import type { WireFault } from '../fault';
import { MAC_LENGTH } from './message-mac';
import { readWord64, writeWord64 } from '../bytes';
import type { Word64 } from '../bytes';

/**
 * Authentication after the body of a telemetry response, inside the ICRC (our choice):
 *
 *     | key id 8 | r 24 | sequence 64 | MAC 128 |
 */
export const AUTH_TRAILER_LENGTH = 12 + MAC_LENGTH;

export interface AuthTrailer {
  readonly keyId: number;
  readonly sequence: Word64;
  /** 16 bytes. */
  readonly mac: Uint8Array;
}

export function parseAuthTrailer(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): AuthTrailer | WireFault {
  if (end < offset + AUTH_TRAILER_LENGTH) {
    return truncated('auth-trailer', offset, AUTH_TRAILER_LENGTH, end);
  }
  return {
    keyId: bytes[offset] as number,
    sequence: readWord64(bytes, offset + 4),
    mac: bytes.subarray(offset + 12, offset + AUTH_TRAILER_LENGTH),
  };
}

export function emitAuthTrailer(trailer: AuthTrailer, bytes: Uint8Array, offset: number): void {
  bytes[offset] = trailer.keyId;
  bytes.fill(0, offset + 1, offset + 4);
  writeWord64(bytes, offset + 4, trailer.sequence);
  bytes.set(trailer.mac, offset + 12);
}
