import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';

/** Bytes that one system call writes: some hundred lines. */
const BUFFER_BYTES = 65_536;
/** Offset of the lines in the buffer, behind a byte that may have to end the line before. */
const START = 1;
/** Longest time that a line waits, in ms: somebody may watch the run by its trace. */
const WAIT_MS = 200;

/** The system calls of a file of lines; those of Node unless a test has others. */
export interface LineFileCalls {
  readonly openSync: (path: string, flags: 'w') => number;
  readonly writeSync: (fd: number, bytes: Uint8Array, from: number) => number;
  readonly closeSync: (fd: number) => void;
}

/**
 * A file of lines that `--trace` names, written through a buffer. What it is about goes on when the disk
 * is full: lines that find no room are lost and counted, and those after them are written again as soon
 * as there is some.
 */
export class LineFile {
  readonly #path: string;
  readonly #onFailure: (sentence: string) => void;
  readonly #calls: LineFileCalls;
  readonly #fd: number;
  /** PERF: strings that wait would be copied by every collection of garbage, which holds packets up. */
  readonly #buffer = Buffer.alloc(BUFFER_BYTES, '\n');
  #end = START;
  #linesLost = 0;
  #hasFailed = false;
  /** The file ends within a line. */
  #isTorn = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * Replaces the file if there is one.
   * @param onFailure is told once, when a line is lost for the first time.
   * @throws InputError when it cannot be opened.
   */
  constructor(path: string, onFailure: (sentence: string) => void, calls: LineFileCalls = fs) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.#calls = calls;
    try {
      this.#fd = calls.openSync(path, 'w');
    } catch (error) {
      throw new InputError(`--trace ${path} cannot be written: ${(error as Error).message}`);
    }
  }

  /** Lines that the disk has refused. */
  get linesLost(): number {
    return this.#linesLost;
  }

  /** @param line with its line break; bytes are copied. */
  add(line: string | Uint8Array): void {
    if (this.#isClosed) return;
    const bytes = typeof line === 'string' ? Buffer.from(line) : line;
    if (this.#end + bytes.length > BUFFER_BYTES) this.#flush();
    if (START + bytes.length > BUFFER_BYTES) {
      this.#write(Buffer.concat([Uint8Array.of(NEWLINE), bytes]));
    } else {
      this.#buffer.set(bytes, this.#end);
      this.#end += bytes.length;
    }
    // The trace alone keeps no process alive; whoever ends closes it.
    this.#timer ??= setTimeout(() => this.#flush(), WAIT_MS).unref();
  }

  /** Writes what waits; nothing is kept afterwards. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#flush();
    this.#calls.closeSync(this.#fd);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const bytes = this.#buffer.subarray(0, this.#end);
    this.#end = START;
    if (bytes.length > START) this.#write(bytes);
  }

  /** @param bytes lines behind a line break, which ends a line of which only a part found room. */
  #write(bytes: Uint8Array): void {
    let done = this.#isTorn ? 0 : START;
    try {
      while (done < bytes.length) done += this.#calls.writeSync(this.#fd, bytes, done);
      this.#isTorn = false;
    } catch (error) {
      if (done > 0) this.#isTorn = bytes[done - 1] !== NEWLINE;
      this.#lose(bytes.subarray(Math.max(done, START)), error as Error);
    }
  }

  #lose(rest: Uint8Array, { message }: Error): void {
    for (const byte of rest) if (byte === NEWLINE) this.#linesLost++;
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#onFailure(`--trace ${this.#path} loses lines: ${message}`);
  }
}

const NEWLINE = 0x0a;
