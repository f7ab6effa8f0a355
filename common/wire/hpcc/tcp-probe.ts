import { INT_FIXED_LENGTH } from '../int/int-md';

/**
 * The sequence number of a telemetry probe or response inside a TCP connection (our choice, built
 * on draft-miao-rtgwg-hpccplus section 7.2): so far below the oldest unacknowledged byte that even
 * fully grown INT bytes lie in what the peer has acknowledged. A peer that does not strip them takes
 * them for old data; with a higher number it would take them into its stream.
 *
 * @param sndUna oldest unacknowledged sequence number.
 * @param hopWords words that each node pushes, @param hopsMax nodes that may push.
 * @returns 32 bits, modulo 2^32.
 */
export const probeSequence = (sndUna: number, hopWords: number, hopsMax: number): number =>
  (sndUna - grownLength(hopWords, hopsMax)) >>> 0;

/**
 * True if enough bytes were acknowledged for a probe not to begin before the connection's start.
 */
export const mayProbe = (ackedBytes: number, hopWords: number, hopsMax: number): boolean =>
  ackedBytes >= grownLength(hopWords, hopsMax);

const grownLength = (hopWords: number, hopsMax: number): number =>
  INT_FIXED_LENGTH + 4 * hopWords * hopsMax;
