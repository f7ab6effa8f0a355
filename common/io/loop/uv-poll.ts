import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import type * as Koffi from 'koffi' with { 'resolution-mode': 'import' };
import { assert } from '../../assert';
import { InputError } from '../../errors';

// The package types itself as an ECMAScript module only, although it is both.
const koffi = createRequire(__filename)('koffi') as typeof Koffi;

/** Values of uv_handle_type and uv_poll_event. */
const UV_POLL = 8;
const UV_READABLE = 1;

/** A uv_poll_t at its address, and the function that libuv calls. */
export interface PollHandle {
  readonly memory: unknown;
  readonly callback: bigint;
}

/** libuv's operations on a descriptor; numbers are its error codes, negative on failure. */
export interface EventLoop {
  allocate(onReadable: () => void): PollHandle;
  init(handle: PollHandle, fd: number): number;
  start(handle: PollHandle): number;
  close(handle: PollHandle): void;
  release(handle: PollHandle): void;
}

/**
 * Lets Node's own event loop wait for a descriptor, as it does for its sockets: what becomes readable
 * calls back on the main thread, without a thread of the pool in between. Handing over to another
 * thread and back costs more than the packet that comes.
 */
export class UvPoll {
  readonly #handle: PollHandle;

  /**
   * @param fd stays open until {@link UvPoll.close} says that it may be closed.
   * @param onReadable must not throw; it is called for as long as there is something to read.
   * @throws InputError when the descriptor is none that can be waited for.
   */
  constructor(fd: number, onReadable: () => void) {
    assert(isMainThread, 'only the main thread has the loop that waits for descriptors');
    const loop = eventLoop();
    this.#handle = loop.allocate(onReadable);
    const code = loop.init(this.#handle, fd);
    if (code < 0) {
      loop.release(this.#handle);
      throw new InputError(`waiting for descriptor ${fd}: libuv's error ${code}`);
    }
    loop.start(this.#handle);
  }

  /** @param closed called when libuv looks at the descriptor no more, which may be closed then. */
  close(closed: () => void): void {
    const loop = eventLoop();
    loop.close(this.#handle);
    const release = (): void => {
      loop.release(this.#handle);
      closed();
    };
    // The loop looks at a handle once more in the turn that closes it.
    setImmediate(() => setImmediate(release));
  }
}

let loaded: EventLoop | undefined;

function eventLoop(): EventLoop {
  loaded ??= loadEventLoop();
  return loaded;
}

/**
 * Puts another loop in place of the process's, for simulations.
 * @returns what takes it back.
 * @internal
 */
export function standInForEventLoop(other: EventLoop): () => void {
  const before = loaded;
  loaded = other;
  return () => {
    loaded = before;
  };
}

/** Node exports libuv's functions to add-ons, so a process finds them in itself. */
function loadEventLoop(): EventLoop {
  const library = koffi.load(null);
  type Call = (...values: readonly unknown[]) => unknown;
  type Result = (...values: readonly unknown[]) => number;
  // uv_poll_cb: handle, status, events. A name would be one of the whole process.
  const callbackType = koffi.pointer(koffi.proto('void', ['void *', 'int', 'int']));
  const loop = (library.func('void *uv_default_loop()') as Call)();
  const bytes = (library.func('size_t uv_handle_size(int type)') as Result)(UV_POLL);
  const init = library.func('int uv_poll_init(void *loop, void *handle, int fd)') as Result;
  const start = library.func('uv_poll_start', 'int', ['void *', 'int', callbackType]) as Result;
  const close = library.func('void uv_close(void *handle, void *done)') as Call;
  return {
    allocate: (onReadable) => ({
      memory: koffi.alloc('uint8_t', bytes),
      callback: koffi.register(onReadable, callbackType),
    }),
    init: ({ memory }, fd) => init(loop, memory, fd),
    start: ({ memory, callback }) => start(memory, UV_READABLE, callback),
    close: ({ memory }) => close(memory, null),
    release: ({ memory, callback }) => {
      koffi.unregister(callback);
      koffi.free(memory);
    },
  };
}
