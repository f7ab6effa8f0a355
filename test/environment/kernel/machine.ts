import { setImmediate as afterMicrotasks } from 'node:timers';
import { Agenda } from './agenda';
import type { Appointment } from './agenda';
import type { Process } from './process';

export const NS_PER_MS = 1_000_000;

/**
 * Time that a look at a clock and a system call take. Without it, loops that wait for time would be
 * endless.
 */
const LOOK_NS = 100;
const CALL_NS = 500;

/** Longest time that a process is kept from its next turn, in ns; 0 for not at all. */
export type Lateness = () => number;

/**
 * A machine with one processor and virtual time. What the kernel does happens at its instant, also
 * while a program works or sleeps; what the program does (timers, immediates, descriptors that become
 * readable) one after the other, in the order of their instants, each with all promises that follow
 * from it. So a run depends on nothing but what is put into it.
 *
 * Appointments that a process makes are its own, unless they are given to another; those of a stopped process
 * wait until it goes on.
 */
export class Machine {
  /** Since the machine was switched on, in ns. */
  now = 0;
  /** Errors that nobody has caught. */
  readonly uncaught: unknown[] = [];
  /** System calls so far. */
  calls = 0;
  readonly #interrupts = new Agenda();
  readonly #tasks = new Agenda();
  #isInterrupted = false;
  #process: Process | undefined;

  constructor(private readonly lateness: Lateness) {}

  /** Things that the program still waits for. */
  get tasksWaiting(): readonly string[] {
    return this.#tasks.waiting;
  }

  /** The process whose turn it is. */
  get process(): Process | undefined {
    return this.#process;
  }

  /** The kernel does something after so many ns. */
  interruptIn(ns: number, act: () => void): Appointment {
    return this.#interrupts.add(this.now + ns, act, this.#process);
  }

  /** The program does something after so many ns, or when it gets its turn. */
  taskIn(ns: number, act: () => void, process = this.#process): Appointment {
    return this.#tasks.add(this.now + ns, act, process);
  }

  /** Waits for a turn of a process; what follows then is done by it. */
  turnOf(process: Process): Promise<void> {
    return new Promise((resolve) => this.taskIn(0, resolve, process));
  }

  /** Stops a process for so many ns, unless it is told to go on before. */
  stop(process: Process, ns: number): void {
    process.stop();
    this.interruptIn(ns, () => this.goOn(process));
  }

  goOn(process: Process): void {
    for (const each of process.goOn(this.now)) this.#tasks.put(each);
  }

  look(): number {
    this.pass(LOOK_NS);
    return this.now;
  }

  call(): void {
    this.calls += 1;
    this.pass(CALL_NS);
  }

  /** Lets time pass for the program: the kernel goes on meanwhile, and nobody else. */
  pass(ns: number): void {
    if (this.#isInterrupted) return;
    const until = this.now + ns;
    while (this.#interrupts.nextAt <= until) this.#interrupt();
    this.now = until;
  }

  /** Runs until something holds. @returns false when it does not within so many ns, or ever. */
  async until(holds: () => boolean, ns: number): Promise<boolean> {
    const end = this.now + ns;
    while (!holds()) {
      const next = Math.min(this.#tasks.nextAt, this.#interrupts.nextAt);
      if (Math.max(next, this.now) > end) {
        if (next === Infinity) return false;
        this.now = Math.max(this.now, end);
        return false;
      }
      await this.#step();
    }
    return true;
  }

  async #step(): Promise<void> {
    if (this.#interrupts.nextAt <= Math.max(this.now, this.#tasks.nextAt)) {
      this.#interrupt();
      return;
    }
    const task = this.#tasks.take();
    if (task === undefined) return;
    if (task.process?.isStopped === true) {
      task.process.park(task);
      return;
    }
    this.now = Math.max(this.now, task.at);
    this.#process = task.process;
    this.pass(this.lateness());
    try {
      task.act();
    } catch (error) {
      this.uncaught.push(error);
    }
    await new Promise<void>((resolve) => afterMicrotasks(resolve));
    this.#process = undefined;
  }

  #interrupt(): void {
    const interrupt = this.#interrupts.take();
    if (interrupt === undefined) return;
    this.now = Math.max(this.now, interrupt.at);
    const before = this.#process;
    this.#isInterrupted = true;
    this.#process = interrupt.process;
    try {
      interrupt.act();
    } finally {
      this.#isInterrupted = false;
      this.#process = before;
    }
  }
}
