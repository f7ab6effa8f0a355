import type { Chart, TimeWindow } from '../data/chart';
import type { PageData, Session } from '../data/page-data';

/** What a page shows, and what can be asked of it. */
export interface ViewSession {
  readonly ability: Session;
  readonly page: () => PageData;
  /** The charts over time, with as many points for a part of the run as for the whole. */
  readonly detail: (window: TimeWindow) => readonly Chart[];
  /** Tells of what changes until the result is called; absent where nothing does. */
  readonly follow?: (told: Followed) => () => void;
}

export interface Followed {
  readonly page: (page: PageData) => void;
  readonly status: (text: string) => void;
}
