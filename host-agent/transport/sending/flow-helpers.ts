import type { BaseRtts } from '../../path/base-rtt-prober';
import { AdmissionGate } from './admission-gate';
import { BaseRttProbes } from './base-rtt-probes';
import { CoordinatedFlow } from './coordinated-flow';
import type { FlowHelper, HelpedFlow } from './flow-helper';
import { PathChoice } from './path-choice';
import { RemoteControl } from './remote-control';
import { TelemetryProbes } from './telemetry-probes';

const NONE: readonly FlowHelper[] = [];

/**
 * What runs beside the data of a flow, by the configuration of its host. Probes leave in this order.
 * @param baseRtts what flows of the host have found out, where it measures T.
 */
export function newFlowHelpers(
  flow: HelpedFlow,
  baseRtts: BaseRtts | undefined,
): readonly FlowHelper[] {
  const { feedback, baseRtt, pathSelection, coordination } = flow.config;
  const { admission } = flow.spec;
  const helpers: FlowHelper[] = [];
  if (admission !== undefined) helpers.push(new AdmissionGate(flow, admission));
  if (feedback.collectBy === 'probe') helpers.push(new TelemetryProbes(flow, baseRtt));
  if (pathSelection !== undefined) helpers.push(new PathChoice(flow, pathSelection));
  if (baseRtts !== undefined) helpers.push(new BaseRttProbes(flow, baseRtts));
  if (coordination !== undefined) helpers.push(new CoordinatedFlow(flow, coordination));
  if (feedback.algorithmAt === 'receiver') helpers.push(new RemoteControl(flow));
  return helpers.length === 0 ? NONE : helpers;
}
