import { reportSkipped } from '../requires';

/**
 * Known departure of a server from the specification in one respect: what it answers instead, or
 * that it cannot take the test at all; and why.
 */
export type Departure =
  | { readonly kind: 'answers'; readonly answer: unknown; readonly reason: string }
  | { readonly kind: 'skipped'; readonly reason: string };

/** By the words with which the conformance suite names the respect. */
export type Departures = Readonly<Record<string, Departure>>;

/** Questions of the conformance suite about the server that it runs on. */
export interface P4RuntimeTraits {
  /** Returns the answer that the server must give: the specification's, or else its known departure. */
  answer<T>(what: string, specified: T): T;
  /** A test, or a skipped one that says why the server cannot take it. */
  test(name: string, body: () => Promise<void>): void;
}

/** Traits that know which departures no test has met. */
export interface RecordedTraits extends P4RuntimeTraits {
  unmet(): readonly string[];
}

export function traitsOf(departures: Departures): RecordedTraits {
  const unmet = new Set(Object.keys(departures));
  const departure = (what: string): Departure | undefined => {
    unmet.delete(what);
    return Object.hasOwn(departures, what) ? departures[what] : undefined;
  };
  return {
    answer: <T>(what: string, specified: T): T => {
      const found = departure(what);
      if (found === undefined) return specified;
      if (found.kind === 'skipped') throw new Error(`'${what}' is a skipped test, not an answer`);
      // A departure that says the same is out of date, and would hide that the server conforms.
      expect(found.answer).not.toEqual(specified);
      return found.answer as T;
    },
    test: (name, body) => {
      const found = departure(name);
      if (found === undefined) test(name, body);
      else reportSkipped(name, found.reason);
    },
    unmet: () => [...unmet],
  };
}
