import type { ReceivedTransport } from '../../common/wire/hpcc/hpcc-transport';
import {
  HPCC_FLAG_ECHO,
  HPCC_FLAG_RATIO,
  HPCC_FLAG_RESPONSE,
  HPCC_TELEMETRY,
  HPCC_WINDOW,
} from '../../common/wire/hpcc/hpcc-transport';
import type { FeedbackPlan } from './feedback-plan';

/** A setting that both ends of a flow need alike, and that they have otherwise. */
export interface SettingsDiffer {
  readonly setting: 'controlAt' | 'return' | 'links' | 'flowCount';
  readonly own: string;
  readonly peer: string;
}

/** The first packets from a receiver show which loop it runs. */
const PACKETS = 16;

/** Parts of the plan that show in what the receiver sends. */
type Shown = Pick<FeedbackPlan, 'returnBy' | 'algorithmAt' | 'hidesLinks' | 'countsFlows'>;

/**
 * Compares the sender's plan with the loop that the receiver's first packets show: each kind of feedback
 * says by itself what it is, so hosts need not tell each other their settings.
 */
export class LoopCheck {
  readonly #plan: Shown;
  #left = PACKETS;
  #acks = 0;
  #hasCounted = false;

  constructor(plan: Shown) {
    this.#plan = plan;
  }

  /** True once the receiver's packets have shown all that they can. */
  get isDone(): boolean {
    return this.#left === 0;
  }

  /**
   * Takes a packet of the receiver. Returns the setting that differs, at most once.
   * @param isWindow it tells a window, and not only a count of flows.
   */
  take(
    transport: Pick<ReceivedTransport, 'type' | 'flags'>,
    isWindow: boolean,
  ): SettingsDiffer | undefined {
    this.#left--;
    const found = this.#compare(transport, isWindow);
    if (found !== undefined) this.#left = 0;
    return found;
  }

  #compare(
    { type, flags }: Pick<ReceivedTransport, 'type' | 'flags'>,
    isWindow: boolean,
  ): SettingsDiffer | undefined {
    const { returnBy, algorithmAt, countsFlows } = this.#plan;
    if (type === HPCC_WINDOW) {
      if (!isWindow) this.#hasCounted = true;
      if (isWindow) return differs('controlAt', algorithmAt, 'receiver');
      return countsFlows ? undefined : differs('flowCount', 'fixed', 'receiver');
    }
    if ((flags & HPCC_FLAG_RESPONSE) === 0) this.#acks++;
    const hasRecord = (flags & (HPCC_FLAG_ECHO | HPCC_FLAG_RATIO)) !== 0;
    if (!hasRecord) return this.#missingCount();
    const placed = differs('controlAt', algorithmAt, 'sender');
    if (placed !== undefined) return placed;
    const isAnswer = (flags & HPCC_FLAG_RESPONSE) !== 0;
    const peer = type === HPCC_TELEMETRY ? 'notification' : 'ack';
    const returned =
      isAnswer || returnBy === 'response' ? undefined : differs('return', returnBy, peer);
    return returned ?? this.#differentLinks(flags) ?? this.#missingCount();
  }

  #differentLinks(flags: number): SettingsDiffer | undefined {
    const own = this.#plan.hidesLinks ? 'hidden' : 'shown';
    return differs('links', own, (flags & HPCC_FLAG_RATIO) === 0 ? 'shown' : 'hidden');
  }

  /** A receiver that counts flows says so before its first acknowledgement. */
  #missingCount(): SettingsDiffer | undefined {
    const { countsFlows, returnBy } = this.#plan;
    const isMissing = countsFlows && returnBy !== 'window' && !this.#hasCounted;
    return isMissing && this.#acks >= ACKS_BEFORE_COUNT
      ? differs('flowCount', 'receiver', 'fixed')
      : undefined;
  }
}

/** Acknowledgements, in whichever packets, that may come before a count that was lost or overtaken. */
const ACKS_BEFORE_COUNT = 8;

const differs = (
  setting: SettingsDiffer['setting'],
  own: string,
  peer: string,
): SettingsDiffer | undefined => (own === peer ? undefined : { setting, own, peer });

/** The difference in a sentence, with what to do about it. */
export const differenceText = ({ setting, own, peer }: SettingsDiffer, where: string): string =>
  `${setting} is ${own} here and ${peer} at ${where}: start both hosts with the same ${ADVICE[setting]}`;

const ADVICE = {
  controlAt: '--feedback or --control-at',
  return: '--feedback or --return',
  links: '--links',
  flowCount: '--flow-count and --algorithm',
} as const satisfies Record<SettingsDiffer['setting'], string>;
