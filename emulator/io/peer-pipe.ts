import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import type { Peer, PeerAnswer, PeerEvent } from '../workload/peer/peer';
import { PEER_ENDED, eventLine, readAnswer } from '../workload/peer/peer-text';

const CHUNK_BYTES = 65_536;
/** Longest line that is no fault. */
const LINE_MAX = 1000;
/** Between two looks at a pipe that somebody else has made one that does not wait. */
const LOOK_MS = 1;

/**
 * A peer at the other end of two pipes. Each answer is waited for in the middle of an event, so the pipes are read and
 * written synchronously.
 */
export class PeerPipe implements Peer {
  readonly #input: number;
  readonly #output: number;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #text = '';
  #at = 0;

  /** @param input descriptor to read from. @param output descriptor to write to. */
  constructor(input: number, output: number) {
    this.#input = input;
    this.#output = output;
  }

  exchange(event: PeerEvent): PeerAnswer {
    this.write(eventLine(event));
    return readAnswer(() => this.#line());
  }

  /** @throws InputError where nobody reads any more. */
  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    for (let done = 0; done < bytes.length;) {
      done += this.#patiently(() => fs.writeSync(this.#output, bytes, done)) ?? 0;
    }
  }

  /** The next line; undefined where the peer has ended. */
  #line(): string | undefined {
    for (;;) {
      const end = this.#text.indexOf('\n', this.#at);
      if (end >= 0) {
        const line = this.#text.slice(this.#at, end);
        this.#at = end + 1;
        return line;
      }
      const rest = this.#text.slice(this.#at);
      if (rest.length > LINE_MAX) {
        throw new InputError(`the peer said a line of more than ${LINE_MAX} characters`);
      }
      const count = this.#patiently(() => fs.readSync(this.#input, this.#chunk)) ?? 0;
      // Half a line is none.
      if (count === 0) return undefined;
      this.#text = rest + this.#chunk.toString('latin1', 0, count);
      this.#at = 0;
    }
  }

  /** @throws InputError for a pipe without another end. */
  #patiently(act: () => number): number {
    for (;;) {
      try {
        return act();
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'EOF') return 0;
        if (code === 'EPIPE') throw new InputError(PEER_ENDED);
        if (code !== 'EAGAIN') throw new InputError(`the pipe to the peer: ${message}`);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
      }
    }
  }
}
