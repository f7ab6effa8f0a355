import { ERRNO } from './errno';
import type { Faults } from './faults';

/** Object behind a descriptor. */
export interface Descriptor {
  readonly kind: 'packet' | 'netlink' | 'datagram' | 'epoll' | 'timer' | 'file';
  /** True if a wait for it would end at once. */
  readonly isReadable: boolean;
  close(): void;
}

/** So many descriptors a process may have; what the simulated nodes need is far below. */
const DESCRIPTORS_MAX = 512;
/** For so long descriptors are missing at most, in ns. */
const SHORTAGE_NS = 300e6;
/** Above those that the process itself has. */
const FIRST = 1_000_000;

/** The descriptors of the process, which all its nodes share. */
export class Descriptors {
  readonly #open = new Map<number, Descriptor>();
  readonly #faults: Faults;
  #next = FIRST;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Kinds of the open descriptors, for messages. */
  get kinds(): string {
    return [...this.#open.values()].map(({ kind }) => kind).join(', ');
  }

  /** Undefined when the process has no descriptors left. */
  add(descriptor: Descriptor): number | undefined {
    if (!this.hasRoom()) return undefined;
    const fd = this.#next++;
    this.#open.set(fd, descriptor);
    return fd;
  }

  hasRoom(): boolean {
    return this.#open.size < DESCRIPTORS_MAX && !this.#faults.strikesFor('emfile', SHORTAGE_NS);
  }

  get(fd: number): Descriptor | undefined {
    return this.#open.get(fd);
  }

  close(fd: number): number {
    const descriptor = this.#open.get(fd);
    if (descriptor === undefined) return -ERRNO.EBADF;
    this.#open.delete(fd);
    descriptor.close();
    return 0;
  }
}

/** True if a descriptor is one of the simulation. */
export const isSimulated = (fd: number): boolean => fd >= FIRST;
