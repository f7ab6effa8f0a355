import * as fs from 'node:fs';
import * as path from 'node:path';

const NS_PER_SECOND = 1e9;

/**
 * Processor time that all threads of a process have had so far, in seconds: the first field of
 * /proc/PID/task/TID/schedstat, in ns. Those that have ended count no more.
 */
export function processorSeconds(pid: number | undefined): number {
  const tasks = path.join('/proc', String(pid ?? 'self'), 'task');
  const spent = fs.readdirSync(tasks).map((task) => {
    const [nanoseconds = '0'] = readOrNothing(path.join(tasks, task, 'schedstat')).split(' ');
    return Number(nanoseconds);
  });
  return spent.reduce((sum, each) => sum + each, 0) / NS_PER_SECOND;
}

/** A thread may end while others are read. */
function readOrNothing(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
