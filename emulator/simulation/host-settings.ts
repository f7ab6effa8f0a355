import { bothWays } from '../../common/topology/topology';
import { SwitchKeys } from '../../host-agent/feedback/switch-keys';
import type { CoordinationOptions } from '../../host-agent/coordination/coordination-options';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import type { NetworkPlan } from '../network/plan';
import { holdTimeOf } from '../../controller/document/coordination';
import { telemetrySchema } from '../../controller/document/schema';
import type { SigningDocument } from '../../controller/document/signing';
import { coordinationOf } from '../scenario/data-plane-schema';
import { configurationOf, routeOf } from '../../host-agent/settings/configuration';
import type { Parameters } from '../scenario/parameters';
import type { ScenarioDocument } from '../scenario/schema';
import type { BitsPerSecond, Bytes } from '../../common/units/units';
import { AETH_LENGTH } from '../../common/wire/roce/extended-headers';
import { AUTH_TRAILER_LENGTH } from '../../common/wire/security/message-mac';
import { TELEMETRY_RESPONSE_LENGTH } from '../../common/wire/roce/telemetry-messages';
import { roceDataHeaderLength } from '../../host-agent/roce/packets/peer-frames';
import { dataHeaderLength } from '../../host-agent/transport/frames/prepared-headers';
import type { Carrier } from '../../host-agent/carrier/carrier';
import { newCarrier } from '../../host-agent/carrier/carriers';
import type { CarrierOptions } from '../../host-agent/carrier/carriers';
import { carrierOf } from '../scenario/carrier-needs';
import { hopLimitOf } from '../scenario/hop-limit';
import type { FrameSizes } from '../network/paths';
import { signalsOf } from '../scenario/algorithm-needs';
import { PATH_SHIM_LENGTH } from '../../common/wire/hpcc/path-shim';
import type { FeedbackOptions } from '../../host-agent/feedback/feedback-plan';

/**
 * Telemetry carrier of a scenario's hosts. Capacities that its packets do not carry are those of
 * the plan, as an operator would configure them.
 * @throws InputError for links whose capacity is not known.
 */
export function carrierOptionsOf(
  scenario: ScenarioDocument,
  { topology, links }: NetworkPlan,
): CarrierOptions {
  const name = carrierOf(scenario);
  const nodeIds = new Map(topology.switches.map(({ name: node, nodeId }) => [node, nodeId]));
  const capacities = new Map<string, BitsPerSecond>();
  const ways = links.flatMap((link) => bothWays(link));
  for (const { a, rate } of ways) capacities.set(`${nodeIds.get(a.node)}:${a.port}`, rate);
  const rates = new Set(ways.map(({ rate }) => rate));
  const common = rates.size === 1 ? links[0]?.rate : undefined;
  return {
    name,
    ipVersion: scenario.parameters.ipVersion,
    usids: scenario.sourceRouting !== undefined,
    capacityOf: ({ switchId, portId }) => capacities.get(`${switchId}:${portId}`) ?? common,
  };
}

/** The carrier of all hosts, for who looks at their frames. */
export function newScenarioCarrier(scenario: ScenarioDocument, plan: NetworkPlan): Carrier {
  const hopLimit = hopLimitOf(scenario.parameters);
  const asksSojourn = scenario.parameters.queueMeasure === 'sojourn';
  const linkRate = plan.links[0]?.rate ?? 0;
  const switchesChoose = choosing(scenario);
  const host = { linkRate, hopLimit, asksSojourn, switchesChoose };
  return newCarrier(carrierOptionsOf(scenario, plan), host);
}

/** Lengths of the frames of a scenario's hosts. */
export function frameSizesOf(scenario: ScenarioDocument, carrier: Carrier): FrameSizes {
  const hasHops = signalsOf(scenario).telemetry === 'hops';
  return sizesOf(scenario, carrier, { inData: hasHops, inAck: hasHops });
}

/** The same where only what is in every frame counts: telemetry that some carry is none. */
export function leastFramesOf(scenario: ScenarioDocument, carrier: Carrier): FrameSizes {
  const { parameters } = scenario;
  const hasHops = signalsOf(scenario).telemetry === 'hops';
  const { collectBy, returnBy } = routeOf(parameters);
  const { collectEvery, samplesPerWindow } = parameters;
  const isInEach = collectBy === 'data' && collectEvery === 1 && samplesPerWindow === undefined;
  const inData = hasHops && isInEach && !choosing(scenario);
  return sizesOf(scenario, carrier, { inData, inAck: inData && returnBy === 'ack' });
}

interface TelemetryIn {
  readonly inData: boolean;
  readonly inAck: boolean;
}

function sizesOf(
  scenario: ScenarioDocument,
  carrier: Carrier,
  { inData, inAck }: TelemetryIn,
): FrameSizes {
  const { parameters } = scenario;
  const { mss: payload, authentication, framing } = parameters;
  const isRoce = framing === 'rocev2';
  const header = isRoce ? roceDataHeaderLength(carrier) : dataHeaderLength(carrier);
  const { trailerBytes } = parameters;
  const signature = authentication === 'on' ? AUTH_TRAILER_LENGTH : 0;
  const { telemetry, timestamps, credits } = signalsOf(scenario);
  const hasShim = telemetry === 'digest' || timestamps || credits === true;
  const shim = hasShim ? PATH_SHIM_LENGTH : 0;
  const plain = header - carrier.headerLength;
  const { fixed, hop: echoedHop } = carrier.echoLength;
  return {
    payload,
    data: payload + (inData ? header : plain + shim) + trailerBytes,
    hop: inData ? carrier.hopLength : 0,
    acknowledgement:
      plain + (inAck ? fixed : shim) + signature + (isRoce ? roceFeedbackLength(parameters) : 0),
    echoedHop: inAck ? echoedHop : 0,
  };
}

/** READ data is reported by telemetry responses, which notifications are too; the rest is acknowledged. */
function roceFeedbackLength(parameters: Parameters): Bytes {
  const isReported =
    parameters.operation === 'read' || routeOf(parameters).returnBy === 'notification';
  return isReported ? TELEMETRY_RESPONSE_LENGTH : AETH_LENGTH;
}

/** True if switches choose the packets that they insert telemetry into. */
const choosing = ({ telemetry }: ScenarioDocument): boolean => telemetry.insertion !== undefined;

/** Feedback route of the hosts of a scenario: what collects telemetry, and what returns it. */
export const feedbackOf = (scenario: ScenarioDocument): FeedbackOptions => ({
  ...configurationOf(scenario.parameters).feedback,
  switchesChoose: choosing(scenario),
});

/** Coordination of every host of the network; undefined if hosts do not coordinate. */
export function hostCoordination(
  scenario: ScenarioDocument,
  { topology }: NetworkPlan,
  hmac: MacFunction,
): CoordinationOptions | undefined {
  const section = coordinationOf(scenario);
  if (section?.mode !== 'coordinated') return undefined;
  const { coordination } = configurationOf(scenario.parameters);
  return {
    ...coordination,
    keys: switchKeys(section, topology, hmac),
    holdTime: holdTimeOf(section),
  };
}

/** Keys by which hosts verify answers of switches; undefined if answers are not signed. */
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
