import type { Duration, Instant } from '../../common/units/units';

/** Most epochs ahead of the round's, so that four bits tell before from after. */
export const EPOCHS_AHEAD_MAX = 7;

/**
 * Events that end a round of the algorithm at the receiver: the sender's mark on its data, or T since the
 * round before, as in line 29.
 */
export const ROUND_ENDS = ['epoch', 'timer'] as const;
export type RoundEnd = (typeof ROUND_ENDS)[number];

/** Tells the receiver whether a round trip has passed since it ended a round last. */
export interface RoundClock {
  /** `epochBits` are the last four bits of the epoch of the window that the sender obeys. */
  hasPassed(now: Instant, epochBits: number): boolean;
  /** A round has ended; the window told now is that of `epoch`. */
  begin(now: Instant, epoch: number): void;
}

/**
 * A round ends with the first packet that was sent under the window that ended the round before: once
 * per round trip however long the queue makes it.
 */
class EpochClock implements RoundClock {
  /** Epoch that the packets of the next round carry. */
  #epoch = 0;

  hasPassed(_now: Instant, epochBits: number): boolean {
    return ((epochBits - this.#epoch) & 0xf) <= EPOCHS_AHEAD_MAX;
  }

  begin(_now: Instant, epoch: number): void {
    this.#epoch = epoch;
  }
}

/** HPCC++ NewINT, line 29: needs nothing of the sender, and ends several rounds in a trip that a queue makes long. */
class TimerClock implements RoundClock {
  readonly #baseRtt: Duration;
  #lastUpdateTime: Instant = -Infinity;

  constructor(baseRtt: Duration) {
    this.#baseRtt = baseRtt;
  }

  hasPassed(now: Instant): boolean {
    return now - this.#lastUpdateTime > this.#baseRtt;
  }

  begin(now: Instant): void {
    this.#lastUpdateTime = now;
  }
}

/** A clock of that kind, for a flow whose T is `baseRtt`. */
export const roundClock = (end: RoundEnd, baseRtt: Duration): RoundClock =>
  end === 'timer' ? new TimerClock(baseRtt) : new EpochClock();
