import type { PageData } from '../data/page-data';
import type { Followed } from './view-session';

/** Sends the present state to its followers. */
export class LiveFeed {
  readonly #followers = new Set<Followed>();
  #page: (() => PageData) | undefined;
  #status = '';

  /**
   * Adds a follower, which gets the newest state at once: it may have been the last one. The result
   * removes the follower.
   */
  readonly follow = (follower: Followed): (() => void) => {
    this.#followers.add(follower);
    if (this.#page !== undefined) follower.page(this.#page());
    follower.status(this.#status);
    return () => this.#followers.delete(follower);
  };

  /** @param page called only if there are followers. */
  publish(page: () => PageData, status: string): void {
    this.#page = page;
    this.#status = status;
    if (this.#followers.size === 0) return;
    const newest = page();
    for (const each of this.#followers) {
      each.page(newest);
      each.status(status);
    }
  }
}
