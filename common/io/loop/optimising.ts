import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * Flag of V8 for processes that handle packets, on interfaces or in virtual time: functions have to run ten times as
 * long as by default before they are optimised. Otherwise what runs at the start alone is optimised, too: 7 MB of memory
 * and a seventh of the processor time that a start takes.
 */
export const UNHURRIED = '--interrupt-budget=675840';
/**
 * A quarter of V8's own limit: at 300 packets/s what runs for each is optimised within seconds, and these took a tenth
 * less processor time. And machine code of the simple kind from the first call on, so that a process which has just
 * begun is slower by less: a first flow used one hundredth more of a link.
 */
const HURRIED = ['--interrupt-budget=16896', '--always-sparkplug'];
/** Twice V8's own limit: a run in virtual time has all its packets at once, and is often a short one. */
const STEADY = ['--interrupt-budget=135168'];
const FIRST = [UNHURRIED, '--no-always-sparkplug'];
/** Tells threads that begin later. */
const PACE = 'hpcc: flags of optimising';

const hasFlag = process.execArgv.includes(UNHURRIED);
/** Flags of what runs often; undefined before that begins. */
let pace = hasFlag ? (getEnvironmentData(PACE) as readonly string[] | undefined) : undefined;

/** Packets come from now on, or frames that stand for them: what runs often is optimised at once again. */
export const optimiseFromNow = (): void => optimiseAt(HURRIED);

/** Virtual time begins: what runs often is optimised again. */
export const optimiseInRuns = (): void => optimiseAt(STEADY);

/** For the main thread: flags are those of all threads. */
function optimiseAt(flags: readonly string[]): void {
  if (!hasFlag || pace !== undefined) return;
  pace = flags;
  setEnvironmentData(PACE, flags);
  flagsAgain();
}

/**
 * Does some work under the flags that the process began with: the engine refuses code that was kept under others. All
 * threads have the same flags, so who has begun a thread that does such work calls {@link flagsAgain} when it has ended.
 */
export function underFirstFlags<Result>(work: () => Result): Result {
  // PERF: the engine sums its flags up again after each change, a hundredth of a start for all modules.
  if (!hasFlag || (isMainThread && pace === undefined)) return work();
  FIRST.forEach((flag) => setFlagsFromString(flag));
  try {
    return work();
  } finally {
    flagsAgain();
  }
}

/** Puts the flags back that this thread has wanted last. */
export function flagsAgain(): void {
  pace?.forEach((flag) => setFlagsFromString(flag));
}
