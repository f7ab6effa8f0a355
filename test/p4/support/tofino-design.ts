/** Offsets and sizes of what a frame begins with. */
const ETHERNET_BYTES = 14;
const IPV6_BYTES = 40;
const UDP_BYTES = 8;
const INT_FIXED_BYTES = 16;
const RECORD_BYTES = 8;
const IPV4 = 0x0800;
const IPV6 = 0x86dd;
const UDP = 17;
const TCP = 6;
const MARK = 0x17;

/** A packet as the parsers of the chip and of its twin see it. */
interface Outline {
  readonly frame: Buffer;
  readonly l4: number;
  /** Where the IP header says that the packet ends. */
  readonly end: number;
  readonly protocol: number;
  readonly isMarked: boolean;
}

/** Parts that an edge may have: it adds telemetry, or takes it out. */
export interface EdgeRoles {
  readonly adds: boolean;
  readonly takesOut: boolean;
  /** It takes out what comes through an untrusted port. */
  readonly distrusts: boolean;
}

/**
 * Lists what the programs for Tofino do otherwise than their twins by design, for packets of which
 * docs/tofino.md says so. Undefined for all others.
 * @param roles what the entries of an edge have it do.
 */
export function differenceByDesign(
  profile: string,
  bytes: Uint8Array,
  { adds, takesOut, distrusts }: EdgeRoles,
): string | undefined {
  const packet = outlineOf(Buffer.from(bytes));
  if (packet === undefined) return undefined;
  if (packet.end > packet.frame.length) return 'claims more bytes than came';
  if (endsWithinHeaders(profile, packet)) return 'ends within headers';
  const isServed = packet.isMarked || (profile === 'hpcc-edge' && adds);
  if (profile !== 'padding' && isServed && hasTcpOptions(packet)) return 'TCP with options';
  if (profile === 'hpcc-feedback' && endsWithinSequence(packet)) return 'ends within headers';
  if (profile === 'padding' && recordsOf(packet) > 6) return 'seven records';
  if (profile !== 'hpcc-edge') return undefined;
  if (adds && distrusts && packet.isMarked) return 'telemetry of an untrusted port to a source';
  if (takesOut && hasUnreadStack(packet)) return 'a stack not read';
  return undefined;
}

function outlineOf(frame: Buffer): Outline | undefined {
  const type = frame.length < ETHERNET_BYTES + 20 ? 0 : frame.readUInt16BE(12);
  if (type === IPV4) {
    const isWhole = (frame.readUInt16BE(20) & 0x3fff) === 0 && frame[ETHERNET_BYTES] === 0x45;
    return {
      frame,
      l4: ETHERNET_BYTES + 20,
      end: ETHERNET_BYTES + frame.readUInt16BE(16),
      protocol: isWhole ? frame.readUInt8(23) : 0,
      isMarked: isWhole && frame.readUInt8(15) >> 2 === MARK,
    };
  }
  if (type !== IPV6 || frame.length < ETHERNET_BYTES + IPV6_BYTES) return undefined;
  return {
    frame,
    l4: ETHERNET_BYTES + IPV6_BYTES,
    end: ETHERNET_BYTES + IPV6_BYTES + frame.readUInt16BE(18),
    protocol: frame.readUInt8(20),
    isMarked: (frame.readUInt16BE(14) >> 6) % 64 === MARK,
  };
}

const headerBytes = ({ frame, l4, protocol }: Outline): number => {
  if (protocol !== TCP) return UDP_BYTES;
  return l4 + 12 < frame.length ? Math.max(20, (frame.readUInt8(l4 + 12) >> 4) * 4) : 20;
};

/** The chip drops what its ingress parser cannot read to the end. */
function endsWithinHeaders(profile: string, packet: Outline): boolean {
  const { frame, l4, protocol, isMarked } = packet;
  if (protocol !== UDP && protocol !== TCP) return false;
  if (l4 + headerBytes(packet) > frame.length) return true;
  if (!isMarked) return false;
  if (profile === 'padding') {
    if (protocol === TCP) return false;
    return l4 + UDP_BYTES + 2 + RECORD_BYTES * recordsOf(packet) > frame.length;
  }
  if (protocol === UDP && frame.readUInt16BE(l4 + 4) < UDP_BYTES + INT_FIXED_BYTES) return false;
  const stack = profile === 'hpcc-edge' ? stackWords(packet) : 0;
  const read = READ_STACKS.has(stack) ? 4 * stack : 0;
  return l4 + headerBytes(packet) + INT_FIXED_BYTES + read > frame.length;
}

/** Transports whose sequence number a subscriber tells, and the bytes of their headers. */
const TRANSPORTS: ReadonlyMap<number, number> = new Map([
  [4791, 12],
  [50002, 16],
]);
const HOP_WORDS = 8;
const FIXED_WORDS = 3;

/** Words of stacks that the edge reads, and so can take out: of up to four hops. */
const READ_STACKS = new Set([0, 1, 2, 3, 4].map((hops) => hops * HOP_WORDS));

/** Words behind the INT-MD header of a packet that has one, by the shim. */
function stackWords(packet: Outline): number {
  const { frame, l4, isMarked } = packet;
  const shim = l4 + headerBytes(packet);
  if (!isMarked || shim + INT_FIXED_BYTES > frame.length) return 0;
  return (frame.readUInt8(shim) & 0xfc) === 0x10 ? frame.readUInt8(shim + 1) - FIXED_WORDS : 0;
}

const hasUnreadStack = (packet: Outline): boolean => !READ_STACKS.has(stackWords(packet));

/** A subscriber is read to the sequence number, behind seven hops at most. */
function endsWithinSequence(packet: Outline): boolean {
  const { frame, l4, protocol, isMarked } = packet;
  if (protocol !== UDP) return false;
  const transport = TRANSPORTS.get(frame.readUInt16BE(l4 + 2));
  if (transport === undefined) return false;
  const body = l4 + UDP_BYTES;
  if (!isMarked) return isSubscriber(packet) && body + transport > frame.length;
  if (frame.readUInt16BE(l4 + 4) < UDP_BYTES + INT_FIXED_BYTES) return false;
  const isInt = (frame.readUInt8(body) & 0xfc) === 0x10;
  const asks = (frame.readUInt16BE(body + INT_FIXED_BYTES - 2) & 0x2000) !== 0;
  const words = frame.readUInt8(body + 1) - FIXED_WORDS;
  if (!isInt || !asks || words < 0 || words % HOP_WORDS !== 0 || words > 7 * HOP_WORDS)
    return false;
  return body + INT_FIXED_BYTES + 4 * words + transport > frame.length;
}

const FEEDBACK_DSCP = 0x1b;

const isSubscriber = ({ frame, l4 }: Outline): boolean => {
  const isIpv4 = l4 === ETHERNET_BYTES + 20;
  return (frame.readUInt16BE(ETHERNET_BYTES) >> (isIpv4 ? 2 : 6)) % 64 === FEEDBACK_DSCP;
};

function hasTcpOptions(packet: Outline): boolean {
  return packet.protocol === TCP && headerBytes(packet) !== 20;
}

/** Records that a packet with padding says that it has. */
function recordsOf({ frame, l4, protocol, isMarked }: Outline): number {
  const at = l4 + UDP_BYTES;
  return isMarked && protocol === UDP && at < frame.length ? frame.readUInt8(at) >> 4 : 0;
}
