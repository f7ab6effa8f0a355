import type { Appointment } from './agenda';

/**
 * One of the machine's processes, as far as it can be stopped and go on (SIGSTOP, SIGCONT): the kernel works for it
 * meanwhile, and its timers expire.
 */
export class Process {
  /** Undefined while it runs, else what it would have done, in order. */
  #parked: Appointment[] | undefined;
  /** When it last went on, in ns. */
  wentOnAt = 0;

  constructor(readonly name: string) {}

  get isStopped(): boolean {
    return this.#parked !== undefined;
  }

  stop(): void {
    this.#parked ??= [];
  }

  /** Keeps what a stopped process would do. */
  park(appointment: Appointment): void {
    this.#parked?.push(appointment);
  }

  /** Lets it go on. @returns what it has to do at once, in order. */
  goOn(now: number): readonly Appointment[] {
    const parked = this.#parked ?? [];
    this.#parked = undefined;
    this.wentOnAt = now;
    return parked;
  }
}
