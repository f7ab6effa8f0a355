import { InputError } from '../../common/errors';
import type { BitsPerSecond, Bytes, Duration } from '../../common/units/units';
import { microseconds } from '../../common/units/units';
import { formatIpv4 } from '../../common/topology/topology';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import type { SourceRoutes } from '../../common/wire/ip/source-paths';
import { hasHostUsid } from '../../common/wire/ip/usid';
import { FLOW_IDS, FLOW_TOKEN_LENGTH, GENERATIONS } from '../../common/wire/hpcc/hpcc-transport';
import { checkParameter } from '../algorithm/check-parameter';
import type {
  CongestionControl,
  CongestionControlFactory,
  CongestionEvent,
} from '../algorithm/congestion-control';
import type { Signals } from '../algorithm/signals';
import { coordinatedSignals, SIGNALS_OF_HOPS } from '../algorithm/signals';
import type { CoordinationOptions } from '../coordination/coordination-options';
import { checkCoordination } from '../coordination/coordination-options';
import type { SwitchKeys } from '../feedback/switch-keys';
import { HostCoordination } from '../coordination/host-coordination';
import type { FeedbackOptions, FeedbackPlan } from '../feedback/feedback-plan';
import { checkFeedback, withSignals } from '../feedback/feedback-plan';
import type { OpeningOptions } from '../feedback/flow-tokens';
import { FlowTokens } from '../feedback/flow-tokens';
import { AnswerGuard } from '../feedback/answer-guard';
import type { KeyRing } from '../feedback/key-ring';
import type { AdmissionOptions } from '../path/admission';
import type { BaseRttOptions, BaseRttPlan } from '../path/base-rtt';
import { checkBaseRtt } from '../path/base-rtt';
import type { BalancingOptions, BalancingPlan } from '../path/entropy/balancing';
import { checkBalancing } from '../path/entropy/balancing';
import type { PathSelectionOptions, PathSelectionPlan } from '../path/path-selector';
import { checkPathSelection } from '../path/path-selector';
import type { Carrier } from '../carrier/carrier';
import { newCarrier } from '../carrier/carriers';
import type { CarrierOptions } from '../carrier/carriers';
import { asKey, refusalOf } from '../settings/refusal';
import type { Settings } from '../settings/settings';
import type { FrameMemory } from '../transport/frames/frame-memory';
import { dataHeaderLength } from '../transport/frames/prepared-headers';
import type { LossRecovery } from '../transport/recovery/loss-recovery';

export interface HostConfig {
  /** IPv4 address as an unsigned 32-bit integer. */
  readonly address: number;
  /** MAC address as a 48-bit integer. */
  readonly mac: number;
  readonly linkRate: BitsPerSecond;
  /** T in ps, at least the largest RTT of the idle network. */
  readonly baseRtt: Duration;
  readonly congestionControl: CongestionControlFactory;
  /**
   * Signals that packets carry or request, as the congestion control needs them. Default: every hop's
   * record.
   */
  readonly signals?: Signals;
  /** Carrier of telemetry in packets; the switches need the same. Default: INT. */
  readonly carrier?: CarrierOptions;
  /** Payload bytes of a full segment. Default 1000. */
  readonly mss?: Bytes;
  /**
   * Bytes behind the datagram in every frame that a flow sends, as longer headers or the encryption of a
   * link would add. Receivers pass over them. Default 0.
   */
  readonly trailerBytes?: Bytes;
  /** Most switches that may add telemetry to a packet, 1 to 31. Default 8. */
  readonly intHopLimit?: number;
  /**
   * Flows measure T before their first data and keep an eye on it; `baseRtt` then is what they begin
   * with, and what counts for flows that come in. Default: T is what `baseRtt` says.
   */
  readonly measureBaseRtt?: BaseRttOptions;
  /** Default: three base RTTs, and at least 500 us. */
  readonly retransmissionTimeout?: Duration;
  /** Switches on the path of a new flow, for pacing until telemetry tells. Default 1. */
  readonly expectedHops?: number;
  /**
   * Generation of the first use of every flow id, 16 bits. Default 0. A host that restarts while
   * its peers run on needs one that is newer, in 16-bit serial arithmetic, than all it has used.
   */
  readonly firstGeneration?: number;
  /** Packets that carry telemetry and feedback; the peers need the same. */
  readonly feedback?: FeedbackOptions;
  /** Loss recovery of the flows that this host sends. Receivers follow the sender. Default: go-back-n. */
  readonly lossRecovery?: LossRecovery;
  /** Switches may cut data to its headers (profile hpcc-trim); it is sent again at once. Default: they may not. */
  readonly trimming?: boolean;
  /** When this host asks for data that was cut. Default: as its link has room (`promised`). */
  readonly resends?: NonNullable<Settings['resends']>;
  /** Lets flows choose among paths. Default: they stay where their source port leads them. */
  readonly pathSelection?: PathSelectionOptions;
  /** Gives each packet an entropy of its own in place of the flow's. Default: it does not. */
  readonly balancing?: BalancingOptions;
  /**
   * Paths of uSIDs that frames take, by their source port; the carrier needs `usids`. Default: switches choose.
   */
  readonly sourceRoutes?: SourceRoutes | undefined;
  /** Lets switches say when congestion control acts and when a flow takes another path. */
  readonly coordination?: CoordinationOptions;
  /**
   * Keys shared with the peers. With them every acknowledgement, response and window is signed, and
   * others are refused. Default: none.
   */
  readonly keyRing?: KeyRing;
  /**
   * SipHash keys shared with switches of the profile hpcc-feedback-signed. With them answers of switches
   * are believed if they are signed, and only then. Default: none; with a key ring every answer is refused.
   */
  readonly answerKeys?: SwitchKeys;
  /**
   * Flows are opened with tokens that nobody guesses, so that forged packets neither end nor begin one;
   * the peers need it too. Default: they are not, as suits a network without strangers.
   */
  readonly opening?: OpeningOptions;
  /** Memory of the frames that the host sends. Default: each in memory of its own. */
  readonly memory?: FrameMemory | undefined;
  /** Receives payload in order, exactly once. */
  readonly deliver?: (delivery: Delivery) => void;
  /** Receives the events of congestion control that runs here, whoever sends the flow. */
  readonly observe?: (flow: number, event: CongestionEvent) => void;
  /** Puts a meter before the congestion control of each flow, at whichever end this host is. */
  readonly meter?: (control: CongestionControl, flow: ControlledFlow) => CongestionControl;
}

