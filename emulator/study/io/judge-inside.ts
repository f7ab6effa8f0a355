/**
 * The side of a judge's compartment that talks to the program: text goes in and out. Nothing is
 * imported, and nothing that the judge throws or returns leaves.
 */

type JudgeFunction = (run: object) => unknown;

interface Wanted {
  readonly text: string;
  readonly settle: (answer: { readonly result: string } | { readonly reason: string }) => void;
}

const REASON_MAX = 2000;

/** Text of what was thrown, which may be anything. */
function said(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message : error;
    return String(text).slice(0, REASON_MAX);
  } catch {
    return 'something without a text';
  }
}

/** A judge that was read. */
export class InsideJudge {
  /** JSON of the figures, once there are any. */
  figures: string | undefined;
  /** Text of what it threw. */
  threw: string | undefined;
  #judge: JudgeFunction | undefined;
  readonly #wanted: Wanted[] = [];
  #answering: Wanted | undefined;

  /** Runs its file. Returns what it threw. */
  load(run: () => unknown): string | undefined {
    try {
      const { judge } = run() as { judge?: unknown };
      if (typeof judge === 'function') this.#judge = judge as JudgeFunction;
      return undefined;
    } catch (error) {
      return said(error);
    }
  }

  get isThere(): boolean {
    return this.#judge !== undefined;
  }

  /** @param text the run as JSON. */
  begin(text: string): void {
    const judge = this.#judge;
    const given = JSON.parse(text) as object;
    const run = (scenario: unknown, seed: unknown): Promise<unknown> => this.#want(scenario, seed);
    void (async () => {
      try {
        this.figures = JSON.stringify(await judge?.({ ...given, run })) ?? 'null';
      } catch (error) {
        this.threw = said(error);
      }
    })();
  }

  /** The next run that it wants, as JSON; undefined: it wants none. */
  next(): string | undefined {
    this.#answering = this.#wanted.shift();
    return this.#answering?.text;
  }

  /** @param answer the result of what {@link next} has told, as JSON, or why there is none. */
  answer(answer: string, isReason: boolean): void {
    this.#answering?.settle(isReason ? { reason: answer } : { result: answer });
  }

  #want(scenario: unknown, seed: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const settle: Wanted['settle'] = (answer) => {
        if ('reason' in answer) reject(new Error(answer.reason));
        else resolve(JSON.parse(answer.result));
      };
      this.#wanted.push({ text: JSON.stringify({ scenario, seed }), settle });
    });
  }
}

/** Entry of the file. */
export const insideJudge = (): InsideJudge => new InsideJudge();
