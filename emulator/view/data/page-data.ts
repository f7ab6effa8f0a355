import type { FlowCauses } from '../../result/flow-causes';
import type { Chart } from './chart';
import type { Network } from './network';

/** Content of one page as data: a file contains it, a server sends it. */
export interface PageData {
  readonly title: string;
  readonly subtitle: string;
  /** Command that makes this page again. */
  readonly command: string;
  /** The run in one sentence. */
  readonly verdict?: string;
  readonly facts: readonly Fact[];
  /** Main charts, side by side before all else. */
  readonly leading?: readonly Chart[];
  readonly opening: readonly PageSection[];
  readonly charts: readonly Chart[];
  readonly closing: readonly PageSection[];
  /** Time, network and flows of a run. */
  readonly run?: RunView;
}

export type Fact = readonly [value: string, label: string];

/** Text and a table, each if there is one. */
export interface PageSection {
  readonly title: string;
  readonly text?: readonly string[];
  /** The first row has the heads. */
  readonly rows?: readonly (readonly string[])[];
  /** File that the reader can save. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Something is wrong; or the reader wants it rarely. */
  readonly tone?: 'bad' | 'folded';
}

/** Data with which a page moves through the time of a run. */
export interface RunView {
  readonly durationUs: number;
  readonly timeUnit: string;
  /** Microseconds per unit. */
  readonly timeFactor: number;
  readonly network: Network;
  readonly flows: readonly FlowView[];
  /** Flows that the page leaves out. */
  readonly flowsOmitted: number;
  /** Completion times divided by cause, of flows that were asked about. */
  readonly causes?: readonly FlowCauses[];
}

export interface FlowView {
  readonly id: number;
  readonly source: string;
  readonly destination: string;
  readonly group: string;
  readonly bytes: number;
  readonly startUs: number;
  /** Null: it did not finish. */
  readonly fctUs: number | null;
  readonly slowdown: number | null;
  readonly deliveredBytes: number;
  readonly retransmittedSegments: number;
}

/** Abilities of the server behind a page; a file has none. */
export interface Session {
  /** True if data change while the page is open. */
  readonly isLive: boolean;
  /** True if the run can be repeated to show single packets. */
  readonly canTravel: boolean;
  /** The server draws charts for papers; absent: it does not. */
  readonly canDraw?: true;
  /** True if there is a second run to compare with. */
  readonly canCompare: boolean;
}
