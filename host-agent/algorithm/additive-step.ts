import type { PathLoad } from './path-load';

/**
 * How large W_ai is, in the unit of the windows: the configured step, and what becomes of the one for as many
 * flows as the receiver counts (section "Receiver-based HPCC").
 */
export abstract class StepRule {
  constructor(
    protected readonly configured: number,
    /** For as many flows as the receiver counts; Infinity if it counts none. */
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
