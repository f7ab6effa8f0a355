import * as fs from 'node:fs';

/** So much is read at a time: a run that has long been going on is caught up with bit by bit. */
const CHUNK_BYTES = 1 << 20;

/** A file of lines that somebody else is writing. */
export class FollowedFile {
  readonly path: string;
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
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

  /** Whole lines that have come since the last call, up to a megabyte of them; none before there is a file. */
  *lines(): Generator<string> {
    const text = this.#rest + this.#more();
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    if (end === 0) return;
    for (const line of text.slice(0, end - 1).split('\n')) {
      this.#line++;
      yield line;
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
      const count = fs.readSync(fd, this.#chunk, 0, CHUNK_BYTES, this.#at);
      this.#at += count;
      // Lines of JSON here are ASCII, so no character is cut in two.
      return this.#chunk.toString('latin1', 0, count);
    } finally {
      fs.closeSync(fd);
    }
  }
}
