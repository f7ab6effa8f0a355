import { readUint16, readUint32 } from '../../wire/bytes';
import { LINK_ETHERNET, LINK_NULL, LINK_SLL, LINK_SLL2 } from '../../wire/capture/link-type';
import { truncated } from '../../wire/fault';
import type { WireFault } from '../../wire/fault';
import { ETHERNET_LENGTH, ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';

/** A frame in bytes that may hold others before it. */
export interface FramePlace {
  readonly bytes: Uint8Array;
  /** Where the frame begins. */
  readonly at: number;
  /** Where it ends on the wire, of which `bytes` may hold less; Infinity where nobody knows. */
  readonly wireEnd: number;
  /** Kind of its first header, as in captures. */
  readonly linkType: number;
}

/** The packet behind the header of a link. */
export interface LinkPayload {
  /** 0 where the link layer names no protocol that Ethernet knows. */
  readonly etherType: number;
  readonly offset: number;
}

const NULL_LENGTH = 4;

/** Address families of IPv6 on Linux, NetBSD, FreeBSD and macOS; that of IPv4 is the same on all. */
const INET = 2;
const INET6: readonly number[] = [10, 24, 28, 30];

interface LinkHeader {
  readonly name: string;
  readonly length: number;
  /** Byte at which its EtherType stands. */
  readonly typeAt: number;
}

const ETHERNET: LinkHeader = {
  name: 'ethernet',
  length: ETHERNET_LENGTH,
  typeAt: ETHERNET_LENGTH - 2,
};
const SLL: LinkHeader = { name: 'sll', length: 16, typeAt: 14 };
const SLL2: LinkHeader = { name: 'sll2', length: 20, typeAt: 0 };

/** Reads the header of a frame's link. */
export function parseLink({ bytes, at, linkType }: FramePlace): LinkPayload | WireFault {
  switch (linkType) {
    case LINK_ETHERNET:
      return byField(bytes, at, ETHERNET);
    case LINK_SLL:
      return byField(bytes, at, SLL);
    case LINK_SLL2:
      return byField(bytes, at, SLL2);
    case LINK_NULL:
      return isLoopback(bytes, at)
        ? byVersion(bytes, at + NULL_LENGTH)
        : byField(bytes, at, ETHERNET);
    default:
      return byVersion(bytes, at);
  }
}

function byField(
  bytes: Uint8Array,
  at: number,
  { name, length, typeAt }: LinkHeader,
): LinkPayload | WireFault {
  if (bytes.length < at + length) return truncated(name, at, length, bytes.length);
  return { etherType: readUint16(bytes, at + typeAt), offset: at + length };
}

/** The version of IP tells its protocol, behind link layers that name none. */
export function byVersion(bytes: Uint8Array, offset: number): LinkPayload | WireFault {
  if (bytes.length <= offset) return truncated('ip', offset, 1, bytes.length);
  const version = (bytes[offset] as number) >>> 4;
  const etherType = version === 4 ? ETHERTYPE_IPV4 : version === 6 ? ETHERTYPE_IPV6 : 0;
  return { etherType, offset };
}

/** The family of BSD's loopback is in the order of the machine that captured. */
function isLoopback(bytes: Uint8Array, at: number): boolean {
  if (bytes.length <= at + NULL_LENGTH) return false;
  const word = readUint32(bytes, at);
  const swapped = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);
  const version = (bytes[at + NULL_LENGTH] as number) >>> 4;
  return [word, swapped].some(
    (family) => (family === INET && version === 4) || (INET6.includes(family) && version === 6),
  );
}
