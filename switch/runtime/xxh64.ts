/**
 * xxHash64 with seed 0, after the algorithm's public description: four accumulators over stripes of
 * 32 bytes, then the remaining words, half words and bytes, then an avalanche.
 */

const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;

const STRIPE = 32;

export function xxh64(bytes: Uint8Array): bigint {
  const stripes = bytes.length - (bytes.length % STRIPE);
  const start = stripes === 0 ? PRIME_5 : digestStripes(bytes, stripes);
  let hash = cut(start + BigInt(bytes.length));
  let position = stripes;
  for (; position + 8 <= bytes.length; position += 8) {
    hash ^= round(0n, word(bytes, position, 8));
    hash = cut(rotate(hash, 27n) * PRIME_1 + PRIME_4);
  }
  for (; position + 4 <= bytes.length; position += 4) {
    hash ^= cut(word(bytes, position, 4) * PRIME_1);
    hash = cut(rotate(hash, 23n) * PRIME_2 + PRIME_3);
  }
  for (; position < bytes.length; position++) {
    hash ^= cut(word(bytes, position, 1) * PRIME_5);
    hash = cut(rotate(hash, 11n) * PRIME_1);
  }
  return avalanche(hash);
}

function digestStripes(bytes: Uint8Array, end: number): bigint {
  const lanes = [cut(PRIME_1 + PRIME_2), PRIME_2, 0n, cut(-PRIME_1)];
  for (let position = 0; position < end; position += STRIPE) {
    for (let i = 0; i < 4; i++) {
      lanes[i] = round(lanes[i] ?? 0n, word(bytes, position + 8 * i, 8));
    }
  }
  const rotations = [1n, 7n, 12n, 18n];
  let hash = cut(lanes.reduce((sum, lane, i) => sum + rotate(lane, rotations[i] ?? 0n), 0n));
  for (const lane of lanes) hash = cut((hash ^ round(0n, lane)) * PRIME_1 + PRIME_4);
  return hash;
}

function round(accumulator: bigint, input: bigint): bigint {
  return cut(rotate(cut(accumulator + input * PRIME_2), 31n) * PRIME_1);
}

function avalanche(value: bigint): bigint {
  let hash = value ^ (value >> 33n);
  hash = cut(hash * PRIME_2);
  hash ^= hash >> 29n;
  hash = cut(hash * PRIME_3);
  return hash ^ (hash >> 32n);
}

/** Little-endian, as the algorithm wants it. */
function word(bytes: Uint8Array, position: number, size: number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[position + i] ?? 0);
  return value;
}

function rotate(value: bigint, bits: bigint): bigint {
  return cut(value << bits) | (value >> (64n - bits));
}

function cut(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}
