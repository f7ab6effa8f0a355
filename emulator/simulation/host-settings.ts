import { FEEDBACK_PRESETS, hopLength } from '../../host-agent/feedback/feedback-plan';
import { NotificationKeys } from '../../host-agent/coordination/notification-keys';
import type { CoordinationOptions } from '../../host-agent/coordination/coordination-options';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import type { NetworkPlan } from '../network/plan';
import { coordinationOf } from '../scenario/data-plane-schema';
import type { ScenarioDocument, Parameters } from '../scenario/schema';
import type { Bytes } from '../../common/units/units';
import { AETH_LENGTH } from '../../common/wire/roce/extended-headers';
import { AUTH_TRAILER_LENGTH } from '../../common/wire/security/message-mac';
import { TELEMETRY_RESPONSE_LENGTH } from '../../common/wire/roce/telemetry-messages';
import { ROCE_DATA_HEADER_LENGTH } from '../../host-agent/roce/packets/peer-frames';
import { DATA_HEADER_LENGTH } from '../../host-agent/transport/frames/frame-template';
import type { FrameSizes } from '../network/paths';
import type { AlgorithmTuning } from '../../host-agent/algorithm/library/algorithms';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { latestQueueFrom } from '../../host-agent/algorithm/path-load';
import { INT_FIXED_LENGTH } from '../../common/wire/int/int-md';
import { PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import type { FeedbackOptions } from '../../host-agent/feedback/feedback-plan';

/** How long the frames of a scenario's hosts are. */
export function frameSizesOf(parameters: Parameters): FrameSizes {
  const { segmentBytes: payload, queueMeasure, authentication, transport, operation } = parameters;
  const isRoce = transport === 'rocev2';
  const header = isRoce ? ROCE_DATA_HEADER_LENGTH : DATA_HEADER_LENGTH;
  const signature = authentication === 'on' ? AUTH_TRAILER_LENGTH : 0;
  const { telemetry, timestamps } = algorithmNamed(parameters.algorithm).signals;
  const hasHops = telemetry === 'hops';
  const shim = telemetry === 'digest' || timestamps ? PATH_SHIM_LENGTH : 0;
  return {
    payload,
    data: header + payload + (hasHops ? 0 : shim - INT_FIXED_LENGTH),
    hop: hasHops ? hopLength({ asksSojourn: queueMeasure === 'sojourn' }) : 0,
    acknowledgement: signature + (isRoce ? roceFeedbackLength(operation) : 0),
  };
}

/** READ data is reported by telemetry responses; the rest is acknowledged. */
const roceFeedbackLength = (operation: Parameters['operation']): Bytes =>
  operation === 'read' ? TELEMETRY_RESPONSE_LENGTH : AETH_LENGTH;

/** How the hosts of a scenario collect telemetry and bring its consequences back. */
export function feedbackOf(parameters: Parameters): FeedbackOptions {
  const { feedback, collectEvery, acknowledgeEvery, flowCount, links } = parameters;
  const { samplesPerWindow } = parameters;
  return {
    ...FEEDBACK_PRESETS[feedback],
    collectEvery,
    ...(samplesPerWindow !== undefined && { samplesPerWindow }),
    acknowledgeEvery,
    countsFlows: flowCount === 'receiver',
    hidesLinks: links === 'hidden',
    asksSwitches: parameters.switchResponses === 'on',
    asksSojourn: parameters.queueMeasure === 'sojourn',
  };
}

const collectsByProbe = (feedback: Parameters['feedback']): boolean =>
  FEEDBACK_PRESETS[feedback].collectBy === 'probe';

/** Parameters of the algorithm as the scenario gives them, and as its feedback needs them. */
export function tuningOf(parameters: Parameters): AlgorithmTuning {
  const { eta, maxStage, waiBytes, hopLimit, feedback, collectEvery, constants } = parameters;
  return {
    constants,
    targetUtilization: eta,
    maxStage,
    maxHops: hopLimit,
    ...(waiBytes !== undefined && { additiveIncreaseBytes: waiBytes }),
    // With strict priorities no share is guaranteed: what other classes send counts as load.
    ...(parameters.queueMeasure === 'sojourn' && { queueShare: 1 }),
    latestQueueFrom: latestQueueFrom(collectsByProbe(feedback) ? 'probe' : 'data', collectEvery),
  };
}

/** Intervals for which a host waits for another type 1 before it releases a flow. */
const HOLD_INTERVALS = 10;

/** How every host of the network takes part; undefined if hosts are on their own. */
export function hostCoordination(
  scenario: ScenarioDocument,
  { topology }: NetworkPlan,
  hmac: MacFunction,
): CoordinationOptions | undefined {
  const section = coordinationOf(scenario);
  if (section?.mode !== 'coordinated') return undefined;
  const keys = new NotificationKeys(hmac);
  keys.add(section.key.id, switchKey(section.key.bytes));
  for (const { switch: name, id, bytes } of section.keys) {
    const node = topology.switches.find((each) => each.name === name)?.nodeId;
    keys.add(id, switchKey(bytes), node);
  }
  return {
    keys,
    holdTime: section.holdTime ?? HOLD_INTERVALS * section.interval,
    reroutes: scenario.parameters.sourceRerouting === 'on',
  };
}

const switchKey = (digits: string) => ({
  algorithm: 'siphash-2-4-64' as const,
  bytes: Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16)),
});
