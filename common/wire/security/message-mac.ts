import { assert } from '../../assert';
import { readWord64, writeUint16, writeWord64 } from '../bytes';
import { truncated } from '../fault';
import type { WireFault } from '../fault';
import type { Word64 } from '../bytes';
import { AUTHENTICATION } from '../transport-layouts';

/**
 * Message authentication of notifications and responses (our choice): HMAC-SHA-256, its first 16
 * bytes, over a pseudo-header and the message without the code.
 *
 *     | label, ASCII, and a zero byte | source 128 | destination 128 | UDP port 16 | length 16 |
 *
 * IPv4 addresses are mapped into IPv6. Whatever changes on the way (TTL, DSCP, ECN, source port) is
 * left out; a label per kind of message keeps codes of one kind from passing for another.
 */
export const MAC_LENGTH = 16;
export const LABEL_NOTIFICATION = 'HPCC++CCMv1';
export const LABEL_RESPONSE = 'HPCC++TRSP1';

/** HMAC-SHA-256 with a key; the caller has the cryptography. */
export type Mac = (bytes: Uint8Array) => Uint8Array;

export interface MacContext {
  readonly label: string;
  /** 4 or 16 bytes, of the outer IP header. */
  readonly source: Uint8Array;
  readonly destination: Uint8Array;
  readonly destinationPort: number;
}

/** Input of the authentication code; `message` is the UDP payload without the code. */
export function macInput(context: MacContext, message: Uint8Array): Uint8Array {
  const label = Uint8Array.from(`${context.label}\0`, (char) => char.charCodeAt(0));
  const ports = new Uint8Array(4);
  writeUint16(ports, 0, context.destinationPort);
  writeUint16(ports, 2, message.length + MAC_LENGTH);
  return concatenated([
    label,
    mappedAddress(context.source),
    mappedAddress(context.destination),
    ports,
    message,
  ]);
}

/** The code of a message: 16 bytes. */
export function messageMac(context: MacContext, message: Uint8Array, mac: Mac): Uint8Array {
  const whole = mac(macInput(context, message));
  assert(whole.length >= MAC_LENGTH, 'a MAC has at least 16 bytes');
  return whole.subarray(0, MAC_LENGTH);
}

/** Compares in a time that does not depend on where the bytes differ. */
export function macsAreEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (const [i, byte] of left.entries()) difference |= byte ^ (right[i] as number);
  return difference === 0;
}

/** An address of 4 bytes as one of 16 (RFC 4291, section 2.5.5.2); others as they are. */
export function mappedAddress(address: Uint8Array): Uint8Array {
  assert(address.length === 4 || address.length === 16, 'an address has 4 or 16 bytes');
  if (address.length === 16) return address;
  const mapped = new Uint8Array(16);
  mapped[10] = mapped[11] = 0xff;
  mapped.set(address, 12);
  return mapped;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Bytes of the authentication after the body of feedback and of RoCEv2 messages, inside the ICRC. */
export const AUTH_TRAILER_LENGTH = AUTHENTICATION.size;

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
