import type { Socket } from 'node:net';
import { ownDescriptors } from '../../common/io/net/descriptors';
import type { Limits } from './limits/limits';

const MS_PER_SECOND = 1000;
/** Bytes of the preface that every connection of HTTP/2 begins with; a TLS hello is longer. */
const PREFACE_BYTES = 24;

/** Name of the other end of a connection, as gRPC names it. */
const peerOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress}:${remotePort}`;

/**
 * The connections of a server, which are bounded in number and end when they do not begin. When there are too many, or
 * too few descriptors are left, the oldest that nothing was called over gives way to a new one, and without such the new
 * one does: whoever holds connections open locks no controller out, and no controller loses its own.
 */
export class AcceptedConnections {
  /** Connections that nothing was called over yet, in the order in which they came. */
  readonly #uncalled = new Map<string, Socket>();
  #count = 0;

  /** @param left called when the last connection has ended. */
  constructor(
    private readonly limits: Limits,
    private readonly left: () => void = () => undefined,
  ) {}

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Returns whether the server may have it; ended otherwise. */
  accepts(socket: Socket): boolean {
    const isScarce = ownDescriptors().isOneTooMany(socket, 'control');
    const isFull = isScarce || this.#count >= this.limits.of('p4runtime-connections');
    const [oldest] = this.#uncalled.values();
    if (isFull) this.limits.met('p4runtime-connections');
    if (isFull && oldest === undefined) {
      socket.destroy();
      return false;
    }
    if (isFull) oldest?.destroy();
    this.#watch(socket);
    return true;
  }

  /** Takes note of a call. @param peer the other end, as gRPC names it. */
  called(peer: string): void {
    this.#uncalled.delete(peer);
  }

  /** Ends those that nothing was called over. */
  endUncalled(): void {
    for (const socket of this.#uncalled.values()) socket.destroy();
  }

  #watch(socket: Socket): void {
    const peer = peerOf(socket);
    this.#count++;
    this.#uncalled.set(peer, socket);
    const opening = setTimeout(
      () => {
        if (socket.bytesRead >= PREFACE_BYTES) return;
        this.limits.met('p4runtime-opening-seconds');
        socket.destroy();
      },
      this.limits.of('p4runtime-opening-seconds') * MS_PER_SECOND,
    );
    socket.once('close', () => {
      clearTimeout(opening);
      this.#count--;
      if (this.#uncalled.get(peer) === socket) this.#uncalled.delete(peer);
      if (this.isEmpty) this.left();
    });
  }
}
