import { anonymousMemory, checked, libc } from './libc';
import type { Address, SharedMemory } from './libc';

const POLL_ENTRY_BYTES = 8;
const POLLIN = 1;
const EFD_NONBLOCK = 0o4000;
const NS_PER_SECOND = 1_000_000_000;
/**
 * A process that ends must wait for the thread that waits here, and nobody wakes that thread when an
 * exception ends the process.
 */
const WAIT_NS_MAX = 100_000_000;

/**
 * Sleeps until a frame arrives, a time has passed, or somebody calls {@link Readiness.wake}. The
 * waiting happens on a thread of Node's pool, so the event loop goes on.
 */
export class Readiness {
  readonly #eventFd: number;
  readonly #count: number;
  readonly #memory: SharedMemory;
  readonly #timeoutOffset: number;
  readonly #scratchOffset: number;
  #waiting = false;

  /** @param fds the sockets whose frames end the sleep. */
  constructor(fds: readonly number[]) {
    this.#eventFd = checked(libc().eventfd(0, EFD_NONBLOCK), 'making an event descriptor');
    this.#count = fds.length + 1;
    this.#timeoutOffset = this.#count * POLL_ENTRY_BYTES;
    this.#scratchOffset = this.#timeoutOffset + 16;
    this.#memory = anonymousMemory(this.#scratchOffset + 16);
    [this.#eventFd, ...fds].forEach((fd, i) => {
      this.#memory.view.setInt32(i * POLL_ENTRY_BYTES, fd, true);
      this.#memory.view.setInt16(i * POLL_ENTRY_BYTES + 4, POLLIN, true);
    });
  }

  get isWaiting(): boolean {
    return this.#waiting;
  }

  /**
   * Sleeps on the calling thread, until a frame arrives or `timeoutNs` has passed. It costs a tenth
   * of a sleep on another thread, and holds everything else up, so the time must be short.
   */
  waitHere(timeoutNs: number): void {
    const { address } = this.#memory;
    libc().ppoll(address, this.#count, this.#setTimeout(timeoutNs));
  }

  /** Calls `done` once, at the latest after `timeoutNs` or a tenth of a second. */
  wait(timeoutNs: number, done: () => void): void {
    const { address } = this.#memory;
    const timeout = this.#setTimeout(timeoutNs);
    this.#waiting = true;
    libc().ppollAsync(address, this.#count, timeout, () => {
      this.#waiting = false;
      libc().read(this.#eventFd, address + BigInt(this.#scratchOffset), 8);
      done();
    });
  }

  /** Writes the C structure timespec, and returns where it is. */
  #setTimeout(timeoutNs: number): Address {
    const { view, address } = this.#memory;
    const capped = Math.min(timeoutNs, WAIT_NS_MAX);
    view.setBigInt64(this.#timeoutOffset, BigInt(Math.floor(capped / NS_PER_SECOND)), true);
    view.setBigInt64(this.#timeoutOffset + 8, BigInt(Math.ceil(capped % NS_PER_SECOND)), true);
    return address + BigInt(this.#timeoutOffset);
  }

  /** Ends the present wait at once. */
  wake(): void {
    if (!this.#waiting) return;
    const { view, address } = this.#memory;
    // Away from what the waiting thread reads.
    view.setBigUint64(this.#scratchOffset + 8, 1n, true);
    libc().write(this.#eventFd, address + BigInt(this.#scratchOffset + 8), 8);
  }

  /** Only when nobody waits. */
  close(): void {
    libc().close(this.#eventFd);
    this.#memory.release();
  }
}
