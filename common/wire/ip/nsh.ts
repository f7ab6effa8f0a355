import { readUint24, writeUint24 } from '../bytes';
import { WireFault, truncated } from '../fault';
import { FixedFormat } from '../fixed-format';

/** EtherType of the Network Service Header. */
export const ETHERTYPE_NSH = 0x894f;

/** Protocols behind NSH (RFC 8300 section 2.2, RFC 9452 section 5). */
export const NSH_NEXT = { ipv4: 1, ipv6: 2, ethernet: 3, nsh: 4, mpls: 5, ioam: 6 } as const;

/** Bytes of base header and service path header. */
export const NSH_FIXED_LENGTH = 8;

/**
 * Network Service Header (RFC 8300 section 2):
 *
 *     | version 2 = 0, O 1, r 1, TTL 6, length 6 (words) | r 4, MD type 4, next protocol 8 |
 *     | service path id 24, service index 8 | context headers |
 */
export interface NshHeader {
  /** O: the packet is one of operation and maintenance. */
  readonly oam: boolean;
  /** Forwarders that the packet may still pass, of 6 bits. */
  readonly ttl: number;
  readonly mdType: number;
  readonly nextProtocol: number;
  readonly pathId: number;
  readonly serviceIndex: number;
  /** Context headers, a whole number of words. */
  readonly context: Uint8Array;
}

/** Refuses versions other than 0, and lengths without a service path header. */
export function parseNsh(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
): NshHeader | WireFault {
  if (end < offset + NSH_FIXED_LENGTH) return truncated('nsh', offset, NSH_FIXED_LENGTH, end);
  const [first = 0, second = 0, third = 0, nextProtocol = 0] = bytes.subarray(offset);
  if (first >>> 6 !== 0) {
    return new WireFault('nsh', offset, `version must be 0, found ${first >>> 6}`);
  }
  const length = 4 * (second & 0x3f);
  if (length < NSH_FIXED_LENGTH) {
    return new WireFault('nsh', offset, `length must be 2 words or more, found ${length / 4}`);
  }
  if (end < offset + length) return truncated('nsh', offset, length, end);
  return {
    oam: (first & 0x20) !== 0,
    ttl: ((first & 0xf) << 2) | (second >>> 6),
    mdType: third & 0xf,
    nextProtocol,
    pathId: readUint24(bytes, offset + 4),
    serviceIndex: bytes[offset + 7] as number,
    context: bytes.subarray(offset + NSH_FIXED_LENGTH, offset + length),
  };
}

export const nshLength = ({ context }: NshHeader): number => NSH_FIXED_LENGTH + context.length;

export function emitNsh(header: NshHeader, bytes: Uint8Array, offset: number): void {
  const { oam, ttl, mdType, nextProtocol, pathId, serviceIndex, context } = header;
  bytes[offset] = (oam ? 0x20 : 0) | (ttl >>> 2);
  bytes[offset + 1] = ((ttl & 3) << 6) | ((nshLength(header) / 4) & 0x3f);
  bytes[offset + 2] = mdType;
  bytes[offset + 3] = nextProtocol;
  writeUint24(bytes, offset + 4, pathId);
  bytes[offset + 7] = serviceIndex;
  bytes.set(context, offset + NSH_FIXED_LENGTH);
}

/**
 * Head of IOAM behind NSH (RFC 9452 section 3), in front of the option: the words count those of the head, too.
 *
 *     | IOAM option type 8 | length 8 (words) | r 8 | next protocol 8 |
 */
export interface NshIoamHead {
  readonly type: number;
  readonly words: number;
  readonly nextProtocol: number;
}

export const NSH_IOAM_HEAD = new FixedFormat<NshIoamHead>('nsh-ioam', {
  type: 8,
  words: 8,
  r1: 8,
  nextProtocol: 8,
});
