import type { FlowCauses } from '../../result/flow-causes';
import type { FirstDifference, TracedMoment } from '../../result/packet-story';
import type { MomentWanted } from '../../io/travel';
import type { Chart, TimeWindow } from '../data/chart';
import type { PageData, Session } from '../data/page-data';

/** Content of a page, and the requests that it can make. */
export interface ViewSession {
  readonly ability: Session;
  readonly page: () => PageData;
  /** The charts over time, with as many points for a part of the run as for the whole. */
  readonly detail: (window: TimeWindow) => readonly Chart[];
  /**
   * The packets of a moment; absent where the run cannot be repeated.
   * @param gone ends the repeated run.
   */
  readonly travel?: (wanted: MomentWanted, gone?: AbortSignal) => Promise<TracedMoment>;
  /**
   * The completion time of a flow by cause; absent where the run cannot be repeated.
   * @param gone ends the repeated run.
   */
  readonly explain?: (flow: number, gone?: AbortSignal) => Promise<FlowCauses>;
  /** Why a run with a scenario cannot be repeated. */
  readonly cannotTravel?: string;
  /** First difference between this run and another; null: none. */
  readonly difference?: (gone?: AbortSignal) => Promise<FirstDifference | null>;
  /** Tells of what changes until the result is called; absent where nothing does. */
  readonly follow?: (told: Followed) => () => void;
}

export interface Followed {
  readonly page: (page: PageData) => void;
  readonly status: (text: string) => void;
}
