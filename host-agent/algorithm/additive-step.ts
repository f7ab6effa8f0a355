import type { PathLoad } from './path-load';

/**
 * Additive step W_ai, in the unit of the windows: the configured step, and the treatment of the one for as
 * many flows as the receiver counts (section "Receiver-based HPCC").
 */
export abstract class StepRule {
  constructor(
    protected readonly configured: number,
    /** Step for as many flows as the receiver counts; Infinity if it counts none. */
    protected counted = Infinity,
  ) {}

  /** The step of as many flows as are counted, which is 0 where they have no headroom to share. */
  count(step: number): void {
    this.counted = step > 0 ? step : this.configured;
  }

  /** The same where all windows are `factor` times as large. */
  abstract scaledBy(factor: number): StepRule;

  /**
   * PERF: asked with every acknowledgement, so it allocates nothing, and takes the record that U is in; a
   * number by itself may be allocated.
   */
  abstract at(load: Pick<PathLoad, 'isLastLink'>, path: { readonly U: number }): number;
}

/**
 * W_ai: the configured step, or that for as many flows as the receiver counts on its link, which holds while
 * that link, the last one, is the fullest of the path.
 */
export class AdditiveStep extends StepRule {
  scaledBy(factor: number): AdditiveStep {
    return new AdditiveStep(this.configured * factor, this.counted * factor);
  }

  /**
   * The counted step shares the headroom of the link among its flows. Where more is in flight than
   * the link can hold there is no headroom, and a step larger than the configured one would only
   * keep the queue up.
   */
  at({ isLastLink }: Pick<PathLoad, 'isLastLink'>, path: { readonly U: number }): number {
    const { configured, counted } = this;
    if (counted < configured) return isLastLink ? counted : configured;
    const isShared = counted < Infinity && isLastLink && path.U < 1;
    return isShared ? counted : configured;
  }
}

/**
 * W_ai of counted flows without a jump: while the receiver's link is the fullest one, every flow adds its
 * part of the headroom, and the less, the more the link is over-full. The other rule has two steps, one
 * below U = 1 and one from there on, between which few flows with a large share each swing.
 *
 * W = Wc eta / U + W_init (1 - eta) / N then rests at U = 1 with equal windows, and what two windows
 * differ by shrinks to eta of it in every round trip.
 */
export class FadingStep extends StepRule {
  scaledBy(factor: number): FadingStep {
    return new FadingStep(this.configured * factor, this.counted * factor);
  }

  at({ isLastLink }: Pick<PathLoad, 'isLastLink'>, path: { readonly U: number }): number {
    const { configured, counted } = this;
    if (!isLastLink || counted === Infinity) return configured;
    return path.U > 1 ? counted / path.U : counted;
  }
}