/** The flow that a congestion control is of. */
export interface ControlledFlow {
  readonly flow: number;
  /** The end of the flow at which this host is. */
  readonly end: 'sender' | 'receiver';
  /** IPv4 address of the other end. */
  readonly peerAddress: number;
}

/** Payload bytes that arrived in order. */
export interface Delivery {
  readonly sourceAddress: number;
  readonly flow: number;
  readonly sequence: number;
  readonly length: Bytes;
  /** The stored part of these bytes, valid during the call; the rest are virtual zeros. */
  readonly stored: Uint8Array;
}

/** A flow to be sent. */
export interface FlowSpec {
  /** 16 bits, unique among the host's running flows. */
  readonly id: number;
  readonly destinationAddress: number;
  /** MAC address of the next hop or of the destination, whichever the network wants. */
  readonly destinationMac: number;
  /** Payload bytes, at least 1. */
  readonly bytes: Bytes;
  /** More bytes will be appended. Default false. */
  readonly isOpen?: boolean;
  /** Class of the flow's data: its DSCP, other than that of INT. Default 0. */
  readonly dscp?: number;
  /** UDP source port, which spreads flows over paths. Default: from `id`, 49152 to 65535. */
  readonly sourcePort?: number;
  /** Its first data waits until its path has room. Default: it begins at once. */
  readonly admission?: AdmissionOptions;
  /** Writes the payload from byte `sequence` of the flow. Default: virtual zeros. */
  readonly payload?: (sequence: number, into: Uint8Array) => void;
}

/** Framings of a host's packets. */
type Framing = NonNullable<Settings['framing']>;

/** A configuration without gaps. */
export type CheckedHostConfig = Omit<
  HostConfig,
  | 'feedback'
  | 'balancing'
  | 'pathSelection'
  | 'coordination'
  | 'measureBaseRtt'
  | 'carrier'
  | 'answerKeys'
> & {
  readonly measureBaseRtt: BaseRttPlan | undefined;
  readonly feedback: FeedbackPlan;
  readonly carrier: Carrier;
  readonly pathSelection: PathSelectionPlan | undefined;
  readonly balancing: BalancingPlan | undefined;
  readonly coordination: HostCoordination | undefined;
  readonly tokens: FlowTokens | undefined;
  readonly answers: AnswerGuard | undefined;
} & Required<
    Pick<
      HostConfig,
      | 'signals'
      | 'mss'
      | 'expectedHops'
      | 'intHopLimit'
      | 'trailerBytes'
      | 'retransmissionTimeout'
      | 'firstGeneration'
      | 'lossRecovery'
    >
  >;

