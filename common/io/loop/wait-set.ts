import { anonymousMemory, checked, libc } from '../net/libc';
import type { SharedMemory } from '../net/libc';

const EPOLL_CTL_ADD = 1;
const EPOLL_CTL_DEL = 2;
const EPOLLIN = 1;
const CLOCK_MONOTONIC = 1;
const TFD_NONBLOCK = 0o4000;
/** `struct epoll_event` is packed on x86-64 only. */
const EVENT_BYTES = process.arch === 'x64' ? 12 : 16;
const DATA_OFFSET = EVENT_BYTES - 8;
const EVENTS_MAX = 64;
const NS_PER_SECOND = 1_000_000_000;
const NS_PER_MS = 1_000_000;
/** Instants that the process's clock tells apart, in milliseconds: where one has come, its timer may be a little late. */
const SAME_MS = 0.001;
/** `struct itimerspec`: the interval, which stays 0, and the time until the only expiry. */
const TIMERSPEC_BYTES = 32;

/**
 * Descriptors and a timer of nanoseconds, as one descriptor that is readable when any of them is.
 * Looking costs the same whether it holds two sockets or two hundred.
 */
export class WaitSet {
  readonly fd: number;
  readonly #timerFd: number;
  readonly #memory: SharedMemory;
  readonly #timerspec: Uint8Array;
  readonly #scratch: Uint8Array;
  /** Time of the timer on the process's clock, in milliseconds; Infinity when it is not set. */
  #timerAt = Infinity;

  /** @throws InputError when the process has no descriptors or no memory left. */
  constructor() {
    this.#memory = anonymousMemory(EVENTS_MAX * EVENT_BYTES + TIMERSPEC_BYTES + EVENT_BYTES);
    const { bytes } = this.#memory;
    const timerspecAt = EVENTS_MAX * EVENT_BYTES;
    this.#timerspec = bytes.subarray(timerspecAt, timerspecAt + TIMERSPEC_BYTES);
    this.#scratch = bytes.subarray(timerspecAt + TIMERSPEC_BYTES);
    const opened: number[] = [];
    try {
      this.fd = checked(libc().epoll_create1(0), 'making an epoll descriptor');
      opened.push(this.fd);
      const what = 'making a timer descriptor';
      this.#timerFd = checked(libc().timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), what);
      opened.push(this.#timerFd);
      this.add(this.#timerFd, -1);
    } catch (error) {
      for (const fd of opened) libc().close(fd);
      this.#memory.release();
      throw error;
    }
  }

  /**
   * @param token what {@link WaitSet.look} says of it, an integer from 0.
   * @throws InputError when the system refuses the descriptor.
   */
  add(fd: number, token: number): void {
    const event = new DataView(new ArrayBuffer(EVENT_BYTES));
    event.setUint32(0, EPOLLIN, true);
    event.setInt32(DATA_OFFSET, token, true);
    const bytes = new Uint8Array(event.buffer);
    checked(libc().epoll_ctl(this.fd, EPOLL_CTL_ADD, fd, bytes), 'waiting for a descriptor');
  }

  /** A descriptor that has been closed has left by itself. */
  remove(fd: number): void {
    libc().epoll_ctl(this.fd, EPOLL_CTL_DEL, fd, this.#scratch);
  }

  /** Calls `ready` for the descriptors that are readable now, without waiting. */
  look(ready: (token: number) => void): void {
    const { bytes, view } = this.#memory;
    const count = libc().epoll_wait(this.fd, bytes, EVENTS_MAX, 0);
    for (let i = 0; i < count; i++) {
      const token = view.getInt32(i * EVENT_BYTES + DATA_OFFSET, true);
      if (token >= 0) ready(token);
    }
  }

  /** True if the timer has made the set readable by now, or is about to; it is until the timer is set again. */
  isTimeUp(now: number): boolean {
    return this.#timerAt <= now + SAME_MS;
  }

  /**
   * Makes the set readable after `ns` nanoseconds at the latest, and no more by a time that is over; Infinity sets
   * no new one. PERF: an earlier setting stays, and the member that it wakes sets the timer again: most waits end
   * before their time.
   * @param now on the process's clock, in milliseconds; asking for it costs as much as the rest.
   */
  setTimer(ns: number, now = performance.now()): void {
    const at = now + ns / NS_PER_MS;
    if (this.#timerAt > now + SAME_MS && this.#timerAt <= at) return;
    if (this.#timerAt === at) return;
    this.#timerAt = at;
    // Setting a timer takes back its expiry, too, so that nothing has to be read; 0 sets none.
    this.#writeTimer(at === Infinity ? 0 : Math.max(1, Math.ceil(ns)));
  }

  /** Sleeps on the calling thread, which holds everything on it up. */
  nap(ns: number): void {
    this.#writeTime(0, ns);
    libc().nanosleep(this.#timerspec);
  }

  close(): void {
    libc().close(this.#timerFd);
    libc().close(this.fd);
    this.#memory.release();
  }

  #writeTimer(ns: number): void {
    this.#writeTime(0, 0);
    this.#writeTime(16, ns);
    libc().timerfd_settime(this.#timerFd, this.#timerspec);
  }

  /** The C structure timespec. */
  #writeTime(offset: number, ns: number): void {
    const { view } = this.#memory;
    const at = this.#timerspec.byteOffset + offset;
    const seconds = Math.floor(ns / NS_PER_SECOND);
    view.setUint32(at, seconds, true);
    view.setUint32(at + 8, ns - seconds * NS_PER_SECOND, true);
  }
}
