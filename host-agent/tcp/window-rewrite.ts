import { readUint16, writeUint16 } from '../../common/wire/bytes';
import { updateChecksum } from '../../common/wire/ip/checksum';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { TCP_CHECKSUM_AT } from '../../common/wire/ip/tcp';
import type { Bytes } from '../../common/units/units';

const WINDOW_AT = 14;
/** Segments beyond W: they wait in the own class, or for a delayed acknowledgement. */
const SLACK_BYTES: Bytes = 4 * 1460;

/**
 * The largest window field that lets `windowBytes` be in flight, with a little more: below four
 * segments delayed acknowledgements would stop a connection.
 * @param scale shift of the field, 0 to 14.
 * @returns 1 to 65535; never 0, which would close the window.
 */
export function windowField(windowBytes: Bytes, scale: number): number {
  const field = Math.ceil((windowBytes + SLACK_BYTES) / 2 ** scale);
  return Math.min(Math.max(field, 1), 0xffff);
}

/**
 * Lowers the window of a TCP segment in a frame with an IPv4 header without options, and updates its
 * checksum by the difference (RFC 1624). The kernel's program does the same, see
 * window-program.ts; this says what that must do.
 * @returns whether the frame has changed.
 */
export function lowerWindow(frame: Uint8Array, limit: number): boolean {
  const tcpAt = ETHERNET_LENGTH + 20;
  const advertised = readUint16(frame, tcpAt + WINDOW_AT);
  if (advertised <= limit) return false;
  const checksum = readUint16(frame, tcpAt + TCP_CHECKSUM_AT);
  writeUint16(frame, tcpAt + WINDOW_AT, limit);
  writeUint16(frame, tcpAt + TCP_CHECKSUM_AT, updateChecksum(checksum, advertised, limit));
  return true;
}
