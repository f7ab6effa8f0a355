import type { Signals } from '../algorithm/signals';
import type { FeedbackRoute } from '../feedback/feedback-plan';
import type { Settings } from './settings';

/** Inputs of the rules. */
export interface Asked {
  readonly settings: Settings;
  readonly route: FeedbackRoute;
  /** Signals that the algorithm needs. Default: records of hops. */
  readonly signals?: Signals | undefined;
  /** Abilities of the switches of a scenario; absent: the network is not known. */
  readonly switches?: Switches | undefined;
  /** Ends of flows at which the host is; absent: that is open. */
  readonly does?: Ends | undefined;
}

/** Abilities that at least one switch of a scenario has. */
export interface Switches {
  /** It answers data that leaves a long queue behind. */
  readonly answer: boolean;
  /** Answers go on to the receiver of the data, not back to its sender. */
  readonly answerReceivers: boolean;
  /** It tells how long packets wait. */
  readonly measureSojourn: boolean;
}

/** Ends of flows at which a host is, which decide what settings of it have an effect. */
export interface Ends {
  /** It starts flows. */
  readonly starts: boolean;
  /** Others start flows with it. */
  readonly answers: boolean;
}

export const isRoce = ({ settings }: Asked): boolean => settings.framing === 'rocev2';
export const isRemote = ({ route }: Asked): boolean => route.algorithmAt === 'receiver';
export const isPlausible = ({ settings: { plausibility, keys } }: Asked): boolean =>
  plausibility === 'on' || (plausibility === undefined && keys !== undefined);
export const isLive = ({ settings }: Asked): boolean => settings.interface !== undefined;
