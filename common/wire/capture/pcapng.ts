import { WireFault, truncated } from '../fault';
import type { CapturedFrame, CaptureTime } from './pcap';

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

export const isPcapng = (file: Uint8Array): boolean =>
  file.length >= 4 && new DataView(file.buffer, file.byteOffset).getUint32(0) === SECTION;

interface Interface {
  readonly linkType: number;
  readonly snapLength: number;
  readonly unitsPerSecond: number;
  readonly offsetSeconds: number;
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

/** The frames of a file that {@link isPcapng}; a fault is the last thing it gives. */
export function* readPcapng(file: Uint8Array): Generator<CapturedFrame | WireFault> {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let section: Section = { little: false, interfaces: [] };
  let at = 0;
  while (at < file.length) {
    const opened = openSection(view, at);
    if (opened instanceof WireFault) {
      yield opened;
      return;
    }
    section = opened ?? section;
    const block = parseBlock(view, at, section.little);
    const found = block instanceof WireFault ? block : readBlock(file, view, block, section);
    if (found !== undefined) yield found;
    if (block instanceof WireFault || found instanceof WireFault) return;
    at = block.end;
  }
}

/** The section that starts at `at`, if the block there starts one. */
function openSection(view: DataView, at: number): Section | WireFault | undefined {
  if (view.byteLength < at + BLOCK_LENGTH_MIN) {
    return truncated('pcapng block', at, BLOCK_LENGTH_MIN, view.byteLength);
  }
  if (view.getUint32(at) !== SECTION) return undefined;
  const little = view.getUint32(at + 8, true) === BYTE_ORDER_MAGIC;
  if (!little && view.getUint32(at + 8) !== BYTE_ORDER_MAGIC) {
    return new WireFault('pcapng section', at + 8, 'byte-order magic must be 1a2b3c4d');
  }
  return { little, interfaces: [] };
}

function parseBlock(view: DataView, at: number, little: boolean): Block | WireFault {
  const type = view.getUint32(at, little);
  const length = view.getUint32(at + 4, little);
  const need = BLOCK_LENGTH_MIN + (BODY_LENGTH_MIN.get(type) ?? 0);
  if (length % 4 !== 0 || length < need) {
    const reason = `length must be a multiple of 4 from ${need}, found ${length}`;
    return new WireFault('pcapng block', at + 4, reason);
  }
  const end = at + length;
  if (view.byteLength < end) return truncated('pcapng block', at, length, view.byteLength);
  if (view.getUint32(end - 4, little) !== length) {
    return new WireFault('pcapng block', end - 4, `length must be repeated as ${length}`);
  }
  return { type, at, bodyAt: at + 8, bodyEnd: end - 4, end };
}

function readBlock(
  file: Uint8Array,
  view: DataView,
  block: Block,
  section: Section,
): CapturedFrame | WireFault | undefined {
  const { type, bodyAt } = block;
  const { little, interfaces } = section;
  switch (type) {
    case INTERFACE:
      interfaces.push(readInterface(view, block, little));
      return undefined;
    case SIMPLE_PACKET:
      return simplePacket(file, view, block, section);
    case ENHANCED_PACKET:
      return packet(file, view, block, { section, interfaceId: view.getUint32(bodyAt, little) });
    case OBSOLETE_PACKET:
      return packet(file, view, block, { section, interfaceId: view.getUint16(bodyAt, little) });
    default:
      return undefined;
  }
}

function packet(
  file: Uint8Array,
  view: DataView,
  { at, bodyAt, bodyEnd }: Block,
  { section, interfaceId }: { readonly section: Section; readonly interfaceId: number },
): CapturedFrame | WireFault {
  const { little, interfaces } = section;
  const from = interfaces[interfaceId];
  if (from === undefined) return unknownInterface(at, interfaceId, interfaces.length);
  const stored = view.getUint32(bodyAt + 12, little);
  const dataAt = bodyAt + 20;
  if (bodyEnd < dataAt + stored) return truncated('pcapng packet', dataAt, stored, bodyEnd);
  const ticks = BigInt(view.getUint32(bodyAt + 4, little)) * 0x1_0000_0000n;
  return {
    bytes: file.subarray(dataAt, dataAt + stored),
    originalLength: view.getUint32(bodyAt + 16, little),
    linkType: from.linkType,
    time: timeOf(ticks + BigInt(view.getUint32(bodyAt + 8, little)), from),
  };
}

function simplePacket(
  file: Uint8Array,
  view: DataView,
  { at, bodyAt, bodyEnd }: Block,
  { little, interfaces }: Section,
): CapturedFrame | WireFault {
  const [from] = interfaces;
  if (from === undefined) return unknownInterface(at, 0, 0);
  const originalLength = view.getUint32(bodyAt, little);
  const limit = from.snapLength === 0 ? originalLength : from.snapLength;
  const stored = Math.min(originalLength, limit, bodyEnd - bodyAt - 4);
  const bytes = file.subarray(bodyAt + 4, bodyAt + 4 + stored);
  return { bytes, originalLength, linkType: from.linkType, time: undefined };
}

const unknownInterface = (at: number, id: number, count: number): WireFault =>
  new WireFault('pcapng packet', at, `interface must be below ${count}, found ${id}`);

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
    unitsPerSecond,
    offsetSeconds,
  };
}

/** The option is a negative power of 10 or, with the top bit set, of 2. */
const resolution = (option: number): number =>
  (option & 0x80) === 0 ? 10 ** option : 2 ** (option & 0x7f);

/** Ticks since 1970 in 64 bits are more than a number holds; a frame's time is no hot path. */
function timeOf(ticks: bigint, { unitsPerSecond, offsetSeconds }: Interface): CaptureTime {
  const perSecond = BigInt(unitsPerSecond);
  return {
    seconds: Number(ticks / perSecond) + offsetSeconds,
    nanoseconds: Number(((ticks % perSecond) * 1_000_000_000n) / perSecond),
  };
}
