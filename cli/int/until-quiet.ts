import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Packets of an exchange so far: how many, and whether one of each kind that may come has come. */
export interface Arrivals {
  readonly count: number;
  readonly isComplete: boolean;
}

const LOOK_EVERY_MS = 2;
/** Times as long that what has not come is waited for: a busy machine is late. */
const PATIENCE = 5;

/**
 * Returns when nothing has come for `waitMs`, or for longer as long as something is missing.
 * @param look takes what has come, and says how much that is.
 */
export async function untilQuiet(waitMs: number, look: () => Arrivals): Promise<void> {
  let seen = 0;
  let since = performance.now();
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    const { count, isComplete } = look();
    const now = performance.now();
    if (count !== seen) since = now;
    seen = count;
    if (now - since >= (isComplete ? waitMs : PATIENCE * waitMs)) return;
  }
}
