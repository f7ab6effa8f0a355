import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Duration, Instant, InstantCell } from '../../../common/units/units';
import {
  HPCC_DATA,
  HPCC_FLAG_FIN,
  HPCC_FLAG_RETRANSMIT,
  HPCC_FLAG_SELECTIVE,
  HPCC_PROBE,
} from '../../../common/wire/hpcc/hpcc-transport';
import { TRIMMABLE_DSCP } from '../../../common/wire/ip/trimming';
import { SUBSCRIPTION_DSCP } from '../../../common/wire/hpcc/subscription';
import type { FlowToken } from '../../../common/wire/hpcc/hpcc-transport';
import { isSameToken } from '../../../common/wire/hpcc/hpcc-transport';
import type { TelemetryReader } from '../../carrier/carrier';
import { everyPacketCollects } from '../../feedback/feedback-plan';
import type { FlowName } from '../../feedback/flow-tokens';
import { ReplayWindow } from '../../../common/wire/security/replay-window';
import type { CongestionControl, CongestionMetrics } from '../../algorithm/congestion-control';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { CongestionSample } from '../../carrier/congestion-sample';
import type { FlowHold, FlowMetrics } from '../../host/agent';
import type { CheckedHostConfig, FlowSpec } from '../../host/host-config';
import type { FeedbackOutcome } from '../../host/host-events';
import type { SendingFlow } from '../../host/host';
import { newSenderControl } from '../../host/new-control';
import { PATH_PROBES_FROM } from '../../path/path-selector';
import { newEntropySource } from '../../path/entropy/balancing';
import { isCongestedReturn } from '../../path/entropy/congested-return';
import type { EntropySource } from '../../path/entropy/entropy-source';
import type { CommonAddressing } from '../frames/prepared-headers';
import { filled, FrameTemplate, tailOf } from '../frames/frame-template';
import { pathOfPort } from '../frames/source-routes';
import { REORDER_SEGMENTS_MAX } from '../recovery/loss-recovery';
import { clockOf } from './departure';
import type { FlowHelper, FlowEvent, HelpedFlow } from './flow-helper';
import { FlowSender } from './sender';
import type { SenderAck } from './sender-options';
import type { SharedByFlows } from './shared-by-flows';
import { NO_PROBES, TelemetryProbes } from './telemetry-probes';
import type { BaseRtts } from '../../path/base-rtt-prober';
import { AdmissionGate } from './admission-gate';
import { BaseRttProbes } from './base-rtt-probes';
import { GrantedCredit } from './granted-credit';
import { CoordinatedFlow } from './coordinated-flow';
import { PathChoice } from './path-choice';
import { RetiredPathProbes } from './retired-path-probes';
import { RemoteControl } from './remote-control';

interface FlowStart {
  readonly now: Instant;
  readonly generation: number;
  readonly shared: SharedByFlows;
}

/**
 * One flow that a host sends: its data, and the frames that it consists of. What runs beside the data
 * is in its list of helpers.
 */
export class OutgoingFlow implements SendingFlow, HelpedFlow {
  readonly config: CheckedHostConfig;
  readonly spec: FlowSpec;
  readonly generation: number;
  readonly startedAt: Instant;
  slot: number | undefined = undefined;
  readonly sender: FlowSender;
  readonly #shared: SharedByFlows;
  /** Reader of the flow's telemetry. */
  readonly reader: TelemetryReader;
  readonly #helpers: readonly FlowHelper[];
  readonly #dataFlags: number;
  /** Chooses the source port of each packet; undefined: all have that of the flow's path. */
  readonly #entropy: EntropySource | undefined;
  /**
   * Tokens of the flow's packets, the first one and the present one; undefined in a network without
   * strangers.
   */
  readonly #firstToken: FlowToken | undefined;
  #token: FlowToken | undefined;
  /** Nonce by which the receiver identifies the flow, and which the token covers. */
  #nonce: FlowToken | undefined = undefined;
  #frames: FlowFrames;
  #replayWindow: ReplayWindow | undefined = undefined;
  #sourcePort: number;
  #moves = 0;
  #question = 0;
  /** The path that the flow will use once nothing is in flight on the present one. */
  #nextPath: number | undefined = undefined;

