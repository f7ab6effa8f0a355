import * as fs from 'node:fs';
import * as os from 'node:os';

/** Switches and hosts come before whatever else the machine does, so that it disturbs them less. */
export const NICENESS = -20;

/** Exists where the scheduler groups processes by session (sched(7)). */
const AUTOGROUP = '/proc/self/autogroup';

/**
 * Gives this process, which leads a session, the niceness that switches and hosts of a run have, and
 * its session as well: among sessions that counts, and not the process's.
 */
export function takeNicenessOfRuns(): void {
  os.setPriority(NICENESS);
  if (fs.existsSync(AUTOGROUP)) fs.writeFileSync(AUTOGROUP, String(NICENESS));
}
