import type { Socket } from 'node:net';
import type { Limits } from '../../limits/limits';
import { MessageScanner } from './message-scanner';

const MS_PER_SECOND = 1000;
/** When the system begins to ask whether a silent peer is still there. */
const KEEPALIVE_MS = 30_000;

/**
 * The connections of a Thrift server. Those that are silent for too long end, also in the middle of
 * a message, and when there are too many, the one that has been silent the longest gives way.
 */
export class Connections {
  /** Open connections, in the order of their last messages. */
  readonly #open = new Set<Socket>();

  /** @param answer takes a whole message; what it throws ends the connection. */
  constructor(
    private readonly limits: Limits,
    private readonly answer: (message: Uint8Array, socket: Socket) => void,
  ) {}

  add(socket: Socket): void {
    this.#makeRoom();
    this.#open.add(socket);
    socket.setKeepAlive(true, KEEPALIVE_MS);
    socket.setTimeout(this.limits.of('thrift-idle-seconds') * MS_PER_SECOND, () => {
      this.#end(socket, 'thrift-idle-seconds');
    });
    const scanner = new MessageScanner(this.limits.of('thrift-message-bytes'));
    let deadline: NodeJS.Timeout | undefined;
    socket.on('data', (chunk) => {
      this.#open.delete(socket);
      this.#open.add(socket);
      try {
        for (const message of scanner.push(chunk)) this.answer(message, socket);
      } catch {
        // A client with another protocol is disconnected; an answer under way still leaves.
        socket.end();
        socket.removeAllListeners('data').resume();
      }
      if (scanner.isInside) {
        deadline ??= this.#deadline(socket);
      } else {
        clearTimeout(deadline);
        deadline = undefined;
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.on('close', () => {
      clearTimeout(deadline);
      this.#open.delete(socket);
    });
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

  #makeRoom(): void {
    const [oldest] = this.#open;
    if (oldest === undefined || this.#open.size < this.limits.of('thrift-connections')) return;
    this.#end(oldest, 'thrift-connections');
    this.#open.delete(oldest);
  }

  #end(socket: Socket, limit: Parameters<Limits['met']>[0]): void {
    this.limits.met(limit);
    socket.destroy();
  }
}
