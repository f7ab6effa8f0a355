/** More branches than any target has. */
const BRANCHES_MAX = 1 << 16;
/** Comparisons of one input that are remembered. */
const HINTS_MAX = 256;

/** Two values that were compared and differ: the input may have the one, and wants the other. */
export interface Hint {
  readonly found: number | string;
  readonly wanted: number | string;
}

/** Coverage of instrumented code: how often each branch was taken, and the values that were compared. */
export class Reach {
  readonly hits = new Uint8Array(BRANCHES_MAX);
  readonly #words = new Uint32Array(this.hits.buffer);
  /** Numbers of times that some input has reached each branch, in powers of two. */
  readonly #known = new Uint8Array(BRANCHES_MAX);
  #branches = 0;
  #hints: Hint[] | undefined;
  /** Branches that some input has reached. */
  reached = 0;

  newBranch(): number {
    if (this.#branches === BRANCHES_MAX) throw new Error('more branches than can be counted');
    return this.#branches++;
  }

  /** True if the input since the call before reached something new; then counts from 0 again. */
  takesNew(): boolean {
    const words = this.#words;
    const end = (this.#branches + 3) >> 2;
    let isNew = false;
    for (let i = 0; i < end; i++) {
      if (words[i] === 0) continue;
      for (let branch = 4 * i; branch < 4 * i + 4; branch++) {
        if (this.#note(branch)) isNew = true;
      }
      words[i] = 0;
    }
    return isNew;
  }

  /** Forgets all that was reached. */
  clear(): void {
    this.hits.fill(0);
    this.#known.fill(0);
    this.reached = 0;
  }

  /** Returns the comparisons made during `run`. */
  hintsOf(run: () => void): readonly Hint[] {
    const hints: Hint[] = [];
    this.#hints = hints;
    try {
      run();
    } finally {
      this.#hints = undefined;
    }
    return hints;
  }

  #note(branch: number): boolean {
    const hits = this.hits[branch] as number;
    if (hits === 0) return false;
    const known = this.#known[branch] as number;
    const bit = 1 << (31 - Math.clz32(hits));
    if ((known & bit) !== 0) return false;
    if (known === 0) this.reached++;
    this.#known[branch] = known | bit;
    return true;
  }

  #compare(found: unknown, wanted: unknown): void {
    const hints = this.#hints;
    if (hints === undefined || found === wanted || hints.length >= HINTS_MAX) return;
    if (isHint(found) && isHint(wanted)) hints.push({ found, wanted });
  }

  /**
   * Functions that the instrumentation calls in place of comparisons; their results are those of
   * JavaScript.
   */
  readonly tracer = {
    traceStrCmp: (a: unknown, b: unknown, operator: string): boolean =>
      this.#result(a, b, operator),
    traceNumberCmp: (a: unknown, b: unknown, operator: string): boolean =>
      this.#result(a, b, operator),
    traceAndReturn: (found: unknown, wanted: unknown): unknown => {
      this.#compare(found, wanted);
      return wanted;
    },
  };

  #result(a: unknown, b: unknown, operator: string): boolean {
    if (this.#hints !== undefined) this.#compare(a, b);
    return RESULTS[operator]?.(a as number, b as number) ?? false;
  }
}

const isHint = (value: unknown): value is number | string =>
  typeof value === 'string' || (Number.isInteger(value) && Math.abs(value as number) < 2 ** 48);

/* eslint-disable eqeqeq -- the instrumented code may have these operators, and they are kept. */
const RESULTS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '==': (a, b) => a == b,
  '!=': (a, b) => a != b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};
/* eslint-enable eqeqeq */
