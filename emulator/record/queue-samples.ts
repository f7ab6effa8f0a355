import type { Bytes } from '../../common/units/units';

const INITIAL_PAIRS = 16;

/**
 * The lengths of one queue at samples 0, 1, 2, … of a run, of which most are 0.
 * PERF: only the others are kept, in 8 bytes each; a queue that nothing waits in takes nothing.
 */
export class QueueSamples {
  /** Numbers of samples and their bytes in turn. */
  #pairs = new Uint32Array(0);
  #length = 0;

  /** Notes a length above 0; samples come in order. Of two with one number, the longer one stays. */
  add(sample: number, bytes: Bytes): void {
    const last = this.#length - 1;
    if (last > 0 && this.#pairs[last - 1] === sample) {
      if (bytes > (this.#pairs[last] as number)) this.#pairs[last] = bytes;
      return;
    }
    if (this.#length === this.#pairs.length) this.#grow();
    this.#pairs[this.#length++] = sample;
    this.#pairs[this.#length++] = bytes;
  }

  /** Two neighbouring samples become one, which is the longer of them. */
  halve(): void {
    const { pairs } = this;
    this.#length = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      this.add((pairs[i] as number) >> 1, pairs[i + 1] as number);
    }
  }

  /** Numbers of samples and their bytes in turn. */
  get pairs(): Uint32Array {
    return this.#pairs.slice(0, this.#length);
  }

  #grow(): void {
    const wider = new Uint32Array(Math.max(2 * INITIAL_PAIRS, 2 * this.#length));
    wider.set(this.#pairs);
    this.#pairs = wider;
  }
}

/** The first `count` samples, of which `pairs` are those above 0. */
export function allSamples(pairs: Uint32Array, count: number): Bytes[] {
  const samples = new Array<Bytes>(count).fill(0);
  for (let i = 0; i < pairs.length && (pairs[i] as number) < count; i += 2) {
    samples[pairs[i] as number] = pairs[i + 1] as number;
  }
  return samples;
}
