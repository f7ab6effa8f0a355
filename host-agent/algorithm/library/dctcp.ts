import { PS_PER_SECOND } from '../../../common/units/units';
import type { Acknowledgement, AckKind, FlowEnvironment, Loss } from '../congestion-control';
import type { Constants } from './constants';
import { withChanges } from './constants';
import { RateBasedAlgorithm, Rounds } from './base-algorithm';

/** DCTCP (Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010; RFC 8257). */
export const DCTCP_CONSTANTS = {
  /** g: weight of the newest round trip in alpha. */
  g: 1 / 16,
  /** Additive increase per round trip. */
  segmentsPerRtt: 1,
  /** Least rate, as a share of the link's. */
  rateMinShare: 0.01,
};

/**
 * The sender's part: alpha is the filtered share of marked packets per round trip, and the first mark
 * of a round trip takes alpha / 2 away. It starts at line rate, and its window is paced, as the other
 * algorithms here: in place of slow start and bursts.
 */
export class Dctcp extends RateBasedAlgorithm {
  readonly #c: Readonly<Record<keyof typeof DCTCP_CONSTANTS, number>>;
  readonly #rounds = new Rounds();
  #alpha = 1;
  #acked = 0;
  #marked = 0;
  /** Sequence until which the reduction holds and nothing is added. */
  #reducedUntil = -1;

  constructor(environment: FlowEnvironment, changes?: Constants) {
    const c = withChanges('dctcp', DCTCP_CONSTANTS, changes);
    super(environment, 'scaled', c.rateMinShare);
    this.#c = c;
  }

  protected learn(ack: Acknowledgement): AckKind {
    const { isMarked = false, ackSequence, nextSequence } = ack;
    this.#acked++;
    if (isMarked) this.#marked++;
    const isFirst = !this.#rounds.hasBegun;
    const endsRound = isFirst || this.#rounds.ends(ack);
    if (endsRound) this.#endRound(ack, isFirst);
    if (ackSequence > this.#reducedUntil) this.#reducedUntil = -1;
    if (isMarked && this.#reducedUntil < 0) this.#reduce(this.#alpha / 2, nextSequence);
    else if (endsRound && this.#reducedUntil < 0) this.#add();
    return endsRound ? 'update' : 'fast';
  }

  /** RFC 8257 section 3.5 leaves losses to TCP: one halving per round trip. */
  onLoss({ nextSequence }: Loss): void {
    if (this.#reducedUntil < 0) this.#reduce(1 / 2, nextSequence);
  }

  #endRound(ack: Acknowledgement, isFirst: boolean): void {
    const { g } = this.#c;
    if (!isFirst) this.#alpha = (1 - g) * this.#alpha + g * (this.#marked / this.#acked);
    if (!isFirst) [this.#marked, this.#acked] = [0, 0];
    this.#rounds.begin(ack);
  }

  #reduce(share: number, nextSequence: number): void {
    this.setRate(this.pacingRate * (1 - share));
    this.#reducedUntil = nextSequence;
  }

  #add(): void {
    const bits = 8 * this.segmentBytes * this.#c.segmentsPerRtt;
    this.setRate(this.pacingRate + (bits * PS_PER_SECOND) / this.baseRtt);
  }
}
