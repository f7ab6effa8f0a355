import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { IPV4_LENGTH } from '../../common/wire/ip/ipv4';

const LENGTH_BYTES = 2;

/** Frames one after the other, each behind its length in two bytes. */
export function packFrames(frames: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(
    frames.flatMap((bytes) => [Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]),
  );
}

/** The frames of an input; a length that is too long takes what is left. */
export function* framesOf(input: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at + LENGTH_BYTES <= input.length;) {
    const length = 256 * (input[at] ?? 0) + (input[at + 1] ?? 0);
    const start = at + LENGTH_BYTES;
    yield input.slice(start, start + length);
    at = start + length;
  }
}

/** The frame with a checksum of IPv4 that is right, so that damage gets beyond it. Changes `bytes`. */
export function withIpv4Checksum(bytes: Uint8Array): Uint8Array {
  const length = 4 * ((bytes[ETHERNET_LENGTH] ?? 0) & 0xf);
  if (length < IPV4_LENGTH || bytes.length < ETHERNET_LENGTH + length) return bytes;
  const at = ETHERNET_LENGTH + 10;
  bytes[at] = bytes[at + 1] = 0;
  let sum = 0;
  for (let i = ETHERNET_LENGTH; i < ETHERNET_LENGTH + length; i += 2) {
    sum += 256 * (bytes[i] ?? 0) + (bytes[i + 1] ?? 0);
  }
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  bytes[at] = (~sum >>> 8) & 0xff;
  bytes[at + 1] = ~sum & 0xff;
  return bytes;
}
