import { ERRNO } from './errno';
import type { Appointment } from './agenda';
import type { Descriptor, Descriptors } from './descriptors';
import type { Machine } from './machine';
import type { Process } from './process';
import type { EventLoop, PollHandle } from '../../../common/io/loop/uv-poll';

const EVENT_BYTES = process.arch === 'x64' ? 12 : 16;
const DATA_OFFSET = EVENT_BYTES - 8;
const ADD = 1;
const REMOVE = 2;

/** epoll(7), level-triggered. */
export class EpollDescriptor implements Descriptor {
  readonly kind = 'epoll';
  readonly #watched = new Map<number, Uint8Array>();

  constructor(private readonly descriptors: Descriptors) {}

  get isReadable(): boolean {
    return this.#ready(1).length > 0;
  }

  control(operation: number, fd: number, event: Uint8Array): number {
    const isOpen = this.descriptors.get(fd) !== undefined;
    if (operation === ADD && isOpen) this.#watched.set(fd, event.slice(0, EVENT_BYTES));
    else if (operation === REMOVE && this.#watched.has(fd)) this.#watched.delete(fd);
    else return -ERRNO.EBADF;
    return 0;
  }

  collect(into: Uint8Array, limit: number): number {
    const ready = this.#ready(limit);
    ready.forEach((event, i) => {
      into.set(event.subarray(DATA_OFFSET), i * EVENT_BYTES + DATA_OFFSET);
    });
    return ready.length;
  }

  close(): void {
    this.#watched.clear();
  }

  /** A descriptor that is closed leaves by itself. */
  #ready(limit: number): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (const [fd, event] of this.#watched) {
      if (found.length === limit) break;
      const descriptor = this.descriptors.get(fd);
      if (descriptor === undefined) this.#watched.delete(fd);
      else if (descriptor.isReadable) found.push(event);
    }
    return found;
  }
}

/** timerfd_create(2), for one expiry. */
export class TimerDescriptor implements Descriptor {
  readonly kind = 'timer';
  isReadable = false;
  #expiry: Appointment | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly readable: () => void,
  ) {}

  set(ns: number): number {
    this.close();
    this.isReadable = false;
    if (ns === 0) return 0;
    this.#expiry = this.machine.interruptIn(ns, () => {
      this.isReadable = true;
      this.readable();
    });
    return 0;
  }

  close(): void {
    if (this.#expiry !== undefined) this.#expiry.isOff = true;
  }
}

interface Polled {
  readonly fd: number;
  readonly act: () => void;
  readonly process: Process | undefined;
  task: Appointment | undefined;
}

/** The part of libuv that calls back when a descriptor is readable, for as long as it is. */
export class PollLoop implements EventLoop {
  readonly #callbacks: (() => void)[] = [];
  readonly #polled = new Map<PollHandle, Polled>();
  readonly #descriptors: Descriptors;
  readonly #machine: Machine;

  constructor(descriptors: Descriptors, machine: Machine) {
    this.#descriptors = descriptors;
    this.#machine = machine;
  }

  allocate(onReadable: () => void): PollHandle {
    this.#callbacks.push(onReadable);
    return { memory: undefined, callback: BigInt(this.#callbacks.length - 1) };
  }

  init(handle: PollHandle, fd: number): number {
    const act = this.#callbacks[Number(handle.callback)];
    if (act === undefined || this.#descriptors.get(fd) === undefined) return -ERRNO.EBADF;
    this.#polled.set(handle, { fd, act, process: this.#machine.process, task: undefined });
    return 0;
  }

  start(): number {
    this.look();
    return 0;
  }

  close(handle: PollHandle): void {
    const polled = this.#polled.get(handle);
    if (polled?.task !== undefined) polled.task.isOff = true;
    this.#polled.delete(handle);
  }

  release(handle: PollHandle): void {
    this.close(handle);
  }

  /** Something may have become readable. */
  look(): void {
    for (const polled of this.#polled.values()) {
      if (polled.task !== undefined || !this.#isReadable(polled)) continue;
      const act = (): void => {
        polled.task = undefined;
        // libuv has waited with a call of its own.
        this.#machine.calls += 1;
        if (this.#isReadable(polled)) polled.act();
        this.look();
      };
      polled.task = this.#machine.taskIn(0, act, polled.process);
    }
  }

  #isReadable({ fd }: Polled): boolean {
    return this.#descriptors.get(fd)?.isReadable === true;
  }
}
