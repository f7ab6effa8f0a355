import { createHmac } from 'node:crypto';

/** HMAC-SHA-256, 32 bytes (RFC 2104); what {@link KeyRing} takes as its code. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(message).digest();
}
