/**
 * Meaning of the 32 buckets of CSIG's compact tag in a domain of HPCC++. The draft leaves it to the
 * operator, and switches and hosts need the same. Free bandwidth is a share of the link, in steps
 * that are finest where a link is nearly full; delays have steps of a quarter.
 */
export interface CsigDomain {
  /** Over which switches measure the bandwidth that is free: a power of two, in ns. */
  readonly windowNs: number;
  /** The shortest delay that has a bucket of its own, in ns. */
  readonly delayStepNs: number;
}

export const DEFAULT_CSIG_DOMAIN: CsigDomain = { windowNs: 2048, delayStepNs: 64 };

/** Types of the tag. */
export const CSIG_FREE_SHARE = 1;
export const CSIG_MAX_DELAY = 2;

/** Lower edges of the next buckets, as free parts of the link: 31 edges between 32 buckets. */
export const CSIG_FREE_EDGES: readonly number[] = [
  ...Array.from({ length: 20 }, (_, i) => (i + 1) * 0.005),
  0.12,
  0.15,
  0.2,
  0.25,
  0.3,
  0.4,
  0.5,
  0.6,
  0.7,
  0.8,
  0.9,
];

const DELAY_EDGES = 31;
const DELAY_GROWTH = 1.25;

/** Lower edges of the next buckets of delays, in whole ns. */
export const csigDelayEdges = ({ delayStepNs }: CsigDomain): readonly number[] =>
  Array.from({ length: DELAY_EDGES }, (_, i) => Math.round(delayStepNs * DELAY_GROWTH ** i));

/** Middle of a bucket, by the edges between buckets; the last one ends at `end`. */
export function csigMiddle(bucket: number, edges: readonly number[], end: number): number {
  const low = edges[bucket - 1] ?? 0;
  return (low + (edges[bucket] ?? end)) / 2;
}
