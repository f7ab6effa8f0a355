import { percentileOf } from '../../common/statistics/statistics';

const PAUSE_MS = 2;
const WAKES = 500;
const NS_PER_US = 1000;
const US_PER_MS = 1000;
const ONE_IN_A_HUNDRED = 0.99;

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
