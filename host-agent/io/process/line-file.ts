import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';

/** What one system call writes: some hundred lines. */
const BUFFER_CHARACTERS = 65_536;

/** A file of lines that `--trace` names, written through a buffer. */
export class LineFile {
  readonly #path: string;
  readonly #fd: number;
  #lines: string[] = [];
  #characters = 0;
  #isClosed = false;

  /**
   * Replaces the file if there is one.
   * @throws InputError when it cannot be written.
   */
  constructor(path: string) {
    this.#path = path;
    this.#fd = this.#guarded(() => fs.openSync(path, 'w'));
  }

  /** @throws InputError, now or later, when the disk refuses what waits. */
  add(line: string): void {
    if (this.#isClosed) return;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= BUFFER_CHARACTERS) this.#flush();
  }

  /** Writes what waits; nothing is kept afterwards. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.#flush();
    } finally {
      fs.closeSync(this.#fd);
    }
  }

  #flush(): void {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#characters = 0;
    this.#guarded(() => fs.writeFileSync(this.#fd, text));
  }

  #guarded<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw new InputError(`--trace ${this.#path} cannot be written: ${(error as Error).message}`);
    }
  }
}
