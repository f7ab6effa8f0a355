import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { percentileOf } from '../../common/statistics/statistics';

const PAUSE_MS = 2;
const WAKES = 500;
const NS_PER_US = 1000;
const US_PER_MS = 1000;
/** Works as for `spawn`, and the types do not have it. */
const SESSION_OF_ITS_OWN = { detached: true };
const ONE_IN_A_HUNDRED = 0.99;

/** @returns {@link wakeLatenessUs} of a process that is scheduled as switches and hosts of a run are. */
export function wakeLatenessOfRunsUs(): number {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(__dirname, 'wake-process.js')],
    { encoding: 'utf8', ...SESSION_OF_ITS_OWN },
  );
  if (status !== 0) throw new Error(`how late processes wake could not be measured: ${stderr}`);
  return Number(stdout);
}

/**
 * Lateness with which this machine wakes a process that waits, in us at the 99th percentile of a
 * second. Processes with work to do are not woken sooner.
 * @param pause waits for so many ms. Default: for real.
 */
export function wakeLatenessUs(pause: (ms: number) => void = sleep): number {
  const waits = Array.from({ length: WAKES }, () => {
    const begin = process.hrtime.bigint();
    pause(PAUSE_MS);
    return Number(process.hrtime.bigint() - begin) / NS_PER_US - PAUSE_MS * US_PER_MS;
  });
  return Math.max(0, percentileOf(waits, ONE_IN_A_HUNDRED));
}

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

const sleep = (ms: number): void => {
  Atomics.wait(cell, 0, 0, ms);
};
