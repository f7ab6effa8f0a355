import type { FlowCauses } from '../../result/flow-causes';
import type { Chart } from './chart';
import type { RankLanes } from './rank-lanes';
import type { Network } from '../network/network';

/** Content of one page as data: a file contains it, a server sends it. */
export interface PageData {
  readonly title: string;
  readonly subtitle: string;
  /** Command that makes this page again. */
  readonly command: string;
  /** The run in one sentence. */
  readonly verdict?: string;
  readonly facts: readonly Fact[];
  /** Main charts, side by side before all else; absent: the first chart of a run. */
  readonly leading?: readonly Chart[];
  readonly opening: readonly PageSection[];
  readonly charts: readonly Chart[];
  readonly closing: readonly PageSection[];
  /** Time, network and flows of a run. */
  readonly run?: RunView;
}

/** A figure; `beside` is that of the run to compare with, in words. */
export type Fact = readonly [value: string, label: string, beside?: string];

/** Subjects under which details of a run are folded, in their order. */
export const SUBJECTS = [
  'Flows',
  'Queues, losses and feedback',
  'Ranks and collectives',
  'Coordination',
  'Packets',
  'Two runs',
  'Figures and settings',
] as const;

export type Subject = (typeof SUBJECTS)[number];

/** Text and a table, each if there is one. */
export interface PageSection {
  readonly title: string;
  /** Absent: it stands by itself. */
  readonly subject?: Subject;
  readonly text?: readonly string[];
  /** The first row has the heads. */
  readonly rows?: readonly (readonly string[])[];
  /** File that the reader can save. */
  readonly file?: { readonly name: string; readonly text: string };
  /** Something is wrong. */
  readonly tone?: 'bad';
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
  /** Ranks of each trace over time; absent without traces. */
  readonly ranks?: readonly RankLanes[];
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
  /** True if there is a second run to compare with. */
  readonly canCompare: boolean;
}
