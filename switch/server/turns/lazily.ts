/** Chains iterables; each element is made when it is read. */
export function* chained<T>(parts: Iterable<Iterable<T>>): Iterable<T> {
  for (const part of parts) yield* part;
}

/** Maps each element by `change` when it is read. Pauses stay pauses. */
export function* mapped<T extends object | number, U>(
  elements: Iterable<T | Pause>,
  change: (element: T) => U,
): Iterable<U | Pause> {
  for (const element of elements) yield element === PAUSE ? PAUSE : change(element);
}

/** Mark between elements that take long to find, so that the reader can do other work. */
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
