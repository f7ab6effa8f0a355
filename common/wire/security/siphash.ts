import { assert } from '../../assert';
import type { Word64 } from '../bytes';

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012) with a result of 64 bits: a keyed hash of additions,
 * rotations and exclusive-ors only, which P4 targets can compute.
 */
export const SIPHASH_KEY_LENGTH = 16;
const SIPHASH_LENGTH = 8;

/** Four words of state, each as its high and its low half: v0, v1, v2, v3. */
type State = Int32Array;

/**
 * The hash of a message under a key of 16 bytes: 8 bytes, least significant first, as the authors'
 * reference code stores it.
 */
export function sipHash24(key: Uint8Array, message: Uint8Array): Uint8Array {
  assert(key.length === SIPHASH_KEY_LENGTH, 'a SipHash key has 16 bytes');
  const state = initialState(key);
  const whole = message.length - (message.length % 8);
  for (let at = 0; at < whole; at += 8) compress(state, wordAt(message, at));
  compress(state, lastWord(message, whole));
  state[5] = half(state, 5) ^ 0xff;
  for (let i = 0; i < 4; i++) round(state);
  const result = new Uint8Array(SIPHASH_LENGTH);
  const view = new DataView(result.buffer);
  view.setInt32(0, half(state, 1) ^ half(state, 3) ^ half(state, 5) ^ half(state, 7), true);
  view.setInt32(4, half(state, 0) ^ half(state, 2) ^ half(state, 4) ^ half(state, 6), true);
  return result;
}

/** The two 64-bit halves of a key, as the hash reads them: least significant byte first. */
export function sipHashKeyHalves(key: Uint8Array): { readonly low: Word64; readonly high: Word64 } {
  assert(key.length === SIPHASH_KEY_LENGTH, 'a SipHash key has 16 bytes');
  const unsigned = ({ high, low }: Word64): Word64 => ({ high: high >>> 0, low: low >>> 0 });
  return { low: unsigned(wordAt(key, 0)), high: unsigned(wordAt(key, 8)) };
}

const half = (state: State, index: number): number => state[index] as number;

/** "somepseudorandomlygeneratedbytes", by which the authors start the state. */
function initialState(key: Uint8Array): State {
  const low = wordAt(key, 0);
  const high = wordAt(key, 8);
  return Int32Array.of(
    low.high ^ 0x736f6d65,
    low.low ^ 0x70736575,
    high.high ^ 0x646f7261,
    high.low ^ 0x6e646f6d,
    low.high ^ 0x6c796765,
    low.low ^ 0x6e657261,
    high.high ^ 0x74656462,
    high.low ^ 0x79746573,
  );
}

function compress(state: State, { high, low }: Word64): void {
  state[6] = half(state, 6) ^ high;
  state[7] = half(state, 7) ^ low;
  round(state);
  round(state);
  state[0] = half(state, 0) ^ high;
  state[1] = half(state, 1) ^ low;
}

function round(state: State): void {
  mix(state, 0, 1, 13);
  swapHalves(state, 0);
  mix(state, 2, 3, 16);
  mix(state, 0, 3, 21);
  mix(state, 2, 1, 17);
  swapHalves(state, 2);
}

/** left += right; right rotated by `bits` to the left; right ^= left. */
function mix(state: State, left: number, right: number, bits: number): void {
  const [a, b] = [2 * left, 2 * right];
  const [bHigh, bLow] = [half(state, b), half(state, b + 1)];
  const low = (half(state, a + 1) >>> 0) + (bLow >>> 0);
  state[a] = half(state, a) + bHigh + (low > 0xffff_ffff ? 1 : 0);
  state[a + 1] = low;
  state[b] = ((bHigh << bits) | (bLow >>> (32 - bits))) ^ half(state, a);
  state[b + 1] = ((bLow << bits) | (bHigh >>> (32 - bits))) ^ half(state, a + 1);
}

/** A rotation by 32. */
function swapHalves(state: State, word: number): void {
  const high = half(state, 2 * word);
  state[2 * word] = half(state, 2 * word + 1);
  state[2 * word + 1] = high;
}

function wordAt(bytes: Uint8Array, at: number): Word64 {
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 8);
  return { high: view.getInt32(4, true), low: view.getInt32(0, true) };
}

/** The remaining bytes, with the length modulo 256 in the most significant byte. */
function lastWord(message: Uint8Array, from: number): Word64 {
  const padded = new Uint8Array(8);
  padded.set(message.subarray(from));
  padded[7] = message.length & 0xff;
  return wordAt(padded, 0);
}
