import { createRequire } from 'node:module';
import type * as Koffi from 'koffi' with { 'resolution-mode': 'import' };

/** Option of prctl(2): the signal that a process gets when its parent ends. */
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
/** Time between two looks where the kernel does not tell, in ms. */
const LOOK_MS = 500;

/**
 * Has the kernel end this process when its parent ends, however that ends and whatever this process is doing: loops look
 * after nothing. Systems other than Linux have no such signal, and are looked after as well as an event loop can.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  if (process.platform === 'linux') {
    const koffi = createRequire(__filename)('koffi') as typeof Koffi;
    const prctl = koffi.load(null).func('int prctl(int option, unsigned long value)');
    (prctl as (option: number, value: number) => number)(PR_SET_PDEATHSIG, SIGKILL);
  } else {
    const look = (): void => {
      if (process.ppid !== parent) process.exit(1);
    };
    setInterval(look, LOOK_MS).unref();
  }
  // It may have ended before the kernel was asked.
  if (process.ppid !== parent) process.exit(1);
}
