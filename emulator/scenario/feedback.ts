import type { HpccppTuning } from '../../host-agent/algorithm/window-form';
import type { FeedbackOptions } from '../../host-agent/feedback/feedback-plan';
import { FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';
import type { Parameters } from './schema';

/** How the hosts of a scenario collect telemetry and bring its consequences back. */
export function feedbackOf(parameters: Parameters): FeedbackOptions {
  const { feedback, collectEvery, acknowledgeEvery, flowCount, links } = parameters;
  return {
    ...FEEDBACK_PRESETS[feedback],
    collectEvery,
    acknowledgeEvery,
    countsFlows: flowCount === 'receiver',
    hidesLinks: links === 'hidden',
    asksSwitches: parameters.switchResponses === 'on',
    asksSojourn: parameters.queueMeasure === 'sojourn',
  };
}

/** Parameters of the algorithm as the scenario gives them, and as its feedback needs them. */
export function tuningOf(parameters: Parameters): HpccppTuning {
  const { eta, maxStage, waiBytes, hopLimit, feedback, collectEvery } = parameters;
  return {
    targetUtilization: eta,
    maxStage,
    maxHops: hopLimit,
    ...(waiBytes !== undefined && { additiveIncreaseBytes: waiBytes }),
    // With strict priorities no share is guaranteed: what other classes send counts as load.
    ...(parameters.queueMeasure === 'sojourn' && { queueShare: 1 }),
    // Samples a round trip apart: the smaller queue of both would be one round trip old.
    ...((feedback === 'probe' || collectEvery > 1) && { queueOfInterval: 'latest' }),
  };
}
