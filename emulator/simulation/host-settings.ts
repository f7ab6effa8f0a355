import { FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';
import { SwitchKeys } from '../../host-agent/feedback/switch-keys';
import type { CoordinationOptions } from '../../host-agent/coordination/coordination-options';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import type { NetworkPlan } from '../network/plan';
import { holdTimeOf } from '../../controller/document/coordination';
import { telemetrySchema } from '../../controller/document/schema';
import type { SigningDocument } from '../../controller/document/signing';
import { coordinationOf } from '../scenario/data-plane-schema';
import type { ScenarioDocument, Parameters } from '../scenario/schema';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import { AETH_LENGTH } from '../../common/wire/roce/extended-headers';
import { AUTH_TRAILER_LENGTH } from '../../common/wire/security/message-mac';
import { TELEMETRY_RESPONSE_LENGTH } from '../../common/wire/roce/telemetry-messages';
import { ROCE_DATA_HEADER_LENGTH } from '../../host-agent/roce/packets/peer-frames';
import { dataHeaderLength } from '../../host-agent/transport/frames/prepared-headers';
import type { Carrier } from '../../host-agent/carrier/carrier';
import { newCarrier } from '../../host-agent/carrier/carriers';
import type { CarrierOptions } from '../../host-agent/carrier/carriers';
import { carrierOf } from '../scenario/carrier-needs';
import type { FrameSizes } from '../network/paths';
import type { AlgorithmTuning } from '../../host-agent/algorithm/library/algorithms';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { latestQueueFrom } from '../../host-agent/algorithm/path-load';
import { PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import type { FeedbackOptions } from '../../host-agent/feedback/feedback-plan';

/**
 * What the hosts of a scenario ask switches with. Capacities that its packets do not tell are those of
 * the plan, as an operator would configure them.
 * @throws InputError for links whose capacity nobody can tell.
 */
export function carrierOptionsOf(
  scenario: ScenarioDocument,
  { topology, links }: NetworkPlan,
): CarrierOptions {
  const name = carrierOf(scenario);
  const nodeIds = new Map(topology.switches.map(({ name: node, nodeId }) => [node, nodeId]));
  const capacities = new Map<string, BitsPerSecond>();
  for (const { a, b, rate } of links) {
    for (const { node, port } of [a, b]) capacities.set(`${nodeIds.get(node)}:${port}`, rate);
  }
  const rates = new Set(links.map(({ rate }) => rate));
  const common = rates.size === 1 ? links[0]?.rate : undefined;
  return {
    name,
    capacityOf: ({ switchId, portId }) => capacities.get(`${switchId}:${portId}`) ?? common,
  };
}

/** The carrier of all hosts, for who looks at their frames. */
export function newScenarioCarrier(scenario: ScenarioDocument, plan: NetworkPlan): Carrier {
  const { hopLimit, queueMeasure } = scenario.parameters;
  const asksSojourn = queueMeasure === 'sojourn';
  const linkRate = plan.links[0]?.rate ?? 0;
  const switchesChoose = choosing(scenario);
  const host = { linkRate, hopLimit, asksSojourn, switchesChoose };
  return newCarrier(carrierOptionsOf(scenario, plan), host);
}

/** How long the frames of a scenario's hosts are. */
export function frameSizesOf(parameters: Parameters, carrier: Carrier): FrameSizes {
  const hasHops = algorithmNamed(parameters.algorithm).signals.telemetry === 'hops';
  return sizesOf(parameters, carrier, { inData: hasHops, inAck: hasHops });
}

/** The same where only what is in every frame counts: telemetry that some carry is none. */
export function leastFramesOf(scenario: ScenarioDocument, carrier: Carrier): FrameSizes {
  const { parameters } = scenario;
  const hasHops = algorithmNamed(parameters.algorithm).signals.telemetry === 'hops';
  const { collectBy, returnBy } = FEEDBACK_PRESETS[parameters.feedback];
  const { collectEvery, samplesPerWindow } = parameters;
  const isInEach = collectBy === 'data' && collectEvery === 1 && samplesPerWindow === undefined;
  const inData = hasHops && isInEach && !choosing(scenario);
  return sizesOf(parameters, carrier, { inData, inAck: inData && returnBy === 'ack' });
}

interface TelemetryIn {
  readonly inData: boolean;
  readonly inAck: boolean;
}

function sizesOf(
  parameters: Parameters,
  carrier: Carrier,
  { inData, inAck }: TelemetryIn,
): FrameSizes {
  const { segmentBytes: payload, authentication, transport, operation } = parameters;
  const isRoce = transport === 'rocev2';
  const header = isRoce ? ROCE_DATA_HEADER_LENGTH : dataHeaderLength(carrier);
  const { trailerBytes } = parameters;
  const signature = authentication === 'on' ? AUTH_TRAILER_LENGTH : 0;
  const { telemetry, timestamps } = algorithmNamed(parameters.algorithm).signals;
  const shim = telemetry === 'digest' || timestamps ? PATH_SHIM_LENGTH : 0;
  const plain = header - carrier.headerLength;
  const { fixed, hop: echoedHop } = carrier.echoLength;
  return {
    payload,
    data: payload + (inData ? header : plain + shim) + trailerBytes,
    hop: inData ? carrier.hopLength : 0,
    acknowledgement:
      plain + (inAck ? fixed : shim) + signature + (isRoce ? roceFeedbackLength(operation) : 0),
    echoedHop: inAck ? echoedHop : 0,
  };
}

/** READ data is reported by telemetry responses; the rest is acknowledged. */
const roceFeedbackLength = (operation: Parameters['operation']): Bytes =>
  operation === 'read' ? TELEMETRY_RESPONSE_LENGTH : AETH_LENGTH;

/** Whether switches of a scenario write into the packets that they choose. */
const choosing = ({ telemetry }: ScenarioDocument): boolean => telemetry.insertion !== undefined;

/** How the hosts of a scenario collect telemetry and bring its consequences back. */
export function feedbackOf(scenario: ScenarioDocument): FeedbackOptions {
  const { parameters } = scenario;
  const { feedback, collectEvery, acknowledgeEvery, flowCount, links } = parameters;
  const { samplesPerWindow, roundsEndBy } = parameters;
  return {
    ...FEEDBACK_PRESETS[feedback],
    collectEvery,
    ...(samplesPerWindow !== undefined && { samplesPerWindow }),
    acknowledgeEvery,
    countsFlows: flowCount === 'receiver',
    hidesLinks: links === 'hidden',
    roundsEndBy,
    asksSwitches: parameters.switchResponses === 'on',
    asksSojourn: parameters.queueMeasure === 'sojourn',
    switchesChoose: choosing(scenario),
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

/** How every host of the network takes part; undefined if hosts are on their own. */
export function hostCoordination(
  scenario: ScenarioDocument,
  { topology }: NetworkPlan,
  hmac: MacFunction,
): CoordinationOptions | undefined {
  const section = coordinationOf(scenario);
  if (section?.mode !== 'coordinated') return undefined;
  return {
    keys: switchKeys(section, topology, hmac),
    holdTime: holdTimeOf(section),
    reroutes: scenario.parameters.sourceRerouting === 'on',
  };
}

/** What hosts know answers of switches by; undefined if nothing signs them. */
export function answerKeysOf(
  { telemetry }: ScenarioDocument,
  { topology }: NetworkPlan,
  hmac: MacFunction,
): SwitchKeys | undefined {
  const signing = telemetrySchema.parse(telemetry).feedback?.signing;
  return signing && switchKeys(signing, topology, hmac);
}

function switchKeys(
  { key, keys: single }: Pick<SigningDocument, 'key' | 'keys'>,
  { switches }: NetworkPlan['topology'],
  hmac: MacFunction,
): SwitchKeys {
  const keys = new SwitchKeys(hmac);
  keys.add(key.id, switchKey(key.bytes));
  for (const { switch: name, id, bytes } of single) {
    keys.add(id, switchKey(bytes), switches.find((each) => each.name === name)?.nodeId);
  }
  return keys;
}

const switchKey = (digits: string) => ({
  algorithm: 'siphash-2-4-64' as const,
  bytes: Uint8Array.from(digits.match(/../g) ?? [], (byte) => parseInt(byte, 16)),
});
