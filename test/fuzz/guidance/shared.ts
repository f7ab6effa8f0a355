/** Task of a campaign's thread. */
export interface Task {
  readonly name: string;
  /** Compiled module of the target. */
  readonly file: string;
  readonly seed: number;
  readonly inputs: number;
  readonly seconds: number;
  /** Inputs that earlier campaigns have found. */
  readonly more: readonly Uint8Array[];
  readonly memory: SharedArrayBuffer;
}

/** End of the campaign, if nothing was found. */
export interface WorkerEnd extends Omit<Progress, 'good'> {
  readonly good: readonly Uint8Array[];
}

export interface Progress {
  readonly tried: number;
  /** Branches that inputs have reached. */
  readonly reached: number;
  /** Inputs that each reached something new. */
  readonly good: number;
}

const WORDS = 8;
const HEAD = 4 * WORDS;
const BYTES_MAX = 4096;
const AT = { turn: 0, length: 1, tried: 2, reached: 3, good: 4, over: 5 } as const;

/** The input that is being tried, and how far the campaign is, for a thread that looks on. */
export class Shared {
  static readonly BYTES = HEAD + BYTES_MAX;
  readonly #words: Int32Array;
  readonly #input: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, WORDS);
    this.#input = new Uint8Array(memory, HEAD, BYTES_MAX);
  }

  /** Changes with every input. */
  get turn(): number {
    return Atomics.load(this.#words, AT.turn);
  }

  get input(): Uint8Array {
    return this.#input.slice(0, this.#words[AT.length]);
  }

  get progress(): Progress {
    const word = (at: number): number => Atomics.load(this.#words, at);
    return { tried: word(AT.tried), reached: word(AT.reached), good: word(AT.good) };
  }

  /** Somebody has interrupted the campaign. */
  get isOver(): boolean {
    return Atomics.load(this.#words, AT.over) === 1;
  }

  end(): void {
    Atomics.store(this.#words, AT.over, 1);
  }

  begin(input: Uint8Array): void {
    this.#input.set(input);
    this.#words[AT.length] = input.length;
    Atomics.add(this.#words, AT.turn, 1);
  }

  report({ tried, reached, good }: Progress): void {
    Atomics.store(this.#words, AT.tried, tried);
    Atomics.store(this.#words, AT.reached, reached);
    Atomics.store(this.#words, AT.good, good);
  }
}
