/** Globals of Node that the program uses; the playground's bundle puts them in front of it. */
import { Buffer } from 'buffer';
import { setImmediate as nextTurn } from './turns';

const NS_PER_MS = 1e6;

const process = {
  cwd: () => '/',
  env: {},
  hrtime: { bigint: () => BigInt(Math.round(performance.now() * NS_PER_MS)) },
  platform: 'browser',
};

function setImmediate(task: () => void): void {
  void nextTurn().then(task);
}

/** A timer, which like all of a browser keeps nothing alive. */
class Timer {
  constructor(readonly id: unknown) {}

  unref(): this {
    return this;
  }
}

const native = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

const setTimeout = (task: () => void, ms?: number): Timer =>
  new Timer(native.setTimeout.call(globalThis, task, ms));

const clearTimeout = (timer: Timer | undefined): void =>
  native.clearTimeout.call(globalThis, timer?.id as number);

export { Buffer, clearTimeout, process, setImmediate, setTimeout };
