import { Random } from '../../common/random/random';
import type { Bytes } from '../../common/units/units';

/** Prime, so that no multiple of a segment or of a page brings the same bytes again. */
const PERIOD = 65_521;
/** Longest piece that can be asked for: what an IPv4 datagram holds. */
const LONGEST = 65_535;

/** Bytes that look random and can be had for any part of a flow, again and again. */
export class PayloadPattern {
  readonly #bytes = new Uint8Array(PERIOD + LONGEST);

  /** @param seed non-negative integer; flows with different seeds have different bytes. */
  constructor(seed: number) {
    const random = new Random(seed);
    for (let at = 0; at < PERIOD; at++) this.#bytes[at] = random.uint32() & 0xff;
    this.#bytes.copyWithin(PERIOD, 0, LONGEST);
  }

  /** The bytes from `sequence` on; the caller must not change them. */
  at(sequence: number, length: Bytes): Uint8Array {
    const start = sequence % PERIOD;
    return this.#bytes.subarray(start, start + length);
  }
}
