import * as fs from 'node:fs';

/** Ticks of Linux's clock in a second, in which proc(5) counts processor time. */
const TICKS = 100;
/** Places of user and system time behind the name in /proc/PID/stat, which may have blanks itself. */
const [USER_AT, SYSTEM_AT] = [11, 12];

/**
 * Processor time that a process has taken, in s: what a busy machine does not make longer. Where there is no proc(5),
 * the time of day.
 */
export function processorSeconds(pid: number | undefined): number {
  try {
    const text = fs.readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[USER_AT]) + Number(fields[SYSTEM_AT])) / TICKS;
  } catch {
    return process.platform === 'linux' ? 0 : performance.now() / 1000;
  }
}
