import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/**
 * Flag of V8 for processes that handle packets: functions have to run ten times as long as by default before they are
 * optimised. Otherwise what runs at the start alone is optimised, too: 7 MB of memory and a seventh of the processor
 * time that a start takes.
 */
export const UNHURRIED = '--interrupt-budget=675840';
/**
 * A quarter of V8's own limit: at 300 packets/s what runs for each is optimised within seconds, and these took a tenth
 * less processor time. And machine code of the simple kind from the first call on, so that a process which has just
 * begun is slower by less: a first flow used one hundredth more of a link.
 */
const HURRIED = ['--interrupt-budget=16896', '--always-sparkplug'];
const FIRST = [UNHURRIED, '--no-always-sparkplug'];
/** Tells threads that begin later. */
const IS_HURRIED = 'hpcc: optimises early';

const hasFlag = process.execArgv.includes(UNHURRIED);
let isUnhurried = hasFlag && getEnvironmentData(IS_HURRIED) !== true;

/** Packets come from now on, or frames that stand for them: what runs often is optimised at once again. */
export function optimiseFromNow(): void {
  if (!isUnhurried) return;
  isUnhurried = false;
  setEnvironmentData(IS_HURRIED, true);
  HURRIED.forEach((flag) => setFlagsFromString(flag));
}

/**
 * Does some work under the flags that the process began with: the engine refuses code that was kept under others. All
 * threads have the same flags, so who has begun a thread that does such work calls {@link flagsAgain} when it has ended.
 */
export function underFirstFlags<Result>(work: () => Result): Result {
  if (!hasFlag) return work();
  FIRST.forEach((flag) => setFlagsFromString(flag));
  try {
    return work();
  } finally {
    flagsAgain();
  }
}

/** Puts the flags back that this thread has wanted last. */
export function flagsAgain(): void {
  if (hasFlag && !isUnhurried) HURRIED.forEach((flag) => setFlagsFromString(flag));
}
