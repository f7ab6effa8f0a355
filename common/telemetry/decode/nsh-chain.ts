import { LINK_ETHERNET } from '../../wire/capture/link-type';
import { WireFault, truncated } from '../../wire/fault';
import { ETHERTYPE_IPV4, ETHERTYPE_IPV6 } from '../../wire/ip/ethernet';
import { ETHERTYPE_NSH, NSH_IOAM_HEAD, NSH_NEXT, nshLength, parseNsh } from '../../wire/ip/nsh';
import type { NshHeader } from '../../wire/ip/nsh';
import { parseLink } from './link-layer';
import type { LinkPayload } from './link-layer';

/** An option of IOAM behind NSH. */
export interface NshOption {
  readonly type: number;
  /** Where the option begins, behind its head, and where it ends. */
  readonly at: number;
  readonly end: number;
}

/** NSH with the headers of IOAM behind it (RFC 9452). */
export interface NshChain {
  readonly header: NshHeader;
  readonly options: readonly NshOption[];
  /** The packet inside; its EtherType is 0 where nobody knows it. */
  readonly behind: LinkPayload;
}

const ETHERTYPE_MPLS = 0x8847;
const NOTHING: LinkPayload = { etherType: 0, offset: 0 };

/** Walks over NSH and all headers of IOAM behind it, of which nothing may be cut. */
export function parseNshChain(bytes: Uint8Array, offset: number): NshChain | WireFault {
  const header = parseNsh(bytes, offset);
  if (header instanceof WireFault) return header;
  const options: NshOption[] = [];
  let at = offset + nshLength(header);
  let next = header.nextProtocol;
  while (next === NSH_NEXT.ioam) {
    const head = NSH_IOAM_HEAD.parse(bytes, at);
    if (head instanceof WireFault) return head;
    const length = 4 * head.words;
    if (length === 0) return new WireFault('nsh-ioam', at + 1, 'length must be 1 word or more');
    if (bytes.length < at + length) return truncated('nsh-ioam', at, length, bytes.length);
    options.push({ type: head.type, at: at + NSH_IOAM_HEAD.size, end: at + length });
    at += length;
    next = head.nextProtocol;
  }
  return { header, options, behind: payloadOf(bytes, at, next) };
}

function payloadOf(bytes: Uint8Array, offset: number, protocol: number): LinkPayload {
  switch (protocol) {
    case NSH_NEXT.ipv4:
      return { etherType: ETHERTYPE_IPV4, offset };
    case NSH_NEXT.ipv6:
      return { etherType: ETHERTYPE_IPV6, offset };
    case NSH_NEXT.nsh:
      return { etherType: ETHERTYPE_NSH, offset };
    case NSH_NEXT.mpls:
      return { etherType: ETHERTYPE_MPLS, offset };
    case NSH_NEXT.ethernet: {
      const inner = parseLink({ bytes, at: offset, wireEnd: Infinity, linkType: LINK_ETHERNET });
      return inner instanceof WireFault ? NOTHING : inner;
    }
    default:
      return NOTHING;
  }
}
