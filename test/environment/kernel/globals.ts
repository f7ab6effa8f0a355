import type { Appointment } from './agenda';
import { NS_PER_MS } from './machine';
import type { System } from './system';

const PID = 4711;

type Act = (...values: unknown[]) => void;

/** A timer as Node hands it out. */
class VirtualTimer {
  #appointment: Appointment;
  readonly #again: () => Appointment;

  constructor(again: () => Appointment) {
    this.#again = again;
    this.#appointment = again();
  }

  renew(): void {
    this.#appointment = this.#again();
  }

  refresh(): this {
    this.cancel();
    this.renew();
    return this;
  }

  cancel(): void {
    this.#appointment.isOff = true;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

/**
 * Puts a machine's clocks, timers and random numbers in place of the process's own, where all code
 * looks for them. @returns what takes everything back.
 */
export function standInForGlobals(system: System): () => void {
  const { machine } = system;
  const undo = [
    ...timersOf(system),
    replaced(globalThis, 'Date', dateOf(system)),
    replaced(globalThis, 'performance', {
      now: () => system.machine.look() / NS_PER_MS,
      timeOrigin: system.wallMs(),
    }),
    replaced(moduleOf('node:timers/promises'), 'setTimeout', (ms: number, value: unknown) => {
      return new Promise((resolve) => machine.taskIn(ms * NS_PER_MS, () => resolve(value)));
    }),
    replaced(moduleOf('node:os'), 'networkInterfaces', () => ({})),
    replaced(process, 'hrtime', hrtimeOf(system)),
    // Asking costs more than all that is measured here.
    replaced(process, 'cpuUsage', () => ({ user: 0, system: 0 })),
    // It stands in logs, whose lengths decide where a disk is full.
    replaced(process, 'pid', PID),
    replaced(Math, 'random', () => system.entropy.uniform()),
    replaced(moduleOf('node:crypto'), 'randomBytes', (count: number) =>
      Buffer.from(Array.from({ length: count }, () => system.entropy.below(256))),
    ),
  ];
  return () => undo.forEach((each) => each());
}

/** Node's own module, whose functions everybody calls by way of it. */
const moduleOf = (name: string): object => process.getBuiltinModule(name) as object;

function timersOf({ machine }: System): (() => void)[] {
  const later = (ns: number, act: () => void): VirtualTimer =>
    new VirtualTimer(() => machine.taskIn(ns, act));
  const nsOf = (ms: number | undefined): number => Math.max(1, ms ?? 1) * NS_PER_MS;
  const cancel = (timer: unknown): void => {
    if (timer instanceof VirtualTimer) timer.cancel();
  };
  const setTimeout = (act: Act, ms?: number, ...values: unknown[]): VirtualTimer =>
    later(nsOf(ms), withValues(act, values));
  const setInterval = (act: Act, ms?: number, ...values: unknown[]): VirtualTimer => {
    const timer = later(nsOf(ms), () => {
      timer.renew();
      act(...values);
    });
    return timer;
  };
  const setImmediate = (act: Act, ...values: unknown[]): VirtualTimer =>
    later(0, withValues(act, values));
  return [
    replaced(globalThis, 'setTimeout', setTimeout),
    replaced(globalThis, 'setInterval', setInterval),
    replaced(globalThis, 'setImmediate', setImmediate),
    replaced(globalThis, 'clearTimeout', cancel),
    replaced(globalThis, 'clearInterval', cancel),
    replaced(globalThis, 'clearImmediate', cancel),
  ];
}

/** The function itself where it takes nothing, so that its text can be read. */
const withValues = (act: Act, values: readonly unknown[]): Act =>
  values.length === 0 ? act : () => act(...values);

function dateOf(system: System): DateConstructor {
  const RealDate = Date;
  const now = (): number => {
    system.machine.look();
    return Math.floor(system.wallMs());
  };
  return class extends RealDate {
    constructor(...values: [] | [string | number]) {
      super(...((values.length === 0 ? [now()] : values) as [number]));
    }
    static override now(): number {
      return now();
    }
  } as DateConstructor;
}

function hrtimeOf({ machine }: System): NodeJS.HRTime {
  const hrtime = (): [number, number] => {
    const now = machine.look();
    return [Math.floor(now / 1e9), now % 1e9];
  };
  return Object.assign(hrtime, { bigint: () => BigInt(Math.floor(machine.look())) });
}

/** @returns what puts the former value back. */
export function replaced(holder: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, before);
  };
}
