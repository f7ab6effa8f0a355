/** One after the other, each element when it is asked for. */
export function* chained<T>(parts: Iterable<Iterable<T>>): Iterable<T> {
  for (const part of parts) yield* part;
}

/** What `change` makes of each element, when it is asked for. Pauses stay pauses. */
export function* mapped<T extends object | number, U>(
  elements: Iterable<T | Pause>,
  change: (element: T) => U,
): Iterable<U | Pause> {
  for (const element of elements) yield element === PAUSE ? PAUSE : change(element);
}

/** Stands between elements that are far to seek, so that whoever asks can do something else. */
export const PAUSE = undefined;
export type Pause = typeof PAUSE;

/** The elements without the pauses. */
export function withoutPauses<T>(elements: Iterable<T | Pause>): T[] {
  return [...elements].filter((element): element is T => element !== PAUSE);
}

/** Asks for the first element at most. */
export function isEmpty(elements: Iterable<unknown>): boolean {
  for (const _ of elements) return false;
  return true;
}
