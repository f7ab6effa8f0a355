import type { Socket } from 'node:net';
import { letPacketsPass } from '../../../../common/io/packets-first';
import { ownDescriptors } from '../../../../common/io/net/descriptors';
import type { Limits } from '../../limits/limits';
import type { Turns } from '../../turns/turns';
import { MessageScanner } from './message-scanner';

const MS_PER_SECOND = 1000;
/** When the system begins to ask whether a silent peer is still there. */
const KEEPALIVE_MS = 30_000;

/** Bytes of answers that wait for a client to take them; further requests of it wait too. */
const UNREAD_BYTES = 1024 * 1024;

/**
 * The connections of a Thrift server. Their requests are answered one by one, in slices that packets get in between of,
 * and no faster than their clients take the answers. Those that are silent for too long end, also in the middle of
 * a message, and when there are too many, or too few descriptors are left, the one that has been silent the longest
 * gives way.
 */
export class Connections {
  /** Open connections, in the order of their last messages. */
  readonly #open = new Set<Socket>();

  /** @param answer takes a whole message; what it throws ends the connection. */
  constructor(
    private readonly limits: Limits,
    private readonly turns: Turns,
    private readonly answer: (message: Uint8Array, socket: Socket) => void,
  ) {}

  add(socket: Socket): void {
    letPacketsPass();
    if (!this.#makeRoom(socket)) return;
    this.#open.add(socket);
    socket.setKeepAlive(true, KEEPALIVE_MS);
    socket.setTimeout(this.limits.of('thrift-idle-seconds') * MS_PER_SECOND, () => {
      this.#end(socket, 'thrift-idle-seconds');
    });
    const scanner = new MessageScanner(this.limits.of('thrift-message-bytes'));
    let deadline: NodeJS.Timeout | undefined;
    let answered = Promise.resolve();
    socket.on('data', (chunk) => {
      letPacketsPass();
      this.#open.delete(socket);
      this.#open.add(socket);
      // What follows waits in the kernel, and then at the client.
      socket.pause();
      answered = this.#answerAll(scanner, chunk, socket);
      if (scanner.isInside) {
        deadline ??= this.#deadline(socket);
      } else {
        clearTimeout(deadline);
        deadline = undefined;
      }
    });
    socket.on('error', () => socket.destroy());
    // Who has asked for the last time still gets its answers.
    socket.on('end', () => void answered.then(() => socket.end()));
    socket.on('close', () => {
      clearTimeout(deadline);
      this.#open.delete(socket);
    });
  }

  async #answerAll(scanner: MessageScanner, chunk: Uint8Array, socket: Socket): Promise<void> {
    try {
      for (const message of scanner.push(chunk)) {
        if (this.turns.isOver) await this.turns.next();
        if (socket.writableLength > UNREAD_BYTES) await drained(socket);
        if (socket.destroyed) return;
        this.answer(message, socket);
      }
    } catch {
      // A client with another protocol is disconnected; an answer under way still leaves.
      socket.end();
      socket.removeAllListeners('data');
    }
    socket.resume();
  }

  /** Ends all of them. */
  destroy(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #deadline(socket: Socket): NodeJS.Timeout {
    const seconds = this.limits.of('thrift-message-seconds');
    const ended = (): void => this.#end(socket, 'thrift-message-seconds');
    return setTimeout(ended, seconds * MS_PER_SECOND).unref();
  }

  /** Returns whether there is room for a connection; ended otherwise. */
  #makeRoom(socket: Socket): boolean {
    const isScarce = ownDescriptors().isOneTooMany(socket, 'other');
    if (!isScarce && this.#open.size < this.limits.of('thrift-connections')) return true;
    const [oldest = socket] = this.#open;
    this.#end(oldest, 'thrift-connections');
    this.#open.delete(oldest);
    return oldest !== socket;
  }

  #end(socket: Socket, limit: Parameters<Limits['met']>[0]): void {
    this.limits.met(limit);
    socket.destroy();
  }
}

/** Resolves when a client has taken what waited for it, or has gone. */
const drained = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
