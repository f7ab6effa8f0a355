import { spawnSync } from 'node:child_process';

/**
 * Command prefix for real-time scheduling, where there is chrt, so that other work of the machine
 * does not delay a process that wakes. Round-robin, because V8's main thread spins while its other
 * threads mark, and two processes that do so leave two cores to nobody under SCHED_FIFO.
 */
export const realTime = (): readonly string[] =>
  spawnSync('chrt', ['--version'], { stdio: 'ignore' }).error === undefined
    ? ['chrt', '--rr', '10']
    : [];
