import type { Random } from '../../../common/random/random';

const RANDOM_LENGTH_MAX = 160;
/** Values that lengths, counts and flags rarely have by chance. */
const EDGES = [0, 1, 0x0f, 0x10, 0x7f, 0x80, 0xf0, 0xff];

/** Random bytes one time in six, else one of the good inputs with some damage. */
export function mutatedInput(random: Random, seeds: readonly Uint8Array[]): Uint8Array {
  const seed = seeds[random.below(seeds.length)];
  if (seed === undefined || random.below(6) === 0) {
    return randomBytes(random, random.below(RANDOM_LENGTH_MAX));
  }
  const bytes = seed.slice();
  const changes = random.below(4);
  for (let i = 0; i < changes && bytes.length > 0; i++) {
    // Lengths and versions are at the start of headers.
    const reach = random.below(2) === 0 ? Math.min(16, bytes.length) : bytes.length;
    bytes[random.below(reach)] = damagedByte(random);
  }
  return resized(random, bytes);
}

const damagedByte = (random: Random): number =>
  random.below(2) === 0 ? (EDGES[random.below(EDGES.length)] ?? 0) : random.below(256);

function resized(random: Random, bytes: Uint8Array): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return bytes.slice(0, random.below(bytes.length + 1));
    case 1: {
      const longer = randomBytes(random, bytes.length + random.below(40));
      longer.set(bytes);
      return longer;
    }
    default:
      return bytes;
  }
}

/** PERF: four bytes per number; a long run makes tens of millions of inputs. */
function randomBytes(random: Random, length: number): Uint8Array {
  const words = new Uint32Array((length + 3) >> 2);
  for (let i = 0; i < words.length; i++) words[i] = random.uint32();
  return new Uint8Array(words.buffer, 0, length);
}