  constructor(config: CheckedHostConfig, spec: FlowSpec, { now, generation, shared }: FlowStart) {
    this.config = config;
    this.#shared = shared;
    this.spec = spec;
    this.generation = generation;
    this.startedAt = now;
    this.#sourcePort = this.#portOf(0);
    this.#dataFlags = config.lossRecovery === 'selective-repeat' ? HPCC_FLAG_SELECTIVE : 0;
    this.#firstToken = this.#token = this.#newToken();
    this.#entropy = this.#newEntropy();
    this.#helpers = newFlowHelpers(this, shared.baseRtts, this.#entropy);
    this.#frames = this.#newFrames();
    this.sender = this.#newSender(now);
    this.reader = config.carrier.newReader(config.baseRtt, this.#retainsNoTelemetry());
    for (const helper of this.#helpers) helper.start?.(now);
  }

  /** PERF: made when signed feedback comes; it is a third of the memory of a flow. */
  get replayWindow(): ReplayWindow {
    return (this.#replayWindow ??= new ReplayWindow());
  }

  /** True if feedback has a token that only somebody knows who has seen packets of the flow. */
  isOwnToken(token: FlowToken | undefined): boolean {
    if (this.#token === undefined) return token === undefined;
    return [this.#token, this.#firstToken, this.#nonce].some((own) => isSameToken(token, own));
  }

  /**
   * The receiver has told its cookie; packets show from now on that it has arrived here.
   * @param nonce what the receiver knows the flow by; undefined if it has no room to know it.
   */
  learnCookie(cookie: FlowToken, nonce: FlowToken | undefined): void {
    const { tokens } = this.config;
    if (tokens === undefined) return;
    const token = tokens.proof(cookie, { ...this.#name(), nonce });
    if (isSameToken(token, this.#token)) return;
    this.#nonce = nonce;
    const { cookies } = this.#shared;
    if (cookies.size === COOKIES_MAX) cookies.clear();
    cookies.set(this.spec.destinationAddress, cookie);
    this.#token = token;
    this.renewFrames();
  }

  /** Bytes that an acknowledgement of the whole flow leaves to be confirmed: the last segment. */
  get lastSegmentAt(): number {
    const { totalBytes } = this.sender;
    return totalBytes - (totalBytes % this.config.mss || Math.min(totalBytes, this.config.mss));
  }

  get isLeaving(): boolean {
    return this.#nextPath !== undefined;
  }

  /** Bytes that the window leaves, negative where more is in flight. */
  get windowLeft(): Bytes {
    const { congestionControl, inflightBytes } = this.sender;
    if (congestionControl.credit !== undefined) return congestionControl.credit.bytes;
    return Math.max(congestionControl.windowBytes, 0) - inflightBytes;
  }

  get hold(): FlowHold {
    return this.sender.hold;
  }

  /** PERF: asked often, and objects that are spread are made twice. */
  metrics(): FlowMetrics {
    const { counters } = this.sender;
    const metrics: FlowMetrics = {
      congestion: this.congestion(),
      acknowledgedBytes: counters.acknowledgedBytes,
      inflightBytes: counters.inflightBytes,
      sentBytesMax: counters.sentBytesMax,
      segmentsRetransmitted: counters.segmentsRetransmitted,
      uncontrolledTime: counters.uncontrolledTime,
      timeouts: counters.timeouts,
      nacks: counters.nacks,
      probesSent: NO_PROBES.probesSent,
      probeTimeouts: NO_PROBES.probeTimeouts,
      moves: this.#moves,
    };
    return this.#helpers.reduce((all, { counters }) => ({ ...all, ...counters }), metrics);
  }

  congestion(): CongestionMetrics {
    return this.sender.congestionControl.metrics();
  }

  canSend(now: Instant): boolean {
    return this.#hasProbe(now) || this.sender.canSend(now);
  }

  writeWakeup(now: Instant, into: InstantCell): void {
    into[0] = this.sender.wakeupAfter(now);
    for (const helper of this.#helpers) {
      const { deadline = Infinity } = helper;
      // A probe that is due already waits for the interface, not for the time.
      const probeAt = helper.probeAt?.(now) ?? Infinity;
      into[0] = Math.min(into[0], deadline, probeAt > now ? probeAt : Infinity);
    }
  }

  handleWakeup(now: Instant): void {
    const { timeouts } = this.sender;
    this.sender.handleWakeup(now);
    if (this.sender.timeouts > timeouts) this.#entropy?.handleTimeout?.(now);
    this.#moveWhenDrained(now);
    for (const helper of this.#helpers) helper.handleWakeup?.(now);
  }

  handleStandstill(duration: Duration): void {
    this.sender.handleStandstill(duration);
  }

  /** Returns what became of it at the helper that it was for, if there is one. */
  notify(now: Instant, event: FlowEvent): FeedbackOutcome | undefined {
    for (const helper of this.#helpers) {
      const outcome = helper.handle?.(now, event);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }

  handleCoordination(now: Instant, effect: CoordinationEffect): void {
    this.notify(now, { kind: 'coordination', effect });
  }

  /** The answer to a probe. */
  handleResponse(now: Instant, id: number, sample: CongestionSample | undefined): FeedbackOutcome {
    // The others have their own way, or are not about the load.
    if (id < PATH_PROBES_FROM) this.handleFeedback(now, sample);
    return this.notify(now, { kind: 'response', id, sample }) ?? 'unrequested';
  }

  /** An acknowledgement has arrived whose packet had this source port, as feedback has too. */
  handleReturn(now: Instant, sourcePort: number, ack: SenderAck): void {
    if (this.#entropy?.handleReturn === undefined) return;
    const isCongested = isCongestedReturn(ack.isMarked === true, ack.sample, this.config.baseRtt);
    this.#entropy.handleReturn(now, sourcePort, isCongested);
  }

  /** Feedback on the flow's own path has arrived. */
  handleFeedback(now: Instant, sample: CongestionSample | undefined): void {
    for (const helper of this.#helpers) helper.handleFeedback?.(now, sample);
    this.#moveWhenDrained(now);
  }

  leaveFor(now: Instant, path: number): void {
    this.#nextPath = path;
    this.sender.drain();
    this.#moveWhenDrained(now);
  }

  renewFrames(): void {
    this.#frames = this.#newFrames();
  }

  keyOf(path: number) {
    const { destinationAddress } = this.spec;
    return { destinationAddress, sourcePort: this.#portOf(path) };
  }

  /** The frame that leaves now; only if {@link canSend}. */
  emit(now: Instant): Packet {
    const { output } = this.#shared;
    const probe = this.#hasProbe(now) ? this.#emitProbe(now) : undefined;
    if (probe !== undefined) return probe;
    const segment = this.sender.takeSegment(now);
    const { sequence, length } = segment;
    let flags = this.#dataFlags | this.#helperFlags();
    if (segment.isLast) flags |= HPCC_FLAG_FIN;
    if (segment.isRetransmission) flags |= HPCC_FLAG_RETRANSMIT;
    const template = segment.collects ? this.#takeCollecting() : this.#frames.plain;
    const { payload } = this.spec;
    const stamp = this.sender.creditTarget ?? clockOf(now);
    const fields = filled(flags, sequence, length, stamp);
    if (this.#entropy !== undefined) fields.sourcePort = this.#entropy.take(now, sequence);
    if (payload === undefined) return output.emit(template, fields);
    const tail = new Uint8Array(length);
    payload(sequence, tail);
    return output.emit(template, fields, tailOf(tail));
  }

  #hasProbe(now: Instant): boolean {
    for (const helper of this.#helpers) {
      if (helper.probeAt !== undefined && helper.probeAt(now) <= now) return true;
    }
    return false;
  }

  #emitProbe(now: Instant): Packet | undefined {
    const due = this.#helpers.find((helper) => (helper.probeAt?.(now) ?? Infinity) <= now);
    const probe = due?.takeProbe?.(now, this.#frames.first.headerLength);
    if (probe === undefined) return undefined;
    const template = probe.path === undefined ? this.#ownProbe() : this.#probeOn(probe.path);
    const flags = this.#helperFlags();
    const own = probe.path === undefined ? this.#entropy?.take(now) : undefined;
    const sourcePort = probe.sourcePort ?? own;
    const fields = { flags, sequence: probe.id, length: 0, sourcePort };
    return this.#shared.output.emit(template, fields, tailOf(NO_BODY));
  }

  /** PERF: nearly all carriers have one question only. */
  #takeCollecting(): FrameTemplate {
    const { first, others } = this.#frames;
    return others === NO_FRAMES ? first : (others[this.#nextQuestion() - 1] ?? first);
  }

  /** The carrier's questions take turns. */
  #nextQuestion(): number {
    const question = this.#question;
    this.#question = (question + 1) % this.config.carrier.questions;
    return question;
  }

  #helperFlags(): number {
    let flags = 0;
    for (const helper of this.#helpers) flags |= helper.forwardFlags ?? 0;
    return flags;
  }

  /** PERF: with many flows, templates that are never used would fill the processor's caches. */
  #ownProbe(): FrameTemplate {
    const probes = (this.#frames.probes ??= []);
    const question = this.#nextQuestion();
    return (probes[question] ??= this.#newFrame(HPCC_PROBE, {
      intHopLimit: this.config.intHopLimit,
      sourcePort: this.#sourcePort,
      question,
    }));
  }

  #probeOn(path: number): FrameTemplate {
    const { intHopLimit } = this.config;
    const question = this.#nextQuestion();
    return this.#newFrame(HPCC_PROBE, { intHopLimit, sourcePort: this.#portOf(path), question });
  }

  /**
   * With packets in flight on the old path, those on a lighter one would overtake them, and the
   * receiver would ask for them again. So the flow pauses for the round trip that they need.
   */
  #moveWhenDrained(now: Instant): void {
    const path = this.#nextPath;
    if (path === undefined || !this.sender.isDrained) return;
    this.#nextPath = undefined;
    this.#moves++;
    this.notify(now, { kind: 'moved', path });
    this.#sourcePort = this.#portOf(path);
    this.renewFrames();
    this.sender.resume(now);
  }

  /** The source ports of the paths follow each other, within the dynamic ports. */
  #portOf(path: number): number {
    const first = this.spec.sourcePort ?? DYNAMIC_PORTS + (this.spec.id % DYNAMIC_PORT_COUNT);
    if (path === 0) return first;
    return DYNAMIC_PORTS + ((first + PORT_STRIDE * path) % DYNAMIC_PORT_COUNT);
  }

  #newEntropy(): EntropySource | undefined {
    const { balancing, address, linkRate, baseRtt, mss } = this.config;
    if (balancing === undefined) return undefined;
    const segments = Math.ceil((this.#shared.settings.reorderSpan ?? mss) / mss) + 1;
    const inFlightMax = Math.min(segments, REORDER_SEGMENTS_MAX);
    const flow = { name: this.spec.id ^ address, linkRate, baseRtt, mss, inFlightMax };
    const paths = this.config.sourceRoutes?.(this.spec.destinationAddress)?.destinations.length;
    return newEntropySource(balancing, flow, {
      portOf: (entropy) => this.#portOf(entropy),
      pathOf: paths === undefined ? undefined : (port) => pathOfPort(port, paths),
    });
  }

  #name(): Omit<FlowName, 'nonce'> {
    const { spec, generation } = this;
    const { destinationAddress, id: flowId } = spec;
    return { sourceAddress: this.config.address, destinationAddress, flowId, generation };
  }

  #newToken(): FlowToken | undefined {
    const { tokens } = this.config;
    const cookie = this.#shared.cookies.get(this.spec.destinationAddress);
    return cookie === undefined
      ? tokens?.nonce()
      : tokens?.proof(cookie, { ...this.#name(), nonce: undefined });
  }

  /** True if nobody retains records for longer than an acknowledgement is at work. */
  #retainsNoTelemetry(): boolean {
    const isAlone = this.#helpers.length === 0 && !this.config.feedback.asksSwitches;
    return isAlone && this.sender.congestionControl.retainsNoInput === true;
  }

  #newSender(startedAt: Instant): FlowSender {
    const { bytes, isOpen = false } = this.spec;
    const options = { bytes, isOpen, startedAt, congestionControl: this.#newControl() };
    const entropy = this.#entropy;
    if (entropy?.handleLoss === undefined) return new FlowSender(options, this.#shared.settings);
    const onSegmentLost = entropy.handleLoss.bind(entropy);
    return new FlowSender({ ...options, onSegmentLost }, this.#shared.settings);
  }

  #newControl(): CongestionControl {
    const { id: flow, destinationAddress: peerAddress } = this.spec;
    const make = this.#helpers.reduce(
      (of, helper) => helper.control?.(of) ?? of,
      this.config.congestionControl,
    );
    return newSenderControl(this.config, { flow, peerAddress }, make);
  }

  #newFrames(): FlowFrames {
    const { intHopLimit, feedback, signals, carrier } = this.config;
    const [digest, time] = [signals.telemetry === 'digest', signals.timestamps];
    const demand = signals.credits === true;
    const shim = digest || time || demand ? { shim: { digest, time, demand } } : {};
    const sourcePort = this.#sourcePort;
    const collecting = (question: number): FrameTemplate =>
      this.#newFrame(HPCC_DATA, { intHopLimit, sourcePort, question });
    const first = collecting(0);
    const others = Array.from({ length: carrier.questions - 1 }, (_, i) => collecting(i + 1));
    const isUniform = signals.telemetry === 'hops' && everyPacketCollects(feedback);
    const plain = isUniform
      ? first
      : this.#newFrame(HPCC_DATA, { intHopLimit: undefined, sourcePort, ...shim });
    return { first, others: others.length === 0 ? NO_FRAMES : others, plain, probes: undefined };
  }

  #newFrame(
    type: typeof HPCC_DATA | typeof HPCC_PROBE,
    way: Pick<CommonAddressing, 'intHopLimit' | 'shim' | 'question'> & {
      readonly sourcePort: number;
    },
  ): FrameTemplate {
    const { spec, generation } = this;
    const { mac, address, feedback, signals, trimming } = this.config;
    const own = trimming === true ? TRIMMABLE_DSCP : spec.dscp;
    const dscp = signals.telemetry === 'responses' ? SUBSCRIPTION_DSCP : own;
    const tagged = this.#helpers.find(({ coordinationTag }) => coordinationTag !== undefined);
    const addressing = {
      sourceMac: mac,
      destinationMac: spec.destinationMac,
      sourceAddress: address,
      destinationAddress: spec.destinationAddress,
      asksSwitches: feedback.asksSwitches,
      ...(signals.marks && { asksMarks: true }),
      ...(dscp !== undefined && { dscp }),
      ...(tagged?.coordinationTag !== undefined && { coordinationTag: tagged.coordinationTag }),
      ...way,
    };
    const transport = { type, flowId: spec.id, generation, token: this.#token };
    return new FrameTemplate(addressing, transport, (common) => this.#shared.headers.find(common));
  }
}

/** PERF: lists that most flows have no use for are shared, or made when they are needed. */
interface FlowFrames {
  /** Data that asks the switches for telemetry: the carrier's first question, and its others. */
  readonly first: FrameTemplate;
  readonly others: readonly FrameTemplate[];
  readonly plain: FrameTemplate;
  /** Made when the first one leaves, by question. */
  probes: FrameTemplate[] | undefined;
}

const NO_FRAMES: readonly FrameTemplate[] = [];

/** Receivers whose cookies are remembered. */
const COOKIES_MAX = 1024;
const NO_BODY = new Uint8Array(0);

/** The dynamic ports of RFC 6335. */
const DYNAMIC_PORTS = 49152;
const DYNAMIC_PORT_COUNT = 16384;
/** Odd, so that the ports of neighbouring flows differ in many bits. */
const PORT_STRIDE = 4099;

const NONE: readonly FlowHelper[] = [];

/**
 * Makes the helpers of a flow, by the configuration of its host. Probes leave in this order.
 * @param baseRtts what flows of the host have found out, where it measures T.
 */
function newFlowHelpers(
  flow: HelpedFlow,
  baseRtts: BaseRtts | undefined,
  entropy: EntropySource | undefined,
): readonly FlowHelper[] {
  const { feedback, baseRtt, pathSelection, coordination, signals } = flow.config;
  const { admission } = flow.spec;
  const helpers: FlowHelper[] = [];
  if (admission !== undefined) helpers.push(new AdmissionGate(flow, admission));
  if (feedback.collectBy === 'probe') helpers.push(new TelemetryProbes(flow, baseRtt));
  if (pathSelection !== undefined) helpers.push(new PathChoice(flow, pathSelection));
  if (entropy?.retired !== undefined) helpers.push(new RetiredPathProbes(flow, entropy.retired));
  if (baseRtts !== undefined) helpers.push(new BaseRttProbes(flow, baseRtts));
  if (feedback.algorithmAt === 'receiver') helpers.push(new RemoteControl(flow));
  if (signals.credits === true) helpers.push(new GrantedCredit(flow));
  // Its gate stands before the windows of a receiver, too.
  if (coordination !== undefined) helpers.push(new CoordinatedFlow(flow, coordination));
  return helpers.length === 0 ? NONE : helpers;
}
