import { WireFault, truncated } from '../fault';
import { INCOMPLETE, missing } from './records';
import type { CapturedFrame, Piece, Records, CaptureTime } from './records';

/**
 * Capture file of the next generation (draft-ietf-opsawg-pcapng): blocks, each with its type and
 * length, in the byte order of the section that they belong to.
 *
 *     block: | type 32 | length 32 | body | length 32 |
 *
 * Frames are in enhanced, simple and obsolete packet blocks; other blocks are skipped.
 */
const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const OBSOLETE_PACKET = 2;
const SIMPLE_PACKET = 3;
const ENHANCED_PACKET = 6;

const BYTE_ORDER_MAGIC = 0x1a2b3c4d;
const BLOCK_LENGTH_MIN = 12;
const OPTION_TIME_RESOLUTION = 9;
const OPTION_TIME_OFFSET = 14;

/** Least length of a block's body by type. */
const BODY_LENGTH_MIN = new Map([
  [SECTION, 16],
  [INTERFACE, 8],
  [OBSOLETE_PACKET, 20],
  [SIMPLE_PACKET, 4],
  [ENHANCED_PACKET, 20],
]);

/** True if this first word marks a capture as pcapng. */
export const isPcapngMagic = (magic: number): boolean => magic === SECTION;

interface Interface {
  readonly linkType: number;
  readonly snapLength: number;
  readonly clock: PcapngClock;
}

interface Section {
  readonly little: boolean;
  readonly interfaces: Interface[];
}

interface Block {
  readonly type: number;
  readonly at: number;
  readonly bodyAt: number;
  readonly bodyEnd: number;
  readonly end: number;
}

/** The blocks of a capture that starts with a section. */
export class PcapngRecords implements Records {
  found: CapturedFrame | WireFault | undefined;
  #section: Section = { little: false, interfaces: [] };

  step(piece: Piece, at: number): number {
    this.found = undefined;
    const opened = openSection(piece, at);
    if (opened === 'later') return INCOMPLETE;
    if (opened instanceof WireFault) return this.#fault(opened);
    const section = opened ?? this.#section;
    const block = parseBlock(piece, at, section.little);
    if (block === 'later') return INCOMPLETE;
    if (block instanceof WireFault) return this.#fault(block);
    this.#section = section;
    const found = readBlock(piece, block, section);
    if (found instanceof WireFault) return this.#fault(found);
    this.found = found;
    return block.end;
  }

  #fault(fault: WireFault): number {
    this.found = fault;
    return INCOMPLETE;
  }
}

/** The section that starts at `at`, if the block there starts one. */
function openSection(piece: Piece, at: number): Section | WireFault | 'later' | undefined {
  const { view, base } = piece;
  const gap = missing('pcapng block', piece, at, BLOCK_LENGTH_MIN);
  if (gap !== undefined) return gap;
  if (view.getUint32(at) !== SECTION) return undefined;
  const little = view.getUint32(at + 8, true) === BYTE_ORDER_MAGIC;
  if (!little && view.getUint32(at + 8) !== BYTE_ORDER_MAGIC) {
    return new WireFault('pcapng section', base + at + 8, 'byte-order magic must be 1a2b3c4d');
  }
  return { little, interfaces: [] };
}

function parseBlock(piece: Piece, at: number, little: boolean): Block | WireFault | 'later' {
  const { view, base } = piece;
  const type = view.getUint32(at, little);
  const length = view.getUint32(at + 4, little);
  const need = BLOCK_LENGTH_MIN + (BODY_LENGTH_MIN.get(type) ?? 0);
  if (length % 4 !== 0 || length < need) {
    const reason = `length must be a multiple of 4 from ${need}, found ${length}`;
    return new WireFault('pcapng block', base + at + 4, reason);
  }
  const gap = missing('pcapng block', piece, at, length);
  if (gap !== undefined) return gap;
  const end = at + length;
  if (view.getUint32(end - 4, little) !== length) {
    return new WireFault('pcapng block', base + end - 4, `length must be repeated as ${length}`);
  }
  return { type, at, bodyAt: at + 8, bodyEnd: end - 4, end };
}

function readBlock(
  piece: Piece,
  block: Block,
  section: Section,
): CapturedFrame | WireFault | undefined {
  const { type, bodyAt } = block;
  const { view } = piece;
  const { little, interfaces } = section;
  switch (type) {
    case INTERFACE:
      interfaces.push(readInterface(view, block, little));
      return undefined;
    case SIMPLE_PACKET:
      return simplePacket(piece, block, section);
    case ENHANCED_PACKET:
      return packet(piece, block, section, view.getUint32(bodyAt, little));
    case OBSOLETE_PACKET:
      return packet(piece, block, section, view.getUint16(bodyAt, little));
    default:
      return undefined;
  }
}

