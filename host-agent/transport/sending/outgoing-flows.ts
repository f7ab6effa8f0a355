import { InputError } from '../../../common/errors';
import type { Packet } from '../../../common/packet/packet';
import type { Instant } from '../../../common/units/units';
import {
  readSwitchResponse,
  readWindowRecord,
  SEQUENCE_KIND_HPCC,
} from '../../../common/wire/hpcc/feedback-records';
import {
  HPCC_ACK,
  HPCC_FLAG_AUTH,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_HELD,
  HPCC_FLAG_MARKED,
  HPCC_FLAG_NACK,
  HPCC_FLAG_REPEATED,
  HPCC_FLAG_RESPONSE,
  HPCC_FLAG_SACK,
  HPCC_FLAG_TRIMMED,
  HPCC_SWITCH_RESPONSE,
  HPCC_TELEMETRY,
  readFlowToken,
} from '../../../common/wire/hpcc/hpcc-transport';
import { readSelectiveAck } from '../../../common/wire/hpcc/selective-ack';
import type { AuthRejection } from '../../feedback/feedback-auth';
import { verifyFeedback } from '../../feedback/feedback-auth';
import { acksAnswerProbes, everyAckHasTelemetry } from '../../feedback/feedback-plan';
import type { FlowScheduler } from '../../nic/flow-scheduler';
import type { CongestionSample } from '../../carrier/congestion-sample';
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import { readEarlierSamples, readSample } from '../../feedback/read-sample';
import { answerRefusal } from '../../host/answer-refusal';
import type { CheckedHostConfig, FlowSpec } from '../../host/host-config';
import { checkFlowSpec, checkSubscription } from '../../host/host-config';
import type { FeedbackOutcome } from '../../host/host-events';
import type { HostLedger } from '../../host/host';
import { Generations } from './generations';
import { OutgoingFlow } from './outgoing-flow';
import type { ReceivedFrame } from '../frames/received-frame';
import type { SenderAck } from './sender-options';
import type { SharedByFlows } from './shared-by-flows';
import { newSharedByFlows } from './shared-by-flows';
import { responseIntakeOf } from './switch-responses';
import type { LinkReport, ResponseIntake } from './switch-responses';

const MARK = { kind: 'mark' } as const;

/** PERF: filled in again for each acknowledgement. */
const ACK: { -readonly [Name in keyof SenderAck]: SenderAck[Name] } = {
  ackSequence: 0,
  isNack: false,
  isMarked: false,
  blocks: undefined,
  sample: undefined,
  earlier: undefined,
};

/** The way on which a packet was cut is congested. */
const TRIMMED_RETURN: SenderAck = { ackSequence: 0, isNack: false, isMarked: true };

/** All flows that a host sends; they take turns. */
export class OutgoingFlows {
  readonly #config: CheckedHostConfig;
  readonly #ledger: HostLedger;
  readonly #byId = new Map<number, OutgoingFlow>();
  readonly #scheduler: FlowScheduler<OutgoingFlow>;
  readonly #shared: SharedByFlows;
  readonly #generations: Generations;
  readonly #responses: ResponseIntake;
  /** Meaning of an acknowledgement without a record: telemetry that was lost, or none due. */
  readonly #withoutRecord: typeof NO_TELEMETRY | undefined;
  /** Records of acknowledgements are of probes, and not of the data that is acknowledged. */
  readonly #acksAnswerProbes: boolean;

  /** @param scheduler of the host's interface. */
  constructor(
    config: CheckedHostConfig,
    scheduler: FlowScheduler<OutgoingFlow>,
    ledger: HostLedger,
  ) {
    this.#config = config;
    this.#shared = newSharedByFlows(config);
    this.#generations = new Generations(config.firstGeneration);
    this.#responses = responseIntakeOf(config.signals);
    this.#scheduler = scheduler;
    this.#ledger = ledger;
    // A window that the receiver controls needs every acknowledgement as a clock.
    const isClock = config.feedback.returnBy === 'window';
    const isOther = config.signals.telemetry !== 'hops';
    const isMeaningful = isClock || isOther || everyAckHasTelemetry(config.feedback);
    this.#withoutRecord = isMeaningful ? NO_TELEMETRY : undefined;
    this.#acksAnswerProbes = acksAnswerProbes(config.feedback);
  }

