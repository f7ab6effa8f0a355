import { WireFault } from '../fault';
import { INT_MD_HEADER_LENGTH, emitIntMdHeader, parseIntMdHeader } from './int-md-header';
import type { IntMdInstructions } from './int-md-header';
import { INT_V2_METADATA, baselineWords, emitIntBlock, readIntBlock } from './int-metadata';
import type { IntBlock, IntBlockLayout, IntMetadataForm } from './int-metadata';
import { emitIntMx, intMxLength, parseIntMx } from './int-mx';
import type { IntMx } from './int-mx';
import { INT_SHIM_LENGTH, INT_TYPE_MD, INT_TYPE_MX, emitIntShim, parseIntShim } from './int-shim';
import type { IntShim } from './int-shim';
import { INT_V05_HEAD_LENGTH, INT_V05_METADATA, INT_V05_TAIL_LENGTH } from './int-v05';
import {
  emitIntV05Head,
  emitIntV05Tail,
  isIntV05,
  parseIntV05Head,
  readIntV05Tail,
} from './int-v05';
import type { IntV05Head, IntV05Tail } from './int-v05';
import { INT_V1_HEADER_LENGTH, emitIntV1Header, parseIntV1Header } from './int-v1-header';
import { INT_V1_SHIM_LENGTH, INT_V1_TYPE_HOP_BY_HOP, emitIntV1Shim } from './int-v1-header';
import { parseIntV1Shim } from './int-v1-header';
import type { IntV1Instructions, IntV1Shim } from './int-v1-header';

/**
 * Everything that an INT domain puts after a TCP or UDP header, in any version and with any
 * instructions. The sender's hot path is `int-md.ts`, which knows one domain only.
 */
export type IntPacket = IntMdPacket | IntMxPacket | IntV1Packet | IntV05Packet;

/** INT-MD of versions 2.x: every hop adds a block of metadata. */
export interface IntMdPacket {
  readonly kind: 'int-md';
  readonly shim: IntShim;
  readonly header: IntMdInstructions;
  readonly stack: IntStack;
}

/** INT-MX: hops report, and the packet carries instructions only. */
export interface IntMxPacket {
  readonly kind: 'int-mx';
  readonly shim: IntShim;
  readonly header: IntMx;
}

/** INT of version 1.0, hop by hop. */
export interface IntV1Packet {
  readonly kind: 'int-v1';
  readonly shim: IntV1Shim;
  readonly header: IntV1Instructions;
  readonly stack: IntStack;
}

/** INT of version 0.5, hop by hop. */
export interface IntV05Packet {
  readonly kind: 'int-v0.5';
  readonly header: IntV05Head;
  readonly tail: IntV05Tail;
  readonly stack: IntStack;
}

/** Properties of an INT domain that are not on the wire. */
export interface IntDomain {
  /** Bytes at the bottom of the stack that only the source pushed. */
  readonly sourceOnlyLength: number;
}

const PLAIN_DOMAIN: IntDomain = { sourceOnlyLength: 0 };

/** Shim and header, and where a stack lies: what can be known without reading its blocks. */
export type IntHead =
  | (Omit<IntMdPacket, 'stack'> & IntStackPlace)
  | (Omit<IntV1Packet, 'stack'> & IntStackPlace)
  | (Omit<IntV05Packet, 'stack'> & IntStackPlace)
  | IntMxPacket;

/** Offsets of a stack and its blocks. */
export interface IntStackPlace {
  /** Offset of the newest block. */
  readonly stackAt: number;
  /** Offset of the end of the blocks, where data starts that only the source pushed. */
  readonly blocksEnd: number;
  /** Offset of the first byte behind the stack and, in v0.5, the tail. */
  readonly stackEnd: number;
  readonly layout: IntBlockLayout;
}

