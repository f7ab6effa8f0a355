import { readUint16, writeUint16 } from '../../common/wire/bytes';
import { finishChecksum, foldChecksum } from '../../common/wire/ip/checksum';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { TCP_CHECKSUM_AT } from '../../common/wire/ip/tcp';

const WINDOW_AT = 14;

/**
 * Lowers the window of a TCP segment in a frame with an IPv4 header without options, and updates its
 * checksum by the difference (RFC 1624). This says what the
 * kernel's program must do.
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

/**
 * Checksum field after 16-bit words changed (RFC 1624, equation 3: HC' = ~(~HC + ~m + m')).
 *
 * @param removed sum of the words that went, @param added sum of the words that came; both unfolded.
 */
function updateChecksum(checksum: number, removed: number, added: number): number {
  return finishChecksum((~checksum & 0xffff) + (~foldChecksum(removed) & 0xffff) + added);
}