  start(now: Instant, spec: FlowSpec): void {
    checkFlowSpec(spec, this.#config.carrier);
    checkSubscription(spec, this.#config.signals);
    if (this.#byId.has(spec.id)) throw new InputError(`flow ${spec.id} is running already`);
    const generation = this.#generations.next(spec.id);
    const flow = new OutgoingFlow(this.#config, spec, { now, generation, shared: this.#shared });
    this.#byId.set(spec.id, flow);
    this.#scheduler.add(now, flow);
    this.#ledger.emit({ kind: 'flow-started', flow: spec.id, startedAt: now, bytes: spec.bytes });
  }

  /** The running flow of that id. */
  flow(id: number): OutgoingFlow | undefined {
    return this.#byId.get(id);
  }

  /** Takes an ACK, a TELEMETRY or a WINDOW. */
  handleFeedback(now: Instant, frame: ReceivedFrame, packet: Packet): FeedbackOutcome {
    const { flowId, generation } = frame.transport;
    const flow = this.#byId.get(flowId);
    if (flow?.generation !== generation) {
      return this.#generations.has(flowId) ? 'late' : 'unknown-flow';
    }
    // A switch sees the packet that it answers, and has no place for the token.
    const isHosts = frame.transport.type !== HPCC_SWITCH_RESPONSE;
    if (isHosts && !flow.isOwnToken(frame.transport.token)) return 'forged';
    const refused = this.#authenticate(flow, frame, packet);
    if (refused !== undefined) return refused;
    if (isHosts && (frame.transport.flags & HPCC_FLAG_COOKIE) !== 0) {
      const cookie = readFlowToken(packet.bytes, frame.transport.trailerAt);
      flow.learnCookie(cookie, isCookieOnly(frame) ? undefined : frame.transport.token);
    }
    const outcome = this.#apply(now, flow, frame, packet);
    if (flow.sender.isComplete) this.#complete(now, flow);
    else this.#scheduler.update(now, flow);
    return outcome;
  }

  #authenticate(
    flow: OutgoingFlow,
    frame: ReceivedFrame,
    packet: Packet,
  ): AuthRejection | undefined {
    const { transport, sourceAddress } = frame;
    if (transport.type === HPCC_SWITCH_RESPONSE) return answerRefusal(this.#config, frame, packet);
    const { keyRing, address } = this.#config;
    const { flags, headerAt: offset, bodyAt, length } = transport;
    const isSigned = (flags & HPCC_FLAG_AUTH) !== 0;
    if (keyRing === undefined) return isSigned ? 'signed' : undefined;
    if (!isSigned) return 'unauthenticated';
    const path = { source: sourceAddress, destination: address };
    const signed = { bytes: packet.bytes, offset, end: bodyAt + length };
    return verifyFeedback(keyRing, path, signed, flow.replayWindow);
  }

  #apply(now: Instant, flow: OutgoingFlow, frame: ReceivedFrame, packet: Packet): FeedbackOutcome {
    const { type, flags, sequence, bodyAt } = frame.transport;
    const { sender } = flow;
    if (type === HPCC_ACK) return this.#applyAck(now, flow, frame, packet);
    if (type === HPCC_SWITCH_RESPONSE) {
      const { sequenceKind, hop } = readSwitchResponse(packet.bytes, bodyAt);
      const isAsked = this.#config.feedback.asksSwitches && sequenceKind === SEQUENCE_KIND_HPCC;
      if (!isAsked) return 'unrequested';
      const outcome = this.#responses.toFlow(sender, now, { sequence, hop });
      if (outcome === 'taken') this.#spread(now, flow, { sequence, hop });
      return outcome;
    }
    if (type !== HPCC_TELEMETRY) return this.#applyWindow(now, flow, frame, packet);
    if (isCookieOnly(frame)) return 'taken';
    const sample = readSample(packet.bytes, bodyAt, frame.transport, flow.reader);
    if ((flags & HPCC_FLAG_RESPONSE) !== 0) return flow.handleResponse(now, sequence, sample);
    if ((flags & HPCC_FLAG_TRIMMED) !== 0) return this.#applyTrimmed(now, flow, frame, sample);
    if ((flags & HPCC_FLAG_HELD) !== 0) {
      const { trimming, signals } = this.#config;
      if (trimming !== true || signals.turns !== true) return 'unrequested';
      if ((flags & HPCC_FLAG_REPEATED) !== 0) flow.sender.takeTurn(now, sequence);
      else flow.sender.awaitTurn(now, sequence);
      return 'taken';
    }
    const isTaken = acknowledge(now, flow, frame, sample ?? NO_TELEMETRY);
    flow.handleFeedback(now, sample);
    return isTaken ? 'taken' : 'acknowledges-unsent';
  }

  /**
   * Switches answer a host once for all its flows through a port. Flows of another class have another
   * queue there. PERF: a look at each flow, of which answers are too rare to count.
   */
  #spread(now: Instant, told: OutgoingFlow, report: LinkReport): void {
    const dscp = told.spec.dscp ?? 0;
    for (const flow of this.#byId.values()) {
      const isOther = flow !== told && (flow.spec.dscp ?? 0) === dscp;
      if (isOther && this.#responses.toOther(flow.sender, now, report))
        this.#scheduler.update(now, flow);
    }
  }

  #applyAck(
    now: Instant,
    flow: OutgoingFlow,
    frame: ReceivedFrame,
    packet: Packet,
  ): FeedbackOutcome {
    const { transport } = frame;
    const { flags, sequence, bodyAt, recordsLength } = transport;
    const { bytes } = packet;
    const isSelective = (flags & HPCC_FLAG_SACK) !== 0;
    if (isSelective && this.#config.lossRecovery !== 'selective-repeat') return 'unrequested';
    const blocks = isSelective
      ? readSelectiveAck(bytes, bodyAt + recordsLength, sequence)
      : undefined;
    const isNack = (flags & HPCC_FLAG_NACK) !== 0;
    const isOne = recordsLength === transport.recordLength;
    const earlier = isOne ? undefined : readEarlierSamples(bytes, transport, flow.reader);
    const sample = readSample(bytes, bodyAt, transport, flow.reader) ?? this.#withoutRecord;
    const isMarked = (flags & HPCC_FLAG_MARKED) !== 0;
    if (isMarked) flow.notify(now, MARK);
    const isUnconfirmed = isUnconfirmedEnd(flow, frame);
    ACK.ackSequence = isUnconfirmed ? flow.lastSegmentAt : sequence;
    ACK.isNack = isUnconfirmed || isNack;
    ACK.isMarked = isMarked;
    ACK.blocks = blocks;
    ACK.sample = this.#acksAnswerProbes ? undefined : sample;
    ACK.earlier = this.#acksAnswerProbes ? undefined : earlier;
    const isTaken = flow.sender.handleAck(now, ACK);
    flow.handleReturn(now, frame.sourcePort, ACK);
    if (this.#acksAnswerProbes && isTaken && sample !== undefined) {
      for (const each of [...(earlier ?? []), sample]) {
        flow.notify(now, { kind: 'echo', sample: each });
      }
    }
    flow.handleFeedback(now, sample);
    return isTaken ? 'taken' : 'acknowledges-unsent';
  }

  /** The receiver has the header of a segment that a switch has cut. */
  #applyTrimmed(
    now: Instant,
    flow: OutgoingFlow,
    { transport, sourcePort }: ReceivedFrame,
    sample: CongestionSample | undefined,
  ): FeedbackOutcome {
    if (this.#config.trimming !== true) return 'unrequested';
    const { sequence, flags } = transport;
    const isRepeated = (flags & HPCC_FLAG_REPEATED) !== 0;
    const isHeld = (flags & HPCC_FLAG_HELD) !== 0;
    const isTaken = flow.sender.handleTrimmed(now, { sequence, isRepeated, isHeld }, sample);
    flow.handleReturn(now, sourcePort, TRIMMED_RETURN);
    flow.handleFeedback(now, sample);
    return isTaken ? 'taken' : 'acknowledges-unsent';
  }

  /** A window of the receiver's algorithm, a count of its flows, or both. */
  #applyWindow(
    now: Instant,
    flow: OutgoingFlow,
    frame: ReceivedFrame,
    packet: Packet,
  ): FeedbackOutcome {
    const record = readWindowRecord(packet.bytes, frame.transport.bodyAt);
    const { sender } = flow;
    let outcome: FeedbackOutcome = 'taken';
    if (record.windowBytes > 0) {
      outcome = flow.notify(now, { kind: 'window', record }) ?? 'unrequested';
    } else if (record.flows > 0) {
      sender.handleControlChange(now, () => sender.congestionControl.onFlowCount(record.flows));
    }
    if (outcome === 'unrequested') return outcome;
    // A count of flows alone is no clock.
    const sample = record.windowBytes > 0 ? this.#withoutRecord : undefined;
    return acknowledge(now, flow, frame, sample) ? outcome : 'acknowledges-unsent';
  }

  #complete(now: Instant, flow: OutgoingFlow): void {
    const { id } = flow.spec;
    this.#scheduler.remove(flow);
    this.#byId.delete(id);
    flow.notify(now, { kind: 'ended' });
    const { startedAt } = flow;
    const bytes = flow.sender.totalBytes;
    const { segmentsRetransmitted, timeouts, uncontrolledTime } = flow.sender.counters;
    const { switchResponses } = flow.sender.congestionControl.metrics();
    this.#ledger.emit({
      kind: 'flow-completed',
      flow: id,
      startedAt,
      completedAt: now,
      bytes,
      segmentsRetransmitted,
      timeouts,
      uncontrolledTime,
      ...(switchResponses !== undefined && { switchResponses }),
    });
  }
}

