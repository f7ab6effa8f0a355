import type { Connection } from './connection';

/** Flows in the order in which they start, which can be gone through several times, each time the same. */
export type FlowSource = () => Iterable<Connection>;

interface Lane<T> {
  readonly rest: Iterator<T>;
  readonly number: number;
  next: T;
  startUs: number;
}

/** Instant, in us, before which a connection does not begin. */
export const startUsOf = ({ messages }: Connection): number => messages[0]?.startUs ?? 0;

/**
 * Merges sequences, each in the order of its starts, into one of all; of equal starts the earlier sequence is first, as
 * a stable sort would have them. Holds one item of each.
 */
export function* mergeByStart<T>(
  sources: readonly Iterable<T>[],
  startOf: (item: T) => number,
): Iterable<T> {
  const heap: Lane<T>[] = [];
  sources.forEach((source, number) => {
    const rest = source[Symbol.iterator]();
    const result = rest.next();
    if (result.done === true) return;
    heap.push({ rest, number, next: result.value, startUs: startOf(result.value) });
  });
  heap.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  for (let first = heap[0]; first !== undefined; first = heap[0]) {
    yield first.next;
    const result = first.rest.next();
    if (result.done === true) {
      const last = heap.pop() as Lane<T>;
      if (heap.length > 0) heap[0] = last;
    } else {
      first.next = result.value;
      first.startUs = startOf(result.value);
    }
    sink(heap);
  }
}

const isBefore = <T>(a: Lane<T>, b: Lane<T>): boolean =>
  a.startUs < b.startUs || (a.startUs === b.startUs && a.number < b.number);

/** Moves the first lane of a heap down to where it belongs. */
function sink<T>(heap: Lane<T>[]): void {
  for (let at = 0; ;) {
    let least = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const lane = heap[child];
      if (lane !== undefined && isBefore(lane, heap[least] as Lane<T>)) least = child;
    }
    if (least === at) return;
    [heap[at], heap[least]] = [heap[least] as Lane<T>, heap[at] as Lane<T>];
    at = least;
  }
}