function packet(
  { bytes, view, base }: Piece,
  { at, bodyAt, bodyEnd }: Block,
  { little, interfaces }: Section,
  interfaceId: number,
): CapturedFrame | WireFault {
  const from = interfaces[interfaceId];
  if (from === undefined) return unknownInterface(base + at, interfaceId, interfaces.length);
  const stored = view.getUint32(bodyAt + 12, little);
  const dataAt = bodyAt + 20;
  if (bodyEnd < dataAt + stored) {
    return truncated('pcapng packet', base + dataAt, stored, base + bodyEnd);
  }
  const [high, low] = [view.getUint32(bodyAt + 4, little), view.getUint32(bodyAt + 8, little)];
  return {
    bytes: bytes.subarray(dataAt, dataAt + stored),
    originalLength: view.getUint32(bodyAt + 16, little),
    linkType: from.linkType,
    time: from.clock.timeOf(high, low),
  };
}

function simplePacket(
  { bytes, view, base }: Piece,
  { at, bodyAt, bodyEnd }: Block,
  { little, interfaces }: Section,
): CapturedFrame | WireFault {
  const [from] = interfaces;
  if (from === undefined) return unknownInterface(base + at, 0, 0);
  const originalLength = view.getUint32(bodyAt, little);
  const limit = from.snapLength === 0 ? originalLength : from.snapLength;
  const stored = Math.min(originalLength, limit, bodyEnd - bodyAt - 4);
  const found = bytes.subarray(bodyAt + 4, bodyAt + 4 + stored);
  return { bytes: found, originalLength, linkType: from.linkType, time: undefined };
}

const unknownInterface = (offset: number, id: number, count: number): WireFault =>
  new WireFault('pcapng packet', offset, `interface must be below ${count}, found ${id}`);

function readInterface(view: DataView, { bodyAt, bodyEnd }: Block, little: boolean): Interface {
  let unitsPerSecond = 1e6;
  let offsetSeconds = 0;
  let at = bodyAt + 8;
  while (at + 4 <= bodyEnd) {
    const code = view.getUint16(at, little);
    const length = view.getUint16(at + 2, little);
    if (code === 0 || at + 4 + length > bodyEnd) break;
    if (code === OPTION_TIME_RESOLUTION && length === 1) {
      unitsPerSecond = resolution(view.getUint8(at + 4));
    }
    if (code === OPTION_TIME_OFFSET && length === 8) {
      offsetSeconds = Number(view.getBigInt64(at + 4, little));
    }
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return {
    linkType: view.getUint16(bodyAt, little),
    snapLength: view.getUint32(bodyAt + 4, little),
    clock: new PcapngClock(unitsPerSecond, offsetSeconds),
  };
}

/** The option is a negative power of 10 or, with the top bit set, of 2. */
const resolution = (option: number): number =>
  (option & 0x80) === 0 ? 10 ** option : 2 ** (option & 0x7f);

const WORD = 0x1_0000_0000;
const NS = 1_000_000_000;

/**
 * Ticks since 1970 in 64 bits, as pcapng has them, to seconds and nanoseconds. They are more than a
 * number holds, and the upper half changes every four seconds at most (of ns), so that its part is
 * computed once with bigints and kept.
 */
export class PcapngClock {
  #high = -1;
  #seconds = 0;
  /** Ticks beyond `#seconds` that the upper half is worth. */
  #ticks = 0;

  constructor(
    /** Up to 2^127 in files that lie; then every time costs a bigint. */
    readonly unitsPerSecond: number,
    readonly offsetSeconds: number,
  ) {}

  timeOf(high: number, low: number): CaptureTime {
    // Sums below stay exact, and so does a remainder times 10^9 where ticks are no ns.
    if (this.unitsPerSecond !== NS && this.unitsPerSecond > 1e6) return this.#wideTime(high, low);
    if (high !== this.#high) this.#take(high);
    const ticks = this.#ticks + low;
    const remainder = ticks % this.unitsPerSecond;
    return {
      seconds: this.#seconds + (ticks - remainder) / this.unitsPerSecond,
      nanoseconds: Math.floor((remainder * NS) / this.unitsPerSecond),
    };
  }

  #take(high: number): void {
    const perSecond = BigInt(this.unitsPerSecond);
    const ticks = BigInt(high) * BigInt(WORD);
    this.#high = high;
    this.#seconds = Number(ticks / perSecond) + this.offsetSeconds;
    this.#ticks = Number(ticks % perSecond);
  }

  #wideTime(high: number, low: number): CaptureTime {
    const perSecond = BigInt(this.unitsPerSecond);
    const ticks = BigInt(high) * BigInt(WORD) + BigInt(low);
    return {
      seconds: Number(ticks / perSecond) + this.offsetSeconds,
      nanoseconds: Number(((ticks % perSecond) * BigInt(NS)) / perSecond),
    };
  }
}
