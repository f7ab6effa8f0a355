import * as os from 'node:os';
import { libc } from '../net/libc';

/** The policy of ordinary work. */
const SCHED_OTHER = 0;
/** Policies of sched(7) that go before all ordinary work of the machine. */
const SCHED_FIFO = 1;
const SCHED_RR = 2;
/** May be part of a policy. */
const SCHED_RESET_ON_FORK = 0x4000_0000;
const PRIORITY_MAX = 99;
const THIS_THREAD = 0;
/** `struct sched_attr` of its first version. */
const ATTRIBUTES_BYTES = 48;
const NICE_OFFSET = 16;
const RUNTIME_OFFSET = 24;
/** Shorter than what Linux gives without being asked, by default 1.4 ms on two processors. */
const SLICE_NS = 500_000n;
/** Stands for the system's own slices. */
const USUAL_SLICE = 0n;

/**
 * Puts the calling thread before the other threads of its process, where the process is scheduled in
 * real time: those that compile and collect garbage would have the same priority, and a thread whose
 * nap is over waits until they have finished, for milliseconds. Does nothing elsewhere, nor where the
 * system refuses.
 *
 * For processes that leave a processor to their helpers: three of them on two processors never got
 * their code compiled, and the first flow through a switch had 75 % of a link instead of 87 %.
 * @returns the priority that it has now; 0 where it is not scheduled in real time.
 */
export function goBeforeHelpers(): number {
  const system = libc();
  const policy = system.sched_getscheduler(THIS_THREAD);
  const kind = policy & ~SCHED_RESET_ON_FORK;
  if (policy < 0 || (kind !== SCHED_FIFO && kind !== SCHED_RR)) return 0;
  const parameters = new Uint8Array(4);
  const view = new DataView(parameters.buffer);
  if (system.sched_getparam(THIS_THREAD, parameters) < 0) return 0;
  const before = view.getInt32(0, true);
  const wanted = Math.min(before + 1, PRIORITY_MAX);
  view.setInt32(0, wanted, true);
  return system.sched_setscheduler(THIS_THREAD, policy, parameters) < 0 ? before : wanted;
}

/**
 * Asks for short slices of the processor for the calling thread, where it is scheduled in the ordinary
 * way: from Linux 6.12 on it then gets its turn as it wakes, where it had to wait for the slice of
 * whoever runs, for milliseconds. It gets no larger share, and needs no privilege. Does nothing where
 * the system does not know or refuses it.
 */
export function takeShortSlices(): void {
  takeSlices(SLICE_NS);
}

/**
 * Puts the calling thread behind the one that began it and handles packets: it has got that one's slices, or its
 * priority in real time. Does nothing where the system does not know or refuses it.
 */
export function stayBehindPackets(): void {
  takeSlices(USUAL_SLICE);
  const system = libc();
  const policy = system.sched_getscheduler(THIS_THREAD);
  const parameters = new Uint8Array(4);
  const view = new DataView(parameters.buffer);
  if (policy <= SCHED_OTHER || system.sched_getparam(THIS_THREAD, parameters) < 0) return;
  const before = view.getInt32(0, true);
  if (before <= 1) return;
  view.setInt32(0, before - 1, true);
  system.sched_setscheduler(THIS_THREAD, policy, parameters);
}

function takeSlices(ns: bigint): void {
  const system = libc();
  if (system.sched_getscheduler(THIS_THREAD) !== SCHED_OTHER) return;
  const attributes = new Uint8Array(ATTRIBUTES_BYTES);
  const view = new DataView(attributes.buffer);
  view.setUint32(0, ATTRIBUTES_BYTES, true);
  view.setInt32(NICE_OFFSET, os.getPriority(), true);
  view.setBigUint64(RUNTIME_OFFSET, ns, true);
  system.sched_setattr(attributes);
}
