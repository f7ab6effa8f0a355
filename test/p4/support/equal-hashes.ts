import { hashNumber } from '../../../switch/runtime/hash';

/** A flow over IPv4, by what switches hash. */
export interface FiveTuple {
  readonly source: number;
  readonly destination: number;
  readonly protocol: number;
  readonly sourcePort: number;
  readonly destinationPort: number;
}

/** Bits of an IPv6 address behind its first word, which are free to choose. */
const FREE_BITS = 96;

/**
 * The 16 bytes of a source address over IPv6 that begin with that over IPv4, with which the flow has
 * the CRC-32 and the CRC-16 that it has over IPv4. The destination is that of IPv4 with zeros behind.
 *
 * A CRC is linear but for a constant: so the bits that are wrong with zeros behind the first word are
 * the sum of what single bits change, and which ones is a system of 48 equations.
 */
export function likeFlow(flow: FiveTuple): Uint8Array {
  const address = new Uint8Array(16);
  new DataView(address.buffer).setUint32(0, flow.source);
  const zero = hashesOver(flow, address);
  let wanted = zero ^ hashes(ipv4Text(flow));
  for (const { pivot, change, bits } of basisOf(flow, address, zero)) {
    if ((wanted & pivot) === 0n) continue;
    wanted ^= change;
    flip(address, bits);
  }
  if (wanted !== 0n) throw new Error('no source address has such hashes');
  return address;
}

/** A set of free bits, what flipping them changes, and the bit of that by which they are chosen. */
interface Step {
  readonly pivot: bigint;
  readonly change: bigint;
  readonly bits: bigint;
}

/** Steps of which each changes a bit that later ones leave. */
function basisOf(flow: FiveTuple, address: Uint8Array, zero: bigint): readonly Step[] {
  const steps: Step[] = [];
  for (let bit = 0; bit < FREE_BITS; bit++) {
    let bits = 1n << BigInt(bit);
    const flipped = address.slice();
    flip(flipped, bits);
    let change = hashesOver(flow, flipped) ^ zero;
    for (const step of steps) {
      if ((change & step.pivot) === 0n) continue;
      change ^= step.change;
      bits ^= step.bits;
    }
    if (change === 0n) continue;
    steps.push({ pivot: change & -change, change, bits });
  }
  return steps;
}

/** Flips the free bits of an address that are ones in `bits`. */
function flip(address: Uint8Array, bits: bigint): void {
  for (let bit = 0; bit < FREE_BITS; bit++) {
    if ((bits & (1n << BigInt(bit))) === 0n) continue;
    const at = 4 + (bit >>> 3);
    address[at] = (address[at] as number) ^ (1 << (bit & 7));
  }
}

const hashes = (text: Uint8Array): bigint =>
  (BigInt(hashNumber('crc32', text)) << 16n) | BigInt(hashNumber('crc16', text));

function ipv4Text({ source, destination, ...rest }: FiveTuple): Uint8Array {
  const text = new Uint8Array(13);
  const view = new DataView(text.buffer);
  view.setUint32(0, source);
  view.setUint32(4, destination);
  writeRest(view, 8, rest);
  return text;
}

function hashesOver({ destination, ...rest }: FiveTuple, source: Uint8Array): bigint {
  const text = new Uint8Array(37);
  const view = new DataView(text.buffer);
  text.set(source);
  view.setUint32(16, destination);
  writeRest(view, 32, rest);
  return hashes(text);
}

function writeRest(
  view: DataView,
  at: number,
  { protocol, sourcePort, destinationPort }: Omit<FiveTuple, 'source' | 'destination'>,
): void {
  view.setUint8(at, protocol);
  view.setUint16(at + 1, sourcePort);
  view.setUint16(at + 3, destinationPort);
}
