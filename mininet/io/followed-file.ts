import * as fs from 'node:fs';
import { InputError } from '../../common/errors';

/** Bytes read at a time: the file of a run that has long been going on is read in pieces. */
const CHUNK_BYTES = 1 << 20;
/** A longer line is none that a run writes. */
const LINE_MAX = 1 << 20;
/** One for all files: what is read is text before the next one is. */
const CHUNK = Buffer.alloc(CHUNK_BYTES);

/** A file of lines that another process is writing. */
export class FollowedFile {
  readonly path: string;
  #at = 0;
  #line = 0;
  #rest = '';

  constructor(path: string) {
    this.path = path;
  }

  /** Number of the line that {@link lines} gave last. */
  get line(): number {
    return this.#line;
  }

  /**
   * Whole lines that have come since the last call, up to a megabyte of them; none before there is a file.
   * @throws InputError for a line without an end.
   */
  *lines(): Generator<string> {
    const text = this.#rest + this.#more();
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    if (this.#rest.length > LINE_MAX) {
      throw new InputError(
        `${this.path}:${this.#line + 1}: a line has more than ${LINE_MAX} characters`,
      );
    }
    if (end === 0) return;
    for (const line of text.slice(0, end - 1).split('\n')) {
      this.#line++;
      yield line;
    }
  }

  /** Whole lines up to the end of the file. */
  *toEnd(): Generator<string> {
    for (let from = -1; from < this.#at;) {
      from = this.#at;
      yield* this.lines();
    }
  }

  #more(): string {
    let fd: number;
    try {
      fd = fs.openSync(this.path, 'r');
    } catch {
      return '';
    }
    try {
      const count = fs.readSync(fd, CHUNK, 0, CHUNK_BYTES, this.#at);
      this.#at += count;
      // Lines of JSON here are ASCII, so no character is cut in two.
      return CHUNK.toString('latin1', 0, count);
    } finally {
      fs.closeSync(fd);
    }
  }
}
