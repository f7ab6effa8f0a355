/** Kinds of the first header of captured frames: https://www.tcpdump.org/linktypes.html. */
export const LINK_ETHERNET = 1;
/** A loopback interface of BSD, or Ethernet: bmv2 writes its captures so. */
export const LINK_NULL = 0;
/** An IP packet. */
export const LINK_RAW = 101;
/** Linux cooked captures, of `tcpdump -i any`. */
export const LINK_SLL = 113;
export const LINK_SLL2 = 276;
export const LINK_IPV4 = 228;
export const LINK_IPV6 = 229;

/** Numbers of raw IP on FreeBSD and OpenBSD. */
const LINK_RAW_BSD = 12;
const LINK_RAW_OPENBSD = 14;

const READABLE: ReadonlySet<number> = new Set([
  LINK_ETHERNET,
  LINK_NULL,
  LINK_SLL,
  LINK_SLL2,
  LINK_RAW,
  LINK_RAW_BSD,
  LINK_RAW_OPENBSD,
  LINK_IPV4,
  LINK_IPV6,
]);

/** True if frames of the kind can be read. */
export const isReadableLink = (linkType: number): boolean => READABLE.has(linkType);

export const READABLE_LINKS =
  'Ethernet (1), raw IP (101, 228, 229), Linux cooked (113, 276) or loopback (0)';
