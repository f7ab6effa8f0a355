import type { PageData } from '../data/page-data';
import type { Followed } from './view-session';

/** Tells whoever follows how things stand now. */
export class LiveFeed {
  readonly #followers = new Set<Followed>();
  #page: (() => PageData) | undefined;
  #status = '';

  /**
   * Who follows is told the newest at once: between the first look and this, the last news may have been.
   * The result ends it.
   */
  readonly follow = (told: Followed): (() => void) => {
    this.#followers.add(told);
    if (this.#page !== undefined) told.page(this.#page());
    told.status(this.#status);
    return () => this.#followers.delete(told);
  };

  /** @param page is made when somebody looks, and else not. */
  tell(page: () => PageData, status: string): void {
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
