import { UvPoll } from '../../../common/io/loop/uv-poll';
import { libc } from '../../../common/io/net/libc';

/** A door that no thread has: clients wait at its sockets, and the first one is noticed. */
export class WaitingDoor {
  readonly #polls: UvPoll[] = [];

  /**
   * @param sockets descriptors, which become its own.
   * @param came called when somebody waits, or nobody can be waited for; perhaps again and again.
   */
  constructor(
    private readonly sockets: readonly number[],
    came: () => void,
  ) {
    try {
      for (const fd of sockets) this.#polls.push(new UvPoll(fd, came));
    } catch {
      came();
    }
  }

  /** Looks at the sockets no more. Returns their descriptors, which become the caller's. */
  takeSockets(): readonly number[] {
    void this.#forget();
    return this.sockets;
  }

  /** Resolves when nobody can come any more. */
  async close(): Promise<void> {
    await this.#forget();
    for (const fd of this.sockets) libc().close(fd);
  }

  async #forget(): Promise<void> {
    const polls = this.#polls.splice(0);
    await Promise.all(polls.map((poll) => new Promise<void>((resolve) => poll.close(resolve))));
  }
}
