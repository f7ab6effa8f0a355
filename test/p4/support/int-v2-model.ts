import { carrierChecksum, carrierSum, frameOf, u16, u32 } from './int-v2-packet';
import type { Carrier, IntBytes, Place, PlainPacket } from './int-v2-packet';

/** The instructions of an INT-MD header, and how many nodes may push. */
export interface Instructions {
  readonly bitmap: number;
  readonly domain: number;
  readonly ds: number;
  /** Words of each hop. */
  readonly hopWords: number;
  readonly maxHops: number;
}

/** One node, as its controller describes it and as its target counts: clock and queues stand still. */
export interface ModelNode {
  readonly nodeId: number;
  readonly ingressPort: number;
  readonly egressPort: number;
  readonly ingressInterface2: number;
  readonly egressInterface2: number;
  readonly bufferId: number;
  readonly capacityMbps: number;
  readonly mtu: number;
}

export const HP_DOMAIN = 0x4850;
const COMPLEMENT = 0x0001;
const RESERVED = 0x007e;
const DOUBLE = 0x0e00;
const ONES = 0xffff_ffff;

const bitCount = (bits: number): number => bits.toString(2).replaceAll('0', '').length;

/** Words that the instructions ask for, without those of domains that nobody here knows. */
export const wordsOf = ({
  bitmap,
  domain,
  ds,
}: Omit<Instructions, 'hopWords' | 'maxHops'>): number =>
  bitCount(bitmap) + bitCount(bitmap & DOUBLE) + (domain === HP_DOMAIN ? hpWords(ds) : 0);

const hpWords = (ds: number): number => bitCount(ds & 0xe000) + ((ds & 0x8000) === 0 ? 0 : 1);

/** A packet with INT-MD on its way: what it was, what announces INT, flags and blocks, newest first. */
export interface IntPacket {
  readonly plain: PlainPacket;
  readonly carrier: Carrier;
  readonly instructions: Instructions;
  readonly blocks: readonly (readonly number[])[];
  /** D, E and M in their places in the first byte of the header. */
  readonly flags: number;
}

export const E_FLAG = 4;
export const M_FLAG = 2;

const SHIM_LIMIT = 255;
const OPTION_LIMIT = 31;

/** Header and stack of the packet. */
function intBytes({ carrier, instructions, blocks, flags }: IntPacket): IntBytes {
  const { bitmap, domain, ds, hopWords, maxHops } = instructions;
  const head = [0x20 | flags, 0, hopWords, maxHops - blocks.length];
  const sets = [...u16(bitmap), ...u16(domain), ...u16(ds), 0, 0];
  return { carrier, type: 1, bytes: [...head, ...sets, ...blocks.flat()] };
}

/** The frame at a place: the checksum is right, or with complements that of the empty stack. */
export function intFrame(packet: IntPacket, place: Place): Uint8Array {
  return frameOf(packet.plain, keptChecksum(packet, place), intBytes(packet));
}

function keptChecksum(packet: IntPacket, place: Place): Place {
  if ((packet.instructions.bitmap & COMPLEMENT) === 0) return place;
  const empty = intBytes({ ...packet, blocks: [] });
  const checksum = carrierChecksum(packet.plain, place, empty);
  return checksum === undefined ? place : { ...place, checksum };
}

/** The packet after a node, which pushes its block or sets a flag. `txBytes` has left its port before. */
export function pushed(
  packet: IntPacket,
  node: ModelNode,
  place: Place,
  txBytes: number,
): IntPacket {
  const { instructions, blocks, carrier } = packet;
  if (blocks.length >= instructions.maxHops) return { ...packet, flags: packet.flags | E_FLAG };
  const grown = { ...packet, blocks: [blockOf(instructions, node, txBytes), ...blocks] };
  const limit = carrier === 'geneve' ? OPTION_LIMIT : SHIM_LIMIT;
  const isTooLong = intBytes(grown).bytes.length / 4 > limit;
  if (isTooLong || intFrame(grown, place).length - 14 > node.mtu) {
    return { ...packet, flags: packet.flags | M_FLAG };
  }
  return (instructions.bitmap & COMPLEMENT) === 0 ? grown : complemented(grown, place);
}

/** The packet whose newest block ends with the complement that makes the kept checksum right. */
function complemented(packet: IntPacket, place: Place): IntPacket {
  const [newest = [], ...older] = packet.blocks;
  const withWord = (word: number): IntPacket => {
    const block = [...newest.slice(0, -4), ...u32(word)];
    return { ...packet, blocks: [block, ...older] };
  };
  const kept = keptChecksum(packet, place);
  if (kept.checksum === undefined) return withWord(ONES);
  return withWord(0xffff - carrierSum(packet.plain, kept, intBytes(withWord(0))));
}

function blockOf(instructions: Instructions, node: ModelNode, txBytes: number): number[] {
  const { bitmap, domain, ds, hopWords } = instructions;
  const words: readonly (readonly [bit: number, bytes: readonly number[]])[] = [
    [0x8000, u32(node.nodeId)],
    [0x4000, [...u16(node.ingressPort), ...u16(node.egressPort)]],
    [0x2000, u32(0)],
    [0x1000, u32(0)],
    [0x0800, [...u32(0), ...u32(0)]],
    [0x0400, [...u32(0), ...u32(0)]],
    [0x0200, [...u32(node.ingressInterface2), ...u32(node.egressInterface2)]],
    // In the first window nothing has been sent in the one before.
    [0x0100, u32(0)],
    [0x0080, [node.bufferId, 0, 0, 0]],
  ];
  const baseline = words.filter(([bit]) => (bitmap & bit) !== 0).flatMap(([, bytes]) => bytes);
  const reserved = new Array<number>(4 * bitCount(bitmap & RESERVED)).fill(0xff);
  const own = domain === HP_DOMAIN ? hpBlock(ds, node, txBytes) : [];
  const complement = (bitmap & COMPLEMENT) === 0 ? [] : u32(0);
  const known = [...baseline, ...reserved, ...own];
  const unknown = new Array<number>(4 * hopWords - known.length - complement.length).fill(0xff);
  return [...known, ...unknown, ...complement];
}

const hpBlock = (ds: number, { capacityMbps }: ModelNode, txBytes: number): number[] => [
  ...((ds & 0x8000) === 0 ? [] : [0, 0, 0, 0, ...u32(txBytes)]),
  ...((ds & 0x4000) === 0 ? [] : u32(capacityMbps)),
  ...((ds & 0x2000) === 0 ? [] : u32(0)),
];
