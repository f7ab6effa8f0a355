import { checked, libc } from '../../common/io/net/libc';

const NS_PER_SECOND = 1e9;
/** The clock of the calling process, and of another one by what the kernel makes of its number. */
const CLOCK_PROCESS_CPUTIME_ID = 2;
const clockOf = (pid: number): number => (~pid << 3) | CLOCK_PROCESS_CPUTIME_ID;

/**
 * Processor time that a process has had so far, in seconds, also of threads that have ended: a server may
 * take a new one for every few requests.
 * @throws InputError when there is no such process.
 */
export function processorSeconds(pid: number | undefined): number {
  const time = new BigInt64Array(2);
  const clock = pid === undefined ? CLOCK_PROCESS_CPUTIME_ID : clockOf(pid);
  const bytes = new Uint8Array(time.buffer);
  checked(libc().clock_gettime(clock, bytes), `reading the processor time of process ${pid ?? ''}`);
  const [seconds = 0n, nanoseconds = 0n] = time;
  return Number(seconds) + Number(nanoseconds) / NS_PER_SECOND;
}
