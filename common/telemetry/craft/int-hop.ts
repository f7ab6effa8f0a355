import type { IntBlock, IntBlockLayout, IntMetadataForm } from '../../wire/int/int-metadata';
import { baselineWords } from '../../wire/int/int-metadata';
import { wordHalves, wordValue } from './values';
import type { Fields } from './layer';
import { listOf, section, uint, word } from './values';
import type { Field } from './values';

/** Metadata of one hop of INT in documents: those of {@link IntBlock}, each under the bit that asks for it. */
const BITS: readonly (readonly [bit: number, names: readonly (keyof IntBlock)[]])[] = [
  [0x8000, ['nodeId']],
  [0x4000, ['ingressInterface', 'egressInterface']],
  [0x2000, ['hopLatency']],
  [0x1000, ['queueId', 'queueOccupancy']],
  [0x0800, ['ingressTimestamp']],
  [0x0400, ['egressTimestamp']],
  [0x0200, ['ingressInterface2', 'egressInterface2', 'congestedQueueId', 'congestionStatus']],
  [0x0100, ['txUtilization']],
  [0x0080, ['bufferId', 'bufferOccupancy']],
  [0x0001, ['checksumComplement']],
];

export const HOP_SHAPE = {
  nodeId: uint(32),
  ingressInterface: uint(16),
  egressInterface: uint(16),
  hopLatency: uint(32),
  queueId: uint(8),
  queueOccupancy: uint(24),
  ingressTimestamp: word,
  egressTimestamp: word,
  ingressInterface2: uint(32),
  egressInterface2: uint(32),
  congestedQueueId: uint(8),
  congestionStatus: uint(24),
  txUtilization: uint(32),
  bufferId: uint(8),
  bufferOccupancy: uint(24),
  /** A word per reserved bit that is set. */
  reserved: listOf(uint(32)),
  /** Domain-specific words. */
  domain: listOf(uint(32)),
  checksumComplement: uint(32),
} as const;

/** A hop in path order; what its bitmap asks for and it does not say becomes all ones. */
export const HOPS: Field<readonly Fields[]> = listOf(section(HOP_SHAPE));

/** Bits for which some hop has a value. */
export function bitmapOf(hops: readonly Fields[]): number {
  let bitmap = 0;
  for (const [bit, names] of BITS) {
    if (hops.some((hop) => names.some((name) => hop[name] !== undefined))) bitmap |= bit;
  }
  return bitmap;
}

/** Words of a hop: those of the bitmap, and the domain's. */
export const wordsPerHop = (
  bitmap: number,
  hops: readonly Fields[],
  form?: IntMetadataForm,
): number => baselineWords(bitmap, form) + Math.max(0, ...hops.map((hop) => domainOf(hop).length));

const domainOf = (hop: Fields): readonly number[] => (hop['domain'] ?? []) as readonly number[];

/** The block of a hop as codecs take it. */
export function blockOf(hop: Fields): IntBlock {
  const { ingressTimestamp: ingress, egressTimestamp: egress } = hop;
  return {
    ...hop,
    ...(ingress === undefined ? {} : { ingressTimestamp: wordHalves(ingress as number | string) }),
    ...(egress === undefined ? {} : { egressTimestamp: wordHalves(egress as number | string) }),
    domain: domainOf(hop),
  };
}

/** The other way round. */
export function hopOf({ domain, ...block }: IntBlock): Fields {
  const { ingressTimestamp: ingress, egressTimestamp: egress } = block;
  return {
    ...block,
    ...(ingress === undefined ? {} : { ingressTimestamp: wordValue(ingress) }),
    ...(egress === undefined ? {} : { egressTimestamp: wordValue(egress) }),
    ...(domain.length === 0 ? {} : { domain }),
  };
}

/** Words that blocks really take: a header may say fewer on purpose. */
export const realWords = (layout: IntBlockLayout, hops: readonly Fields[]): number =>
  Math.max(layout.hopWords, wordsPerHop(layout.instructionBitmap, hops, layout));
