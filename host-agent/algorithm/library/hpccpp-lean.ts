import type { FlowEnvironment } from '../congestion-control';
import { HpccppWindow } from '../window-form';
import type { HpccppTuning } from '../window-form';
import type { Constants } from './constants';
import { withHopLimit } from './constants';
import { hostTuning } from './host-tuning';

/**
 * HPCC++ with less telemetry and fairer steps, all within what draft-miao-tsv-hpcc-01 leaves to those who
 * run it; found by the studies of docs/algorithms.md.
 */
export const HPCCPP_LEAN_CONSTANTS = {
  /** eta. What is left of the link, the counted flows share as W_ai. */
  targetUtilization: 0.95,
  maxStage: 0,
  /** N, where the bottleneck is not the receiver's and so nobody counts. */
  expectedFlows: 100,
  /** Longest path whose telemetry is accepted. */
  maxHops: 8,
};

/**
 * Telemetry of how many packets per window. Fewer leave incasts standing for longer, more take the
 * bandwidth that long flows gain here.
 */
export const HPCCPP_LEAN_SAMPLES = 4;

/** HPCC++ of the draft's listing, with its rule for W_ai where the receiver counts flows. */
export class HpccppLean extends HpccppWindow {
  /**
   * @param tuning what the host needs of any HPCC++; the constants take the place of what they are of.
   * @throws InputError naming the constant that is out of range, or unknown.
   */
  constructor(
    environment: FlowEnvironment,
    tuning: HpccppTuning & { readonly constants?: Constants },
  ) {
    const constants = withHopLimit('hpccpp-lean', HPCCPP_LEAN_CONSTANTS, tuning);
    // Samples are far apart: the smaller queue of both ends of an interval would hide that it grows.
    const lean = { countedStep: 'fade', latestQueueFrom: 0 } as const;
    super({ ...hostTuning(tuning), ...environment, ...constants, ...lean });
  }
}
