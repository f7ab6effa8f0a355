/**
 * Network interfaces in messages of rtnetlink: rtnetlink(7), and linux/rtnetlink.h, linux/if_link.h.
 * Numbers are in the machine's byte order, which is little endian wherever this project runs.
 */

export const NLM_F_REQUEST = 1;
const NLMSG_ERROR = 2;
const RTM_NEWLINK = 16;
const RTM_GETLINK = 18;

const IFLA_IFNAME = 3;
const IFLA_OPERSTATE = 16;
const IFLA_EXT_MASK = 29;
const RTEXT_FILTER_SKIP_STATS = 8;

const IFF_UP = 1;
const IFF_LOWER_UP = 1 << 16;

/** Lengths in bytes of the C structures nlmsghdr and ifinfomsg, and of an attribute's header. */
export const HEADER_BYTES = 16;
const INFO_BYTES = 16;
export const ATTRIBUTE_BYTES = 4;
export const SEQUENCE_AT = 8;

/** RFC 2863's ifOperStatus, by the number that the kernel gives it. */
const OPERATIONAL_STATES = [
  'unknown',
  'not present',
  'down',
  'lower layer down',
  'testing',
  'dormant',
  'up',
] as const;

export type OperationalState = (typeof OPERATIONAL_STATES)[number];

/** A network interface as the kernel of this network namespace knows it. */
export interface Link {
  readonly name: string;
  /** Never used again, so an interface that was deleted and made anew has another one. */
  readonly index: number;
  /** True if the link is administratively up. */
  readonly isUp: boolean;
  /** It is up and has a carrier: what /sys/class/net/NAME/carrier says, without delay. */
  readonly hasCarrier: boolean;
  /**
   * Operational state. The kernel reports changes up to a second late, so decisions use the
   * carrier.
   */
  readonly operationalState: OperationalState;
}

/** Content of an answer: a link, or an error number. */
export type LinkAnswer = Link | { readonly errno: number } | undefined;

/**
 * Asks for the interface of a name, without its statistics.
 * @param sequence comes back with the answer.
 */
export function linkRequest(name: string, sequence: number): Uint8Array {
  const text = Buffer.from(`${name}\0`);
  const nameBytes = aligned(ATTRIBUTE_BYTES + text.length);
  const bytes = new Uint8Array(HEADER_BYTES + INFO_BYTES + nameBytes + ATTRIBUTE_BYTES + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length, true);
  view.setUint16(4, RTM_GETLINK, true);
  view.setUint16(6, NLM_F_REQUEST, true);
  view.setUint32(SEQUENCE_AT, sequence, true);
  const at = HEADER_BYTES + INFO_BYTES;
  view.setUint16(at, ATTRIBUTE_BYTES + text.length, true);
  view.setUint16(at + 2, IFLA_IFNAME, true);
  bytes.set(text, at + ATTRIBUTE_BYTES);
  view.setUint16(at + nameBytes, ATTRIBUTE_BYTES + 4, true);
  view.setUint16(at + nameBytes + 2, IFLA_EXT_MASK, true);
  view.setUint32(at + nameBytes + ATTRIBUTE_BYTES, RTEXT_FILTER_SKIP_STATS, true);
  return bytes;
}

/**
 * Sequence number of the request that a message answers; undefined when the message is too short.
 */
export function sequenceOf(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(SEQUENCE_AT, true);
}

/** Reads the message that a buffer begins with; undefined for those of other kinds. */
export function parseLinkAnswer(bytes: Uint8Array): LinkAnswer {
  if (bytes.length < HEADER_BYTES + 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = view.getUint16(4, true);
  if (type === NLMSG_ERROR) return { errno: -view.getInt32(HEADER_BYTES, true) };
  const end = Math.min(view.getUint32(0, true), bytes.length);
  if (type !== RTM_NEWLINK || end < HEADER_BYTES + INFO_BYTES) return undefined;
  const flags = view.getUint32(HEADER_BYTES + 8, true);
  const attributes = parseAttributes(bytes.subarray(HEADER_BYTES + INFO_BYTES, end));
  const name = Buffer.from(attributes.get(IFLA_IFNAME) ?? []).toString();
  const state = attributes.get(IFLA_OPERSTATE)?.[0] ?? 0;
  return {
    name: name.replace(/\0.*$/s, ''),
    index: view.getInt32(HEADER_BYTES + 4, true),
    isUp: (flags & IFF_UP) !== 0,
    hasCarrier: (flags & IFF_LOWER_UP) !== 0,
    operationalState: OPERATIONAL_STATES[state] ?? 'unknown',
  };
}

/** The attributes that a buffer is made of, by type. */
export function parseAttributes(bytes: Uint8Array): Map<number, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const attributes = new Map<number, Uint8Array>();
  let at = 0;
  while (at + ATTRIBUTE_BYTES <= bytes.length) {
    const length = view.getUint16(at, true);
    if (length < ATTRIBUTE_BYTES) break;
    attributes.set(view.getUint16(at + 2, true), bytes.subarray(at + ATTRIBUTE_BYTES, at + length));
    at += aligned(length);
  }
  return attributes;
}

/** Attributes begin at multiples of four bytes. */
export const aligned = (length: number): number => (length + 3) & ~3;
