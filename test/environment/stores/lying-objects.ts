import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import type { KeptResults } from '../../../emulator/study/io/kept-results';
import { NS_PER_MS } from '../kernel/machine';
import type { SystemParts } from '../kernel/system';

/** After which a study gives an answer up, in ms. */
export const PATIENCE_MS = 700;
/** Time of an answer, in ms. */
const ANSWER_MS = 5;
/** Most bytes of an object; a bound of 256 MB would cost seeds their time. */
const BYTES_MAX = 1024 * 1024;
/** A piece of a body that never ends. */
const PIECE = Buffer.alloc(BYTES_MAX / 16);
/** 4 KB for 4 MB. */
const SWELLING = zlib.gzipSync(Buffer.alloc(4 * BYTES_MAX));

/**
 * An S3-compatible store that may return something else than was left there, more than anybody can hold, or nothing
 * for ever, also to whoever has given it up.
 */
export class LyingObjects implements KeptResults {
  readonly patienceMs = PATIENCE_MS;
  readonly bytesMax = BYTES_MAX;
  readonly #objects = new Map<string, Uint8Array>();

  constructor(private readonly parts: SystemParts) {}

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#answered();
    this.#objects.set(name, Uint8Array.from(bytes));
  }

  async get(name: string): Promise<Readable> {
    await this.#answered();
    const bytes = this.#objects.get(name);
    if (bytes === undefined) throw new Error('NoSuchKey: The specified key does not exist.');
    if (!this.parts.faults.strikes('store-lies')) return Readable.from([bytes]);
    return this.#lie(bytes);
  }

  /** Or never. */
  #answered(): Promise<void> {
    const { machine, faults } = this.parts;
    if (faults.strikes('store-silent', 0.5)) return new Promise(() => undefined);
    const isLost = faults.strikes('store-lost', 0.5);
    return new Promise((resolve, reject) => {
      machine.taskIn(ANSWER_MS * NS_PER_MS, () => {
        if (isLost) reject(new Error('socket hang up\n    at TLSSocket.socketOnEnd'));
        else resolve();
      });
    });
  }

  #lie(bytes: Uint8Array): Readable {
    const { faults } = this.parts;
    const others = [...this.#objects.values()];
    const damaged = (): Uint8Array => {
      const copy = Uint8Array.from(bytes);
      const at = faults.below(copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << faults.below(8));
      return copy;
    };
    const lies: (() => Readable)[] = [
      () => Readable.from([damaged()]),
      () => Readable.from([bytes.subarray(0, faults.below(bytes.length))]),
      () => Readable.from([others[faults.below(others.length)] ?? bytes]),
      () => Readable.from([Buffer.from('<Error>\u001b[2J</Error>')]),
      () => Readable.from([zlib.gzipSync('null')]),
      () => Readable.from([SWELLING]),
      () => Readable.from(endless()),
      // A body of which nothing ever comes.
      () => new Readable({ read: () => undefined }),
    ];
    return (lies[faults.below(lies.length)] as () => Readable)();
  }
}

function* endless(): Generator<Uint8Array> {
  for (;;) yield PIECE;
}
