import type { Process } from './process';

/** Something that happens at an instant, unless it is called off. */
export interface Appointment {
  at: number;
  readonly order: number;
  readonly act: () => void;
  /** The process that does it; undefined for whoever has none. */
  readonly process: Process | undefined;
  isOff: boolean;
}

/** Appointments in order of time, and those of equal times in the order in which they were made. */
export class Agenda {
  readonly #heap: Appointment[] = [];
  #orders = 0;

  /** When something happens next; Infinity when nothing does. */
  get nextAt(): number {
    return this.#first()?.at ?? Infinity;
  }

  /** The appointments that wait, as source text. */
  get waiting(): readonly string[] {
    return this.#heap.filter(({ isOff }) => !isOff).map(({ act }) => String(act));
  }

  add(at: number, act: () => void, process?: Process): Appointment {
    const added = { at, order: this.#orders++, act, process, isOff: false };
    this.put(added);
    return added;
  }

  /** Puts an appointment back that was taken out. */
  put(appointment: Appointment): void {
    this.#heap.push(appointment);
    this.#rise(this.#heap.length - 1);
  }

  /** Takes what happens next out. */
  take(): Appointment | undefined {
    const first = this.#first();
    if (first !== undefined) this.#remove();
    return first;
  }

  #first(): Appointment | undefined {
    while (this.#heap[0]?.isOff === true) this.#remove();
    return this.#heap[0];
  }

  #remove(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (!isBefore(heap[at], heap[above])) return;
      this.#swap(at, above);
      at = above;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const least = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
      if (!isBefore(heap[least], heap[at])) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    [heap[a], heap[b]] = [heap[b] as Appointment, heap[a] as Appointment];
  }
}

function isBefore(a: Appointment | undefined, b: Appointment | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a.at === b.at ? a.order < b.order : a.at < b.at;
}
