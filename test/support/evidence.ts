import { jestIt } from './load-suite';

/** Evidence of a test: cases that the drafts leave open, lines of the listing, or both. */
export interface Evidence {
  /** Ids of test/fixtures/algorithm-cases.json. */
  readonly cases?: readonly string[];
  /** Lines of the draft's listing, as `3 and 6-7`. */
  readonly lines?: string;
}

type Run = (...given: unknown[]) => unknown;
type Define = ((name: string, run: Run) => void) & { each: (rows: never) => Define };

/** Evidence that was defined in this run of jest, and that of tests which have run to their end. */
export const defined: Evidence[] = [];
export const proven: Evidence[] = [];

/**
 * As jest's `it`, for a test that proves something: it must make assertions, and counts once it has
 * passed.
 */
export function proves(evidence: Evidence): jest.It {
  defined.push(evidence);
  return wrap(jestIt(), evidence) as unknown as jest.It;
}

function wrap(define: Define, evidence: Evidence): Define {
  const wrapped = (name: string, run: Run) =>
    define(name, async (...given) => {
      expect.hasAssertions();
      await run(...given);
      proven.push(evidence);
    });
  return Object.assign(wrapped, {
    each: (rows: never) => wrap(define.each(rows), evidence),
  });
}

/** Single numbers and ranges, with commas or `and` between them. */
export function linesOf(text: string): number[] {
  return text.split(/,| and /).flatMap((part) => {
    const [from, to = from] = part.trim().split('-').map(Number);
    if (from === undefined || Number.isNaN(from) || from === 0) return [];
    return Array.from({ length: (to ?? from) - from + 1 }, (_, i) => from + i);
  });
}