/** As {@link parseIntHead}, with all blocks. */
export function parseIntPacket(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
  domain = PLAIN_DOMAIN,
): IntPacket | WireFault {
  const head = parseIntHead(bytes, offset, end, domain);
  if (head instanceof WireFault || head.kind === 'int-mx') return head;
  // Nothing follows the blocks of v0.5 but its tail.
  const stackEnd = head.kind === 'int-v0.5' ? head.blocksEnd : head.stackEnd;
  const stack = readStack(bytes, { ...head, stackEnd });
  switch (head.kind) {
    case 'int-md':
      return { kind: head.kind, shim: head.shim, header: head.header, stack };
    case 'int-v1':
      return { kind: head.kind, shim: head.shim, header: head.header, stack };
    case 'int-v0.5':
      return { kind: head.kind, header: head.header, tail: head.tail, stack };
  }
}

/**
 * Reads from the shim on. The versions differ in the first byte: before v2.0 the type has eight bits, so
 * that its upper half is 0, which later versions do not use; the header has the version.
 */
export function parseIntHead(
  bytes: Uint8Array,
  offset: number,
  end = bytes.length,
  domain = PLAIN_DOMAIN,
): IntHead | WireFault {
  if (end > offset && bytes[offset] === INT_V1_TYPE_HOP_BY_HOP) {
    return isIntV05(bytes, offset, end)
      ? parseV05(bytes, offset, end)
      : parseV1(bytes, offset, end, domain);
  }
  const shim = parseIntShim(bytes, offset, end);
  if (shim instanceof WireFault) return shim;
  const headerAt = offset + INT_SHIM_LENGTH;
  return parseBehindShim(bytes, shim, { headerAt, intEnd: headerAt + 4 * shim.words }, domain);
}

/** Range from the INT header to the end that its shim gives. */
interface Extent {
  readonly headerAt: number;
  readonly intEnd: number;
}

/** Reads what a shim of INT v2.x announces, whatever carries the shim. */
export function parseBehindShim(
  bytes: Uint8Array,
  shim: IntShim,
  extent: Extent,
  domain = PLAIN_DOMAIN,
): IntHead | WireFault {
  if (shim.type === INT_TYPE_MD) return parseMd(bytes, shim, extent, domain);
  if (shim.type === INT_TYPE_MX) {
    const header = parseIntMx(bytes, extent.headerAt, extent.intEnd);
    return header instanceof WireFault ? header : { kind: 'int-mx', shim, header };
  }
  const at = extent.headerAt - INT_SHIM_LENGTH;
  return new WireFault('int-shim', at, `type must be 1 or 3, found ${shim.type}`);
}

function parseMd(
  bytes: Uint8Array,
  shim: IntShim,
  { headerAt, intEnd }: Extent,
  domain: IntDomain,
): IntHead | WireFault {
  const header = parseIntMdHeader(bytes, headerAt, intEnd);
  if (header instanceof WireFault) return header;
  const stackAt = headerAt + INT_MD_HEADER_LENGTH;
  const layout = layoutOf(header);
  const blocksEnd = endOfBlocks({ stackAt, stackEnd: intEnd }, layout, domain.sourceOnlyLength);
  if (blocksEnd instanceof WireFault) return blocksEnd;
  return { kind: 'int-md', shim, header, stackAt, blocksEnd, stackEnd: intEnd, layout };
}

function parseV1(
  bytes: Uint8Array,
  offset: number,
  end: number,
  domain: IntDomain,
): IntHead | WireFault {
  const shim = parseIntV1Shim(bytes, offset, end);
  if (shim instanceof WireFault) return shim;
  const headerAt = offset + INT_V1_SHIM_LENGTH;
  const stackEnd = offset + 4 * shim.words;
  const header = parseIntV1Header(bytes, headerAt, stackEnd);
  if (header instanceof WireFault) return header;
  const stackAt = headerAt + INT_V1_HEADER_LENGTH;
  const layout = v1LayoutOf(header);
  const wanted = baselineWords(layout.instructionBitmap, layout);
  if (layout.hopWords !== wanted) {
    const reason = `hop ml must be ${wanted} words for its bitmap, found ${layout.hopWords}`;
    return new WireFault('int-v1', headerAt + 2, reason);
  }
  const blocksEnd = endOfBlocks({ stackAt, stackEnd }, layout, domain.sourceOnlyLength);
  if (blocksEnd instanceof WireFault) return blocksEnd;
  return { kind: 'int-v1', shim, header, stackAt, blocksEnd, stackEnd, layout };
}

