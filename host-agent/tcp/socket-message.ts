import { writeUint16, writeUint32 } from '../../common/wire/bytes';
import type { ConnectionKey } from './connection-key';

/**
 * TCP sockets in messages of sock_diag(7): linux/sock_diag.h and linux/inet_diag.h. Numbers are in the
 * machine's byte order, little endian wherever this project runs, but for ports and addresses.
 */
const NLM_F_REQUEST = 1;
const SOCK_DIAG_BY_FAMILY = 20;
const AF_INET = 2;
const IPPROTO_TCP = 6;
const INET_DIAG_TOS = 5;
const ALL_STATES = 0xffff_ffff;

/** Lengths in bytes of nlmsghdr, inet_diag_req_v2 and inet_diag_msg, and of an attribute's header. */
const HEADER_BYTES = 16;
const REQUEST_BYTES = 56;
const SOCKET_BYTES = 72;
const ATTRIBUTE_BYTES = 4;
/** Offset of the ports in the request: behind family, protocol, extensions, padding and states. */
const ID_AT = HEADER_BYTES + 8;
const COOKIE_AT = ID_AT + 40;

/** Asks for the socket of a connection over IPv4, and for its type of service. */
export function socketRequest(key: ConnectionKey): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + REQUEST_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, SOCK_DIAG_BY_FAMILY, true);
  view.setUint16(6, NLM_F_REQUEST, true);
  bytes.set([AF_INET, IPPROTO_TCP, 1 << (INET_DIAG_TOS - 1)], HEADER_BYTES);
  view.setUint32(HEADER_BYTES + 4, ALL_STATES, true);
  writeUint16(bytes, ID_AT, key.localPort);
  writeUint16(bytes, ID_AT + 2, key.remotePort);
  writeUint32(bytes, ID_AT + 4, key.localAddress);
  writeUint32(bytes, ID_AT + 20, key.remoteAddress);
  // Whichever socket has these ends.
  bytes.fill(0xff, COOKIE_AT, COOKIE_AT + 8);
  return bytes;
}

/** DSCP that the kernel gives to what the socket sends; undefined for an answer without a socket. */
export function parseSocketClass(answer: Uint8Array): number | undefined {
  if (answer.length < HEADER_BYTES) return undefined;
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
  const end = Math.min(view.getUint32(0, true), answer.length);
  if (view.getUint16(4, true) !== SOCK_DIAG_BY_FAMILY) return undefined;
  for (let at = HEADER_BYTES + SOCKET_BYTES; at + ATTRIBUTE_BYTES < end;) {
    const length = view.getUint16(at, true);
    if (length < ATTRIBUTE_BYTES) return undefined;
    if (view.getUint16(at + 2, true) === INET_DIAG_TOS) {
      return (answer[at + ATTRIBUTE_BYTES] as number) >>> 2;
    }
    at += (length + 3) & ~3;
  }
  return undefined;
}
