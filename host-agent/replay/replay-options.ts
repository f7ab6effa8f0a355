import type { RateFormOptions } from '../algorithm/rate-form';
import type { BitsPerSecond, Bytes } from '../../common/units/units';

/** Constants of the recorded run that its file does not state. */
export interface ReplayOptions extends RateFormOptions {
  readonly timestampModulusNs: number;
  readonly txBytesModulus: Bytes;
  /** Capacities along a path, from the sender, by its number of hops. */
  readonly linkRatesByHops: ReadonlyMap<number, readonly BitsPerSecond[]>;
}

/** What all recorded runs have in common. */
const COMMON = {
  linkRate: 100e9,
  rateMin: 1e9,
  additiveIncrease: 50e6,
  targetUtilization: 0.95,
  maxHops: 5,
  timestampModulusNs: 2 ** 24,
  // The simulator's 20-bit counter of 128-byte units, in the multiples of four that it was run with.
  txBytesModulus: 2 ** 20 * 128 * 4,
} as const;

/** 16 hosts and a receiver on one switch, 100 Gb/s and 1 us per link. */
const STAR = {
  ...COMMON,
  baseRttNs: 4160,
  windowBytesMax: 52_000,
  linkRatesByHops: new Map([[1, [100e9]]]),
};

/** 32 hosts at 100 Gb/s, 4 leaves and 2 spines at 400 Gb/s, 1 us per link. */
const LEAF_SPINE = {
  ...COMMON,
  baseRttNs: 8200,
  windowBytesMax: 102_500,
  linkRatesByHops: new Map([
    [1, [100e9]],
    [3, [400e9, 400e9, 100e9]],
  ]),
};

/**
 * The constants of the recorded runs: the star if no path of the file has more than one hop, else
 * the leaf-spine network.
 * @param maxStage cannot be told from a file's contents: files named mi0 need 0, mi5 need 5.
 */
export function presetForHops(hopsMax: number, maxStage: number): ReplayOptions {
  return { ...(hopsMax <= 1 ? STAR : LEAF_SPINE), maxStage };
}