/** Payload of a full segment over UDP, unless given. */
export const MSS: Bytes = 1000;
const INT_HOP_LIMIT = 8;
const RETRANSMISSION_TIMEOUT_MIN = microseconds(500);
const IPV4_LENGTH_MAX = 0xffff;
const TRAILER_MAX = 9000;

/** Fills in defaults. Throws InputError naming the parameter that is out of range. */
export function checkHostConfig(config: HostConfig, framing: Framing = 'hpcc'): CheckedHostConfig {
  const above0 = { low: 0, high: Number.MAX_SAFE_INTEGER, exclusiveLow: true };
  checkAddresses(config);
  checkUsids(config, framing);
  checkParameter('linkRate', config.linkRate, above0);
  checkParameter('baseRtt', config.baseRtt, above0);
  // A trial, so that bad parameters of the algorithm are refused now and not with the first flow.
  config.congestionControl({ linkRate: config.linkRate, baseRtt: config.baseRtt });
  const hops = { low: 1, high: 31, integer: true };
  const intHopLimit = checkParameter('intHopLimit', config.intHopLimit ?? INT_HOP_LIMIT, hops);
  const plans = checkPlans(config, framing);
  const carrier = checkCarrier(config, { hopLimit: intHopLimit, feedback: plans.feedback });
  const { coordination } = config;
  // The frame must still be an IP datagram when every hop has added its block.
  const stack = intHopLimit * carrier.hopLength;
  const token = config.opening === undefined ? 0 : FLOW_TOKEN_LENGTH;
  const headers = dataHeaderLength(carrier) + token - ETHERNET_LENGTH + stack;
  const segments = { low: 1, high: IPV4_LENGTH_MAX - headers, integer: true };
  return {
    ...config,
    signals: ownSignals(config),
    lossRecovery: config.lossRecovery ?? 'go-back-n',
    intHopLimit,
    ...plans,
    carrier,
    coordination:
      coordination &&
      new HostCoordination(
        checkCoordination(coordination, config.baseRtt),
        config.address,
        carrier.network,
      ),
    expectedHops: checkParameter('expectedHops', config.expectedHops ?? 1, { ...hops, low: 0 }),
    firstGeneration: checkParameter('firstGeneration', config.firstGeneration ?? 0, {
      low: 0,
      high: GENERATIONS - 1,
      integer: true,
    }),
    mss: checkParameter('mss', config.mss ?? MSS, segments),
    trailerBytes: checkParameter('trailerBytes', config.trailerBytes ?? 0, {
      low: 0,
      high: TRAILER_MAX,
      integer: true,
    }),
    retransmissionTimeout: checkParameter(
      'retransmissionTimeout',
      config.retransmissionTimeout ?? Math.max(3 * config.baseRtt, RETRANSMISSION_TIMEOUT_MIN),
      above0,
    ),
  };
}

function ownSignals({ signals = SIGNALS_OF_HOPS, coordination }: HostConfig): Signals {
  return coordination === undefined ? signals : coordinatedSignals(signals);
}

function checkCarrier(
  { carrier: options = { name: 'int' }, linkRate }: HostConfig,
  { hopLimit, feedback }: { readonly hopLimit: number; readonly feedback: FeedbackPlan },
): Carrier {
  const { asksSojourn, switchesChoose } = feedback;
  return newCarrier(options, { linkRate, hopLimit, asksSojourn, switchesChoose });
}

function checkPlans(config: HostConfig, framing: Framing) {
  const { pathSelection, balancing, measureBaseRtt, baseRtt, signals } = config;
  const feedback = checkFeedback(withSignals(config.feedback ?? {}, signals), baseRtt);
  const settings = { ...settingsOf(config, feedback), framing };
  const refusal = refusalOf({ settings, route: feedback, signals }, asKey);
  if (refusal !== undefined) throw new InputError(refusal);
  return {
    feedback,
    pathSelection: pathSelection && checkPathSelection(pathSelection),
    balancing: balancing && checkBalancing(balancing),
    measureBaseRtt: measureBaseRtt && checkBaseRtt(measureBaseRtt),
    tokens: config.opening && new FlowTokens(config.opening, config.keyRing),
    answers: config.answerKeys && new AnswerGuard(config.answerKeys),
  };
}