function parseV05(bytes: Uint8Array, offset: number, end: number): IntHead | WireFault {
  const header = parseIntV05Head(bytes, offset, end);
  if (header instanceof WireFault) return header;
  const stackAt = offset + INT_V05_HEAD_LENGTH;
  const stackEnd = offset + 4 * header.words;
  const tailAt = stackEnd - INT_V05_TAIL_LENGTH;
  const layout = v05LayoutOf(header);
  const blocksEnd = endOfBlocks({ stackAt, stackEnd: tailAt }, layout, 0);
  if (blocksEnd instanceof WireFault) return blocksEnd;
  const tail = readIntV05Tail(bytes, tailAt);
  return { kind: 'int-v0.5', header, tail, stackAt, blocksEnd, stackEnd, layout };
}

const layoutOf = ({ instructionBitmap, hopWords }: IntMdInstructions): IntBlockLayout => ({
  instructionBitmap,
  hopWords,
  ...INT_V2_METADATA,
});

/** Metadata of v1.0, and as switches write them whose clocks have 64 bits. */
const V1_FORMS: readonly IntMetadataForm[] = [
  { timestampWords: 1, bit6: 'interfaces' },
  { timestampWords: 2, bit6: 'narrow-interfaces' },
];

/** v1.0 has no metadata of domains: the length of hops says which form they have. */
export const v1LayoutOf = ({ instructionBitmap, hopWords }: IntV1Instructions): IntBlockLayout => {
  const [usual, wide] = V1_FORMS as readonly [IntMetadataForm, IntMetadataForm];
  const isUsual = baselineWords(instructionBitmap, usual) === hopWords;
  const isWide = !isUsual && baselineWords(instructionBitmap, wide) === hopWords;
  return { instructionBitmap, hopWords, ...(isWide ? wide : usual) };
};

const v05LayoutOf = ({ instructionBitmap, hopWords }: IntV05Head): IntBlockLayout => ({
  instructionBitmap,
  hopWords,
  ...INT_V05_METADATA,
});

const MD_FIXED_LENGTH = INT_SHIM_LENGTH + INT_MD_HEADER_LENGTH;
const V05_FIXED_LENGTH = INT_V05_HEAD_LENGTH + INT_V05_TAIL_LENGTH;
const V1_FIXED_LENGTH = INT_V1_SHIM_LENGTH + INT_V1_HEADER_LENGTH;

/** Bytes from shim to end of stack. */
export function intPacketLength(packet: IntPacket): number {
  switch (packet.kind) {
    case 'int-md':
      return MD_FIXED_LENGTH + intStackLength(packet.stack, layoutOf(packet.header));
    case 'int-mx':
      return INT_SHIM_LENGTH + intMxLength(packet.header);
    case 'int-v1':
      return V1_FIXED_LENGTH + intStackLength(packet.stack, v1LayoutOf(packet.header));
    case 'int-v0.5':
      return V05_FIXED_LENGTH + intStackLength(packet.stack, v05LayoutOf(packet.header));
  }
}

