import { microseconds } from '../../../common/units/units';
import type { BitsPerSecond, Instant } from '../../../common/units/units';
import type { Acknowledgement, AckKind, FlowEnvironment } from '../congestion-control';
import type { Constants } from './constants';
import { withChanges } from './constants';
import type { WindowMode } from './base-algorithm';
import { RateBasedAlgorithm } from './base-algorithm';

/**
 * DCQCN (Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015), with the
 * timers that vendors came to recommend and the HPCC paper compares with.
 */
export const DCQCN_CONSTANTS = {
  /** g: weight of the newest interval in alpha. */
  g: 1 / 256,
  alphaIntervalUs: 1,
  decreaseIntervalUs: 4,
  increaseIntervalUs: 300,
  /** Increases that go half the way back to the target before the target rises. */
  fastRecoveries: 1,
  /** R_AI and R_HAI per 100 Gb/s of the host's link. */
  additiveMbps: 20,
  hyperMbps: 200,
  /** Least rate, as a share of the link's. */
  rateMinShare: 0.01,
};

/**
 * The reaction point. A mark that an acknowledgement echoes means the same as a CNP. Marks count once
 * per interval: one clock moves alpha, one decreases, and a third one, which begins anew with each
 * decrease, increases.
 *
 *     decrease:  Rt = Rc (unless Rt is the goal of a recovery that has not begun), Rc *= 1 - alpha / 2
 *     increase:  fast recovery  Rc = (Rc + Rt) / 2
 *                additive       Rt += R_AI, then as above
 *                hyper          Rt += R_HAI, then as above
 */
export class Dcqcn extends RateBasedAlgorithm {
  readonly #c: Readonly<Record<keyof typeof DCQCN_CONSTANTS, number>>;
  #alpha = 1;
  /** Rt. */
  #target: BitsPerSecond;
  #stage = 0;
  #marksAlpha = false;
  #marksDecrease = false;
  #alphaAt: Instant = Infinity;
  #decreaseAt: Instant = Infinity;
  #increaseAt: Instant = Infinity;

  constructor(environment: FlowEnvironment, mode: WindowMode, changes?: Constants) {
    const c = withChanges('dcqcn', DCQCN_CONSTANTS, changes);
    super(environment, mode, c.rateMinShare);
    this.#c = c;
    this.#target = environment.linkRate;
  }

  protected learn({ isMarked, now }: Acknowledgement): AckKind {
    this.onWakeup(now);
    // No mark says that no queue was long.
    if (isMarked !== true) return 'noted';
    this.onCongestionNotification(now);
    return 'fast';
  }

  onCongestionNotification(now: Instant): void {
    this.onWakeup(now);
    const isFirst = this.#alphaAt === Infinity;
    this.#marksAlpha = !isFirst;
    this.#marksDecrease = true;
    if (!isFirst) return;
    this.#alphaAt = now + microseconds(this.#c.alphaIntervalUs);
    this.#decreaseAt = now + microseconds(this.#c.decreaseIntervalUs);
  }

  /** Alpha is brought up to date when a decrease needs it: it needs no wake-up of its own. */
  get wakeupAt(): Instant {
    const decreaseAt = this.#marksDecrease ? this.#decreaseAt : Infinity;
    return Math.min(decreaseAt, this.pacingRate < this.linkRate ? this.#increaseAt : Infinity);
  }

  onWakeup(now: Instant): void {
    for (;;) {
      const at = Math.min(this.#decreaseAt, this.#increaseAt);
      if (at > now) break;
      this.#moveAlpha(at);
      if (at === this.#decreaseAt) this.#checkDecrease(at, now);
      else this.#increase(at);
    }
    this.#moveAlpha(now);
  }

  #moveAlpha(now: Instant): void {
    const interval = microseconds(this.#c.alphaIntervalUs);
    if (now < this.#alphaAt || interval === 0) return;
    const ticks = Math.floor((now - this.#alphaAt) / interval) + 1;
    const first = (1 - this.#c.g) * this.#alpha + (this.#marksAlpha ? this.#c.g : 0);
    this.#alpha = first * (1 - this.#c.g) ** (ticks - 1);
    this.#marksAlpha = false;
    this.#alphaAt += ticks * interval;
  }

  #checkDecrease(at: Instant, now: Instant): void {
    const interval = microseconds(this.#c.decreaseIntervalUs);
    if (!this.#marksDecrease) {
      // Nothing to do until the first check behind `now`, or the next increase.
      const until = Math.min(now, this.#increaseAt);
      this.#decreaseAt = at + Math.max(1, Math.ceil((until - at) / interval)) * interval;
      return;
    }
    this.#decreaseAt = at + interval;
    if (this.#stage > 0) this.#target = this.pacingRate;
    this.setRate(this.pacingRate * (1 - this.#alpha / 2));
    this.#stage = 0;
    this.#marksDecrease = false;
    this.#increaseAt = at + microseconds(this.#c.increaseIntervalUs);
  }

  #increase(at: Instant): void {
    const { fastRecoveries, additiveMbps, hyperMbps, increaseIntervalUs } = this.#c;
    this.#increaseAt = at + microseconds(increaseIntervalUs);
    if (this.#stage >= fastRecoveries) {
      const step = this.#stage === fastRecoveries ? additiveMbps : hyperMbps;
      this.#target = Math.min(this.linkRate, this.#target + this.per100G(step));
    }
    this.setRate((this.pacingRate + this.#target) / 2);
    this.#stage++;
  }
}