/** The settings that a configuration comes from, as far as rules look at them. */
function settingsOf(
  {
    carrier,
    pathSelection,
    balancing,
    measureBaseRtt,
    coordination,
    signals,
    ...config
  }: HostConfig,
  { collectEvery, samplesPerWindow, roundsEndBy, ...feedback }: FeedbackPlan,
): Settings {
  return {
    carrier: carrier?.name ?? 'int',
    ipVersion: carrier?.ipVersion ?? 'ipv4',
    collectEvery,
    // Signals of the algorithm are no wish of whoever configures the host.
    ...(config.feedback?.samplesPerWindow !== undefined && { samplesPerWindow }),
    roundsEndBy,
    flowCount: feedback.countsFlows ? 'receiver' : 'fixed',
    links: feedback.hidesLinks ? 'hidden' : 'shown',
    queueMeasure: feedback.asksSojourn ? 'sojourn' : 'length',
    switchResponses: responsesOf(signals, feedback),
    switchesChoose: feedback.switchesChoose ? 'on' : 'off',
    paths: pathSelection?.paths ?? 1,
    balancing: balancing?.policy ?? 'ecmp',
    ...(config.trimming === true && { trimming: 'on' }),
    ...(config.resends !== undefined && { resends: config.resends }),
    baseRtt: measureBaseRtt === undefined ? 'known' : 'measured',
    ...(coordination && { coordination: 'on' }),
    ...(config.intHopLimit !== undefined && { hopLimit: config.intHopLimit }),
    ...(config.lossRecovery !== undefined && { lossRecovery: config.lossRecovery }),
    ...(config.trailerBytes !== undefined && { trailerBytes: config.trailerBytes }),
  };
}

const responsesOf = (
  signals: Signals | undefined,
  { asksSwitches }: Pick<FeedbackPlan, 'asksSwitches'>,
) => (signals?.telemetry === 'responses' ? 'only' : asksSwitches ? 'on' : 'off');

/**
 * Throws InputError naming the field that is out of range.
 * @param ids number of ids that flows can have.
 */
export function checkFlowSpec(
  spec: FlowSpec,
  { name, dscp, losesClass }: Carrier,
  ids = FLOW_IDS,
): void {
  checkParameter('id of a flow', spec.id, { low: 0, high: ids - 1, integer: true });
  checkAddresses({ address: spec.destinationAddress, mac: spec.destinationMac });
  checkFlowBytes(spec.bytes, spec.id);
  checkParameter('dscp of a flow', spec.dscp ?? 0, { low: 0, high: 63, integer: true });
  if (spec.dscp !== undefined && spec.dscp === dscp) {
    throw new InputError(`dscp ${dscp} is that of packets with ${name}`);
  }
  if (losesClass && (spec.dscp ?? 0) !== 0) {
    throw new InputError(`${name} takes the place of the DSCP and keeps none: flows have class 0`);
  }
  if (spec.sourcePort !== undefined) {
    checkParameter('sourcePort', spec.sourcePort, { low: 1, high: 0xffff, integer: true });
  }
}

/** Throws InputError for a flow that cannot subscribe to responses of switches in place of telemetry. */
export function checkSubscription({ id, dscp = 0, admission }: FlowSpec, signals: Signals): void {
  if (signals.telemetry !== 'responses') return;
  if (dscp !== 0) {
    throw new InputError(
      `flow ${id} has dscp ${dscp}, whose place is that of the subscription with switchResponses: only`,
    );
  }
  if (admission !== undefined) {
    throw new InputError(
      `flow ${id} waits for admission by telemetry, and switchResponses: only leaves none`,
    );
  }
}

/** Throws InputError unless `bytes` can be the length of flow `id`, or be appended to it. */
export function checkFlowBytes(bytes: Bytes, id: number): void {
  if (Number.isSafeInteger(bytes) && bytes >= 1) return;
  throw new InputError(`bytes of flow ${id} must be an integer from 1 to 2^53-1, got ${bytes}`);
}

/** @throws InputError for a host with uSIDs whose address has none, or that would not write paths of them. */
function checkUsids(
  { address, carrier, sourceRoutes, coordination }: HostConfig,
  framing: Framing,
): void {
  const hasUsids = carrier?.usids === true;
  if (hasUsids && !hasHostUsid(address)) {
    throw new InputError(
      `uSIDs are for hosts from 10.0.0.1 to 10.0.95.255, not ${formatIpv4(address)}`,
    );
  }
  if (sourceRoutes === undefined) return;
  if (!hasUsids || framing !== 'hpcc' || coordination !== undefined) {
    throw new InputError(
      'sourceRoutes needs a carrier with uSIDs, framing: hpcc and no coordination',
    );
  }
}

function checkAddresses(of: { readonly address: number; readonly mac: number }): void {
  checkParameter('IPv4 address', of.address, { low: 0, high: 0xffff_ffff, integer: true });
  checkParameter('MAC address', of.mac, { low: 0, high: 2 ** 48 - 1, integer: true });
}
