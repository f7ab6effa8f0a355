import type { Random } from '../../../common/random/random';
import type { Hint } from './reach';

/** Material for changes of inputs. */
export interface Material {
  readonly random: Random;
  readonly bytesMax: number;
  readonly words: readonly Uint8Array[];
  /** Another good input. */
  readonly other: () => Uint8Array;
}

/** At the ends of what lengths, counts and numbers hold. */
const EDGES = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 254, 255];
const WIDE_EDGES = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff];
const CHANGES_MAX = 6;
const RANGE_MAX = 32;
const SIZES = [1, 2, 4, 8] as const;

/** The input with some changes; what it was compared with, if known, is put in place of what it had. */
export function changed(input: Uint8Array, material: Material, hints: readonly Hint[]): Uint8Array {
  const { random, bytesMax } = material;
  let bytes = input;
  const changes = 1 + random.below(random.below(CHANGES_MAX) + 1);
  for (let i = 0; i < changes; i++) {
    const hint = hints[random.below(2 * hints.length)];
    bytes = hint === undefined ? changeOf(bytes, material) : asWanted(bytes, hint, random);
  }
  if (bytes === input) bytes = input.slice();
  return bytes.length > bytesMax ? bytes.subarray(0, bytesMax) : bytes;
}

function changeOf(bytes: Uint8Array, { random, words, other }: Material): Uint8Array {
  const at = random.below(bytes.length + 1);
  const word = words[random.below(words.length)];
  switch (random.below(word === undefined ? 9 : 12)) {
    case 0:
      return replaced(bytes, at, Uint8Array.of((bytes[at] ?? 0) ^ (1 << random.below(8))));
    case 1:
      return replaced(bytes, at, Uint8Array.of(EDGES[random.below(EDGES.length)] ?? 0));
    case 2:
      return replaced(bytes, at, Uint8Array.of(random.below(256)));
    case 3:
      return replaced(bytes, at, Uint8Array.of((bytes[at] ?? 0) + random.below(33) - 16));
    case 4: {
      const size = SIZES[random.below(3)] ?? 1;
      const edge = WIDE_EDGES[random.below(WIDE_EDGES.length)] ?? 0;
      return replaced(
        bytes,
        at,
        encoded(random.below(2) === 0 ? edge : -edge, size, random.below(2) === 0),
      );
    }
    case 5:
      return inserted(bytes, at, new Uint8Array(1 + random.below(8)).fill(random.below(256)));
    case 6:
      return without(bytes, at, 1 + random.below(RANGE_MAX));
    case 7: {
      const from = random.below(bytes.length + 1);
      const part = bytes.slice(from, from + 1 + random.below(RANGE_MAX));
      return random.below(2) === 0 ? inserted(bytes, at, part) : replaced(bytes, at, part);
    }
    case 8: {
      const second = other();
      const from = random.below(second.length + 1);
      const part = second.subarray(from, from + 1 + random.below(second.length));
      return random.below(2) === 0
        ? inserted(bytes, at, part)
        : inserted(bytes.subarray(0, at), at, part);
    }
    case 9:
      return replaced(bytes, at, word ?? EMPTY);
    default:
      return inserted(bytes, at, word ?? EMPTY);
  }
}

/** Where the input has what was found, as bytes or as text, it gets what was wanted. */
function asWanted(bytes: Uint8Array, { found, wanted }: Hint, random: Random): Uint8Array {
  if (typeof found === 'string' || typeof wanted === 'string') {
    return exchanged(bytes, Buffer.from(String(found)), Buffer.from(String(wanted)), random);
  }
  const size = SIZES[random.below(SIZES.length)] ?? 1;
  const isLittle = random.below(2) === 0;
  const by = random.below(4) === 0 ? random.below(3) - 1 : 0;
  return exchanged(
    bytes,
    encoded(found, size, isLittle),
    encoded(wanted + by, size, isLittle),
    random,
  );
}

function exchanged(bytes: Uint8Array, old: Uint8Array, by: Uint8Array, random: Random): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const from = random.below(bytes.length + 1);
  let at = old.length === 0 ? from : buffer.indexOf(old, from);
  if (at < 0) at = buffer.indexOf(old);
  if (at < 0) return random.below(4) === 0 ? inserted(bytes, from, by) : replaced(bytes, from, by);
  return Buffer.concat([bytes.subarray(0, at), by, bytes.subarray(at + old.length)]);
}

function encoded(value: number, size: (typeof SIZES)[number], isLittle: boolean): Uint8Array {
  const all = Buffer.alloc(8);
  all.writeBigInt64BE(BigInt(value));
  const bytes = all.subarray(8 - size);
  return isLittle ? bytes.reverse() : bytes;
}

function replaced(bytes: Uint8Array, at: number, by: Uint8Array): Uint8Array {
  const result = new Uint8Array(Math.max(bytes.length, at + by.length));
  result.set(bytes);
  result.set(by, at);
  return result;
}

function inserted(bytes: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  const result = new Uint8Array(bytes.length + part.length);
  result.set(bytes.subarray(0, at));
  result.set(part, at);
  result.set(bytes.subarray(at), at + part.length);
  return result;
}

function without(bytes: Uint8Array, at: number, count: number): Uint8Array {
  const result = new Uint8Array(bytes.length - Math.min(count, bytes.length - at));
  result.set(bytes.subarray(0, at));
  result.set(bytes.subarray(Math.min(bytes.length, at + count)), at);
  return result;
}

const EMPTY = new Uint8Array();