/**
 * Takes what a notification or a window acknowledges beside what it is about: bytes in order, without a gap or a
 * mark. Returns false for bytes that were never sent.
 */
function acknowledge(
  now: Instant,
  flow: OutgoingFlow,
  frame: ReceivedFrame,
  sample: CongestionSample | undefined,
): boolean {
  ACK.ackSequence = isUnconfirmedEnd(flow, frame) ? flow.lastSegmentAt : frame.transport.sequence;
  ACK.isNack = false;
  ACK.isMarked = false;
  ACK.blocks = undefined;
  ACK.sample = sample;
  ACK.earlier = undefined;
  return flow.sender.handleAck(now, ACK);
}

/**
 * All has arrived, and nothing is delivered before the receiver knows that its cookie has arrived: the last
 * segment leaves once more, to show it.
 */
const isUnconfirmedEnd = ({ sender }: OutgoingFlow, { transport }: ReceivedFrame): boolean =>
  (transport.flags & HPCC_FLAG_COOKIE) !== 0 &&
  !sender.isOpen &&
  transport.sequence === sender.totalBytes;

/** Feedback that says something, though it brings no record. */
const SAYING = HPCC_FLAG_RESPONSE | HPCC_FLAG_TRIMMED | HPCC_FLAG_HELD;

/** A receiver without room for the flow tells nothing but its cookie. */
const isCookieOnly = ({ transport }: ReceivedFrame): boolean =>
  transport.type === HPCC_TELEMETRY &&
  (transport.flags & HPCC_FLAG_COOKIE) !== 0 &&
  (transport.flags & SAYING) === 0 &&
  transport.recordsLength === 0;
