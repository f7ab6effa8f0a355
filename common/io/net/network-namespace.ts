import * as fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { assert } from '../../assert';
import { InputError } from '../../errors';
import { libc } from './libc';
import type { NetworkPlace } from './network-place';

const CLONE_NEWNET = 0x4000_0000;
const OWN = '/proc/thread-self/ns/net';

/**
 * A network namespace that the main thread enters and leaves. Sockets belong to the one in which
 * they were made, wherever their owner is afterwards, so one process can be at home in several.
 */
export class NetworkNamespace implements NetworkPlace {
  /** In which this process has begun. */
  static #own: NetworkNamespace | undefined;
  /** The one that the main thread is in. */
  static #present: NetworkNamespace | undefined;
  /** Ends when all queued turns have ended; each turn waits for the one before it. */
  static #turns: Promise<unknown> = Promise.resolve();
  readonly fd: number;

  private constructor(file: string) {
    this.fd = fs.openSync(file, 'r');
  }

  /** The one that this process has begun in. @throws a system error where there is no /proc. */
  static own(): NetworkNamespace {
    assert(isMainThread, 'only the main thread makes sockets');
    NetworkNamespace.#own ??= new NetworkNamespace(OWN);
    NetworkNamespace.#present ??= NetworkNamespace.#own;
    return NetworkNamespace.#own;
  }

  /**
   * @param file such as /proc/1234/ns/net or /run/netns/NAME.
   * @throws InputError when it cannot be opened or entered.
   */
  static open(file: string): NetworkNamespace {
    const own = NetworkNamespace.own();
    let namespace: NetworkNamespace;
    try {
      namespace = new NetworkNamespace(file);
    } catch (error) {
      throw new InputError(`network namespace ${file}: ${(error as Error).message}`);
    }
    const before = NetworkNamespace.#present ?? own;
    if (libc().setns(namespace.fd, CLONE_NEWNET) < 0) {
      const reason = libc().strerror(libc().errno());
      namespace.close();
      throw new InputError(`network namespace ${file} cannot be entered: ${reason}`);
    }
    NetworkNamespace.#present = namespace;
    before.#enter();
    return namespace;
  }

  /** Moves a thread that makes sockets for others there, for good. @param fd of a namespace that is open. */
  static moveThread(fd: number): void {
    assert(!isMainThread, 'the main thread comes back');
    assert(libc().setns(fd, CLONE_NEWNET) === 0, 'a namespace that the main thread has entered');
  }

  run<T>(act: () => T): T {
    const before = this.#enter();
    try {
      return act();
    } finally {
      before.#enter();
    }
  }

  during<T>(act: () => Promise<T>): Promise<T> {
    const turn = NetworkNamespace.#turns.then(async () => {
      const before = this.#enter();
      try {
        return await act();
      } finally {
        before.#enter();
      }
    });
    NetworkNamespace.#turns = turn.catch(() => undefined);
    return turn;
  }

  /** Sockets that were made in it go on. */
  close(): void {
    if (this !== NetworkNamespace.#own) fs.closeSync(this.fd);
  }

  /** Returns where the thread was. */
  #enter(): NetworkNamespace {
    const before = NetworkNamespace.#present ?? NetworkNamespace.own();
    if (before === this) return before;
    assert(libc().setns(this.fd, CLONE_NEWNET) === 0, 'a namespace that was entered before');
    NetworkNamespace.#present = this;
    return before;
  }
}
