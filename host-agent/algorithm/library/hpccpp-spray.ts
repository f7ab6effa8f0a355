import type { FlowEnvironment } from '../congestion-control';
import { HpccppWindow } from '../window-form';
import type { HpccppTuning } from '../window-form';
import type { Constants } from './constants';
import { withHopLimit } from './constants';
import { hostTuning } from './host-tuning';

/**
 * HPCC++ for flows whose packets take many paths, all within what draft-miao-tsv-hpcc-01 leaves to those who
 * run it; found by examples/studies/spray.yaml.
 */
export const HPCCPP_SPRAY_CONSTANTS = {
  /** eta. Spray makes all links of a fabric equally full, so less has to be left. */
  targetUtilization: 0.99,
  maxStage: 0,
  /**
   * W_ai as a share of W_init: N flows rest at U = eta + N W_ai / W_init, and soon have equal windows. That queue
   * costs less than the gaps that flows of many paths leave in a link without one.
   */
  additiveShare: 0.08,
  /** Longest path whose telemetry is accepted. */
  maxHops: 8,
  /**
   * Share of the way to Wc * eta / U that a round goes while a path is at most a tenth over-full. All flows
   * share all links, so that those who went all of it would swing together.
   */
  gain: 0.25,
  /** Weight of one sample in U: the flow's packets use all paths, so that U is an average of these. */
  sampleWeight: 0.25,
  /**
   * Bytes in flight over W, which the rate W / T alone limits then: packets that were overtaken, and
   * acknowledgements of several, come later than T.
   */
  windowSlack: 1.15,
};

/** Telemetry of how many packets per window: records of four links in all of them take 2.3 % of a link. */
export const HPCCPP_SPRAY_SAMPLES = 4;

/**
 * HPCC++ of the draft's listing with averages per link, small steps, and windows with room for reordering. Where
 * switches trim, turns at the receiver take the place of windows below a segment.
 */
export class HpccppSpray extends HpccppWindow {
  /**
   * @param tuning what the host needs of any HPCC++; the constants take the place of what they are of.
   * @throws InputError naming the constant that is out of range, or unknown.
   */
  constructor(
    environment: FlowEnvironment,
    tuning: HpccppTuning & { readonly constants?: Constants },
  ) {
    const constants = withHopLimit('hpccpp-spray', HPCCPP_SPRAY_CONSTANTS, tuning);
    super({ ...hostTuning(tuning), ...environment, ...constants, averagesLinks: true });
  }
}
