import type { PageData } from '../data/page-data';
import type { Followed } from './view-session';

/** Tells whoever follows how things stand now. */
export class LiveFeed {
  readonly #followers = new Set<Followed>();
  #status = '';

  /** The result ends it. */
  readonly follow = (told: Followed): (() => void) => {
    this.#followers.add(told);
    told.status(this.#status);
    return () => this.#followers.delete(told);
  };

  /** @param page is made when somebody looks, and else not. */
  tell(page: () => PageData, status: string): void {
    this.#status = status;
    if (this.#followers.size === 0) return;
    const newest = page();
    for (const each of this.#followers) {
      each.page(newest);
      each.status(status);
    }
  }
}
