import { StepRule } from './additive-step';
import type { PathLoad } from './path-load';

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
