import { microseconds } from '../../../common/units/units';
import type { BitsPerSecond, Duration } from '../../../common/units/units';
import type { Acknowledgement, AckKind, FlowEnvironment } from '../congestion-control';
import type { Constants } from './constants';
import { withChanges } from './constants';
import type { WindowMode } from './base-algorithm';
import { RateBasedAlgorithm, Rounds } from './base-algorithm';

/** TIMELY (Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015). */
export const TIMELY_CONSTANTS = {
  /** alpha: weight of the newest difference of round-trip times. */
  differenceWeight: 0.875,
  /** beta: multiplicative decrease. */
  beta: 0.8,
  lowUs: 50,
  highUs: 500,
  minRttUs: 20,
  /** delta, and what takes its place after `additiveRounds` increases in a row, per 100 Gb/s. */
  additiveMbps: 100,
  hyperMbps: 500,
  additiveRounds: 5,
  /** Least rate, as a share of the link's. */
  rateMinShare: 0.01,
};

/** Algorithm 1 of the paper, once per round trip. */
export class Timely extends RateBasedAlgorithm {
  readonly #c: Readonly<Record<keyof typeof TIMELY_CONSTANTS, number>>;
  readonly #rounds = new Rounds();
  #lastRtt: Duration = 0;
  #difference: Duration = 0;
  #increases = 0;

  constructor(environment: FlowEnvironment, mode: WindowMode, changes?: Constants) {
    const c = withChanges('timely', TIMELY_CONSTANTS, changes);
    super(environment, mode, c.rateMinShare);
    this.#c = c;
  }

  protected learn(ack: Acknowledgement): AckKind {
    const { rtt } = ack;
    if (rtt === undefined) return 'ignored';
    const isFirst = !this.#rounds.hasBegun;
    if (!isFirst && !this.#rounds.ends(ack)) return 'noted';
    if (!isFirst) this.#update(rtt);
    this.#rounds.begin(ack);
    this.#lastRtt = rtt;
    return isFirst ? 'first' : 'update';
  }

  #update(rtt: Duration): void {
    const { differenceWeight, beta, lowUs, highUs, minRttUs } = this.#c;
    const newest = rtt - this.#lastRtt;
    this.#difference = (1 - differenceWeight) * this.#difference + differenceWeight * newest;
    const gradient = this.#difference / microseconds(minRttUs);
    const high = microseconds(highUs);
    if (rtt < microseconds(lowUs)) this.#increase();
    else if (rtt > high) this.#decrease(1 - beta * (1 - high / rtt));
    else if (gradient <= 0) this.#increase();
    else this.#decrease(1 - beta * gradient);
  }

  #increase(): void {
    const { additiveRounds, additiveMbps, hyperMbps } = this.#c;
    const step: BitsPerSecond = this.per100G(
      this.#increases < additiveRounds ? additiveMbps : hyperMbps,
    );
    this.#increases++;
    this.setRate(this.pacingRate + step);
  }

  #decrease(factor: number): void {
    this.#increases = 0;
    this.setRate(this.pacingRate * Math.max(0, factor));
  }
}
