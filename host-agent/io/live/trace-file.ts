import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { ControlTrace } from '../../traffic/control-trace';
import type { ControlUpdate } from '../../traffic/metered-control';
import type { Duration } from '../../../common/units/units';

/** What one system call writes: some hundred lines. */
const BUFFER_CHARACTERS = 65_536;

/** The file that all flows of a host leave their traces in, one line of JSON per update. */
export class TraceFile {
  readonly #fd: number;
  readonly #path: string;
  readonly #timing: { readonly origin: number; readonly baseRtt: Duration };
  #lines: string[] = [];
  #characters = 0;
  #isClosed = false;

  /**
   * Replaces the file if there is one.
   * @param timing `origin` is the Unix time in seconds at instant 0 of the host's clock.
   * @throws InputError when it cannot be written.
   */
  constructor(path: string, timing: { readonly origin: number; readonly baseRtt: Duration }) {
    this.#path = path;
    this.#timing = timing;
    this.#fd = guarded(path, () => fs.openSync(path, 'w'));
  }

  /** What takes the updates of one flow. @throws InputError, later, as {@link flush} does. */
  forFlow(flow: number): (update: ControlUpdate) => void {
    const trace = new ControlTrace(flow, this.#timing);
    return (update) => this.#add(trace.line(update));
  }

  /** @throws InputError when the disk refuses what waits. */
  flush(): void {
    const text = this.#lines.join('');
    this.#lines = [];
    this.#characters = 0;
    guarded(this.#path, () => fs.writeFileSync(this.#fd, text));
  }

  /** Writes what waits; nothing is kept afterwards. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      this.flush();
    } finally {
      fs.closeSync(this.#fd);
    }
  }

  #add(line: string): void {
    if (this.#isClosed) return;
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters >= BUFFER_CHARACTERS) this.flush();
  }
}

function guarded<Result>(path: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { message } = error as Error;
    throw new InputError(`--trace ${path} cannot be written: ${message}`);
  }
}
