import { createHash } from 'node:crypto';
import { NS_PER_MS } from './machine';

/** Characters that are added to the digest together. */
const PIECE = 65_536;

/** Events of a run, line by line: a digest of all, and the lines themselves where somebody reads them. */
export class Trace {
  readonly #hash = createHash('sha256');
  #waiting = '';
  readonly #now: () => number;
  readonly #print: ((line: string) => void) | undefined;

  constructor(now: () => number, print?: (line: string) => void) {
    this.#now = now;
    this.#print = print;
  }

  note(who: string, what: string): void {
    const at = (this.#now() / NS_PER_MS).toFixed(6);
    const line = `${at} ${who}: ${what}`;
    this.#waiting += line;
    if (this.#waiting.length > PIECE) this.#take();
    this.#print?.(`${line}\n`);
  }

  digest(): string {
    this.#take();
    return this.#hash.digest('hex').slice(0, 16);
  }

  #take(): void {
    this.#hash.update(this.#waiting);
    this.#waiting = '';
  }
}