/** Writes shim, header and stack; the shim's length is the packet's, not computed. */
export function emitIntPacket(packet: IntPacket, bytes: Uint8Array, offset: number): void {
  switch (packet.kind) {
    case 'int-md':
      emitIntShim(packet.shim, bytes, offset);
      emitIntMdHeader(packet.header, bytes, offset + INT_SHIM_LENGTH);
      emitIntStack(packet.stack, bytes, offset + MD_FIXED_LENGTH, layoutOf(packet.header));
      break;
    case 'int-mx':
      emitIntShim(packet.shim, bytes, offset);
      emitIntMx(packet.header, bytes, offset + INT_SHIM_LENGTH);
      break;
    case 'int-v1':
      emitIntV1Shim(packet.shim, bytes, offset);
      emitIntV1Header(packet.header, bytes, offset + INT_V1_SHIM_LENGTH);
      emitIntStack(packet.stack, bytes, offset + V1_FIXED_LENGTH, v1LayoutOf(packet.header));
      break;
    case 'int-v0.5':
      emitV05(packet, bytes, offset);
      break;
  }
}

function emitV05(packet: IntV05Packet, bytes: Uint8Array, offset: number): void {
  const { header, tail, stack } = packet;
  const layout = v05LayoutOf(header);
  emitIntV05Head(header, bytes, offset);
  emitIntStack(stack, bytes, offset + INT_V05_HEAD_LENGTH, layout);
  emitIntV05Tail(tail, bytes, offset + INT_V05_HEAD_LENGTH + intStackLength(stack, layout));
}

/**
 * The metadata stack of INT-MD, newest block first; metadata that only the source pushed is at the
 * bottom:
 *
 *     | newest block | ... | the source's block | source-only metadata |
 */
export interface IntStack {
  /** Newest first, as on the wire. */
  readonly blocks: readonly IntBlock[];
  readonly sourceOnly: Uint8Array;
}

/**
 * Offset of the end of the blocks. `sourceOnlyLength` is the domain's, in bytes. Refuses blocks
 * smaller than their instructions and stacks that are not a whole number of blocks.
 */
function endOfBlocks(
  { stackAt, stackEnd }: { readonly stackAt: number; readonly stackEnd: number },
  layout: IntBlockLayout,
  sourceOnlyLength: number,
): number | WireFault {
  const { hopWords } = layout;
  const wanted = baselineWords(layout.instructionBitmap, layout);
  if (hopWords < wanted) {
    const reason = `hop ml must be at least ${wanted} words for its bitmap, found ${hopWords}`;
    return new WireFault('int-stack', stackAt, reason);
  }
  const stack = stackEnd - stackAt - sourceOnlyLength;
  const count = hopWords === 0 ? 0 : stack / (4 * hopWords);
  if (stack < 0 || count * hopWords * 4 !== stack || !Number.isInteger(count)) {
    const also = sourceOnlyLength === 0 ? '' : ` and ${sourceOnlyLength} of the source`;
    const reason = `a stack of ${stackEnd - stackAt} bytes is no blocks of ${4 * hopWords}${also}`;
    return new WireFault('int-stack', stackAt, reason);
  }
  return stackAt + stack;
}

/** PERF: few domains have metadata of the source only, and a view costs more than a block. */
const NOTHING = new Uint8Array(0);

function readStack(
  bytes: Uint8Array,
  { stackAt, blocksEnd, stackEnd, layout }: IntStackPlace,
): IntStack {
  const blocks: IntBlock[] = [];
  for (let at = stackAt; at < blocksEnd; at += 4 * layout.hopWords) {
    blocks.push(readIntBlock(bytes, at, layout));
  }
  const sourceOnly = blocksEnd < stackEnd ? bytes.subarray(blocksEnd, stackEnd) : NOTHING;
  return { blocks, sourceOnly };
}

const intStackLength = (stack: IntStack, { hopWords }: IntBlockLayout): number =>
  stack.blocks.length * hopWords * 4 + stack.sourceOnly.length;

function emitIntStack(
  stack: IntStack,
  bytes: Uint8Array,
  offset: number,
  layout: IntBlockLayout,
): void {
  let at = offset;
  for (const block of stack.blocks) {
    emitIntBlock(block, bytes, at, layout);
    at += 4 * layout.hopWords;
  }
  bytes.set(stack.sourceOnly, at);
}
