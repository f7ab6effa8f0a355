import { spawnSync } from 'node:child_process';

/**
 * What keeps other work on the machine from holding up a process that wakes: real-time scheduling,
 * where there is chrt. In turns, because V8's main thread looks again and again, without a pause, at what
 * its own other threads mark, and two processes that do so leave two cores to nobody under SCHED_FIFO.
 */
export const realTime = (): readonly string[] =>
  spawnSync('chrt', ['--version'], { stdio: 'ignore' }).error === undefined
    ? ['chrt', '--rr', '10']
    : [];
