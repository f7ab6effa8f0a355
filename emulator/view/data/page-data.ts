import type { Chart } from './chart';
import type { Network } from './network';

/** What one page shows, as data: a file carries it in itself, a server sends it. */
export interface PageData {
  readonly title: string;
  readonly subtitle: string;
  /** What makes this page again. */
  readonly command: string;
  readonly facts: readonly Fact[];
  /** What the page is about, side by side before all else. */
  readonly leading?: readonly Chart[];
  readonly opening: readonly PageSection[];
  readonly charts: readonly Chart[];
  readonly closing: readonly PageSection[];
  /** Of a run: its time, network and flows. */
  readonly run?: RunView;
}

export type Fact = readonly [value: string, label: string];

/** Text and a table, each if there is one. */
export interface PageSection {
  readonly title: string;
  readonly text?: readonly string[];
  /** The first row has the heads. */
  readonly rows?: readonly (readonly string[])[];
  /** To be saved by who wants it. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Something is wrong; or the reader wants it rarely. */
  readonly tone?: 'bad' | 'folded';
}

/** What a page needs to move through the time of a run. */
export interface RunView {
  readonly durationUs: number;
  readonly timeUnit: string;
  /** So many us are one of the unit. */
  readonly timeFactor: number;
  readonly network: Network;
  readonly flows: readonly FlowView[];
  /** Flows that the page leaves out. */
  readonly flowsOmitted: number;
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

/** What the server behind a page can do; a file has none. */
export interface Session {
  /** Whether data change while the page is open. */
  readonly isLive: boolean;
  /** Whether the run can be repeated to show single packets. */
  readonly canTravel: boolean;
  /** Whether there is a second run to compare with. */
  readonly canCompare: boolean;
}
