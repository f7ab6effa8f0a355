import { ShownEntries } from './shown-entries';

/** Gaps that do not matter, however few entries there are. */
const GAPS_MIN = 1024;

/** What a list holds: each element knows its place, and what it shows to readers. */
interface Placed<Shown extends object> {
  place: number;
  written: Shown;
}

/**
 * Elements in the order in which they came. PERF: whatever leaves makes a gap, and gaps are closed
 * when they are more than the elements, so that it takes no search and the list no hash.
 */
export class EntryList<Shown extends object, T extends Placed<Shown>> {
  #elements: (T | undefined)[] = [];
  /** What each shows, at the same place. */
  #shown = new ShownEntries<Shown>();
  #gaps = 0;

  get size(): number {
    return this.#elements.length - this.#gaps;
  }

  add(element: T): void {
    element.place = this.#elements.length;
    this.#elements.push(element);
    this.#shown.push(element.written);
  }

  /** An element that is there shows something else. */
  show(element: T, shown: Shown): void {
    element.written = shown;
    this.#shown.set(element.place, shown);
  }

  /** An element that is there leaves. */
  remove(element: T): void {
    this.#elements[element.place] = undefined;
    this.#shown.set(element.place, undefined);
    this.#gaps += 1;
    if (this.#gaps > GAPS_MIN && this.#gaps > this.size) this.#close();
  }

  clear(): void {
    this.#elements = [];
    this.#shown = new ShownEntries();
    this.#gaps = 0;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const element of this.#elements) if (element !== undefined) yield element;
  }

  /** What the elements show now. */
  snapshot(): Iterable<Shown> {
    return this.#shown.snapshot();
  }

  #close(): void {
    const elements = this.#elements.filter((element) => element !== undefined);
    for (let i = 0; i < elements.length; i++) (elements[i] as T).place = i;
    this.#elements = elements;
    this.#shown = new ShownEntries();
    for (const { written } of elements) this.#shown.push(written);
    this.#gaps = 0;
  }
}
