import { InputError } from '../../../common/errors';
import type { Packet } from '../../../common/packet/packet';
import type { Bytes, Instant } from '../../../common/units/units';
import {
  readSwitchResponse,
  readWindowRecord,
  SEQUENCE_KIND_HPCC,
} from '../../../common/wire/hpcc/feedback-records';
import {
  congestionRecordLength,
  HPCC_ACK,
  HPCC_FLAG_AUTH,
  HPCC_FLAG_COOKIE,
  HPCC_FLAG_MARKED,
  HPCC_FLAG_NACK,
  HPCC_FLAG_RESPONSE,
  HPCC_FLAG_SACK,
  HPCC_SWITCH_RESPONSE,
  HPCC_TELEMETRY,
  hpccTransportLength,
  readCookie,
} from '../../../common/wire/hpcc/hpcc-transport';
import { readSelectiveAck } from '../../../common/wire/hpcc/selective-ack';
import type { CoordinationEffect } from '../../coordination/flow-coordination';
import type { AuthRejection } from '../../feedback/feedback-auth';
import { verifyFeedback } from '../../feedback/feedback-auth';
import { everyAckHasTelemetry } from '../../feedback/feedback-plan';
import { FlowScheduler } from '../../nic/flow-scheduler';
import { NO_TELEMETRY } from '../../carrier/congestion-sample';
import { readEarlierSamples, readSample } from '../../feedback/read-sample';
import { answerRefusal } from '../../host/answer-refusal';
import type { FrameOutput } from '../frames/frame-output';
import type { FlowMetrics } from '../../host/agent';
import type { CheckedHostConfig, FlowSpec } from '../../host/host-config';
import { checkFlowBytes, checkFlowSpec } from '../../host/host-config';
import type { FeedbackOutcome } from '../../host/host-events';
import type { HostLedger } from '../../host/host-ledger';
import { tellFlow, tellOther } from './link-news';
import type { LinkNews } from './link-news';
import { OutgoingFlow } from './outgoing-flow';
import type { ReceivedFrame } from '../frames/received-frame';
import type { SenderAck } from './sender-options';
import type { SharedByFlows } from './shared-by-flows';
import { newSharedByFlows } from './shared-by-flows';

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

/** All flows that a host sends; they take turns. */
export class OutgoingFlows {
  readonly #config: CheckedHostConfig;
  readonly #output: FrameOutput;
  readonly #ledger: HostLedger;
  readonly #byId = new Map<number, OutgoingFlow>();
  readonly #scheduler = new FlowScheduler<OutgoingFlow>();
  readonly #shared: SharedByFlows;
  readonly #generations = new Map<number, number>();
  /** What an acknowledgement without a record means: telemetry that was lost, or none due. */
  readonly #withoutRecord: typeof NO_TELEMETRY | undefined;

  constructor(config: CheckedHostConfig, output: FrameOutput, ledger: HostLedger) {
    this.#config = config;
    this.#shared = newSharedByFlows(config);
    this.#output = output;
    this.#ledger = ledger;
    // A window that the receiver steers needs every acknowledgement as a clock.
    const isClock = config.feedback.returnBy === 'window';
    const isOther = config.signals.telemetry !== 'hops';
    const isMeaningful = isClock || isOther || everyAckHasTelemetry(config.feedback);
    this.#withoutRecord = isMeaningful ? NO_TELEMETRY : undefined;
  }

  start(now: Instant, spec: FlowSpec): void {
    checkFlowSpec(spec, this.#config.carrier);
    if (this.#byId.has(spec.id)) throw new InputError(`flow ${spec.id} is running already`);
    const last = this.#generations.get(spec.id);
    const generation = last === undefined ? this.#config.firstGeneration : (last + 1) & 0xffff;
    const flow = new OutgoingFlow(this.#config, spec, { now, generation, shared: this.#shared });
    this.#generations.set(spec.id, generation);
    this.#byId.set(spec.id, flow);
    this.#scheduler.add(now, flow);
    this.#ledger.emit({ kind: 'flow-started', flow: spec.id, startedAt: now, bytes: spec.bytes });
  }

  append(
    now: Instant,
    id: number,
    more: { readonly bytes: Bytes; readonly isLast: boolean },
  ): void {
    const flow = this.#byId.get(id);
    if (flow?.sender.isOpen !== true) {
      throw new InputError(`flow ${id} cannot grow: no open flow of that id is running`);
    }
    checkFlowBytes(more.bytes, id);
    flow.sender.append(now, more.bytes, more.isLast);
    this.#scheduler.update(now, flow);
  }

  metrics(id: number): FlowMetrics | undefined {
    return this.#byId.get(id)?.metrics();
  }

  windowLeft(id: number): Bytes | undefined {
    return this.#byId.get(id)?.windowLeft;
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
      const cookie = readCookie(packet.bytes, frame.bodyAt, frame.transport);
      flow.learnCookie(cookie, isCookieOnly(frame) ? undefined : frame.transport.token);
    }
    const outcome = this.#apply(now, flow, frame, packet);
    if (flow.sender.isComplete) this.#complete(now, flow);
    else this.#scheduler.update(now, flow);
    return outcome;
  }

  /** A switch has said what it wants of flow `id`. */
  handleCoordination(now: Instant, id: number, effect: CoordinationEffect): void {
    const flow = this.#byId.get(id);
    if (flow === undefined) return;
    flow.tell(now, { kind: 'coordination', effect });
    this.#scheduler.update(now, flow);
  }

  handleWakeup(now: Instant): void {
    this.#scheduler.handleWakeup(now);
  }

  /** The next frame of the next flow that may send now. */
  pollTransmit(now: Instant): Packet | undefined {
    const flow = this.#scheduler.take(now);
    if (flow === undefined) return undefined;
    const packet = flow.emit(now, this.#output);
    this.#scheduler.update(now, flow);
    return packet;
  }

  /** Whether a flow may send by `until` if nothing happens before then. */
  mayTransmit(until: Instant): boolean {
    return this.#scheduler.mayTake(until);
  }

  /** Infinity when nothing is due. */
  wakeupAfter(now: Instant): Instant {
    return this.#scheduler.wakeupAfter(now);
  }

  #authenticate(
    flow: OutgoingFlow,
    frame: ReceivedFrame,
    packet: Packet,
  ): AuthRejection | undefined {
    const { transport, sourceAddress, bodyAt } = frame;
    if (transport.type === HPCC_SWITCH_RESPONSE) return answerRefusal(this.#config, frame, packet);
    const { keyRing, address } = this.#config;
    const isSigned = (transport.flags & HPCC_FLAG_AUTH) !== 0;
    if (keyRing === undefined) return isSigned ? 'signed' : undefined;
    if (!isSigned) return 'unauthenticated';
    const path = { source: sourceAddress, destination: address };
    const offset = bodyAt - hpccTransportLength(transport);
    const { bytes } = packet;
    const signed = { bytes, offset, end: bodyAt + transport.length };
    return verifyFeedback(keyRing, path, signed, flow.replayWindow);
  }

  #apply(now: Instant, flow: OutgoingFlow, frame: ReceivedFrame, packet: Packet): FeedbackOutcome {
    const { type, flags, sequence } = frame.transport;
    const { sender } = flow;
    if (type === HPCC_ACK) return this.#applyAck(now, flow, frame, packet);
    if (type === HPCC_SWITCH_RESPONSE) {
      const { sequenceKind, hop } = readSwitchResponse(packet.bytes, frame.bodyAt);
      const isAsked = this.#config.feedback.asksSwitches && sequenceKind === SEQUENCE_KIND_HPCC;
      if (!isAsked) return 'unrequested';
      const outcome = tellFlow(sender, now, { sequence, hop });
      if (outcome === 'taken') this.#spread(now, flow, { sequence, hop });
      return outcome;
    }
    if (type !== HPCC_TELEMETRY) return this.#applyWindow(now, flow, frame, packet);
    if (isCookieOnly(frame)) return 'taken';
    const sample = readSample(frame, packet, flow.reader);
    if ((flags & HPCC_FLAG_RESPONSE) !== 0) return flow.handleResponse(now, sequence, sample);
    flow.handleFeedback(now, sample);
    const isTaken = sender.handleNotification(now, sequence, sample ?? NO_TELEMETRY);
    return isTaken ? 'taken' : 'acknowledges-unsent';
  }

  /**
   * Switches answer a host once for all its flows through a port. Flows of another class have another
   * queue there. PERF: a look at each flow, of which answers are too rare to count.
   */
  #spread(now: Instant, told: OutgoingFlow, news: LinkNews): void {
    const dscp = told.spec.dscp ?? 0;
    for (const flow of this.#byId.values()) {
      const isOther = flow !== told && (flow.spec.dscp ?? 0) === dscp;
      if (isOther && tellOther(flow.sender, now, news)) this.#scheduler.update(now, flow);
    }
  }

  #applyAck(
    now: Instant,
    flow: OutgoingFlow,
    frame: ReceivedFrame,
    packet: Packet,
  ): FeedbackOutcome {
    const { flags, sequence } = frame.transport;
    const isSelective = (flags & HPCC_FLAG_SACK) !== 0;
    if (isSelective && this.#config.lossRecovery !== 'selective-repeat') return 'unrequested';
    const blocks = isSelective ? readBlocks(frame, packet) : undefined;
    const isNack = (flags & HPCC_FLAG_NACK) !== 0;
    const earlier = readEarlierSamples(frame, packet, flow.reader);
    const sample = readSample(frame, packet, flow.reader) ?? this.#withoutRecord;
    const isMarked = (flags & HPCC_FLAG_MARKED) !== 0;
    if (isMarked) flow.tell(now, MARK);
    const isUnconfirmed = isUnconfirmedEnd(flow, frame);
    ACK.ackSequence = isUnconfirmed ? flow.lastSegmentAt : sequence;
    ACK.isNack = isUnconfirmed || isNack;
    ACK.isMarked = isMarked;
    ACK.blocks = blocks;
    ACK.sample = sample;
    ACK.earlier = earlier;
    const isTaken = flow.sender.handleAck(now, ACK);
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
    const record = readWindowRecord(packet.bytes, frame.bodyAt);
    if (record.windowBytes > 0) return flow.tell(now, { kind: 'window', record }) ?? 'unrequested';
    const { sender } = flow;
    if (record.flows > 0) {
      sender.handleControlChange(now, () => sender.congestionControl.onFlowCount(record.flows));
    }
    return 'taken';
  }

  #complete(now: Instant, flow: OutgoingFlow): void {
    const { id } = flow.spec;
    this.#scheduler.remove(flow);
    this.#byId.delete(id);
    flow.tell(now, { kind: 'ended' });
    const { startedAt } = flow;
    const bytes = flow.sender.totalBytes;
    const { segmentsRetransmitted } = flow.sender.counters;
    this.#ledger.emit({
      kind: 'flow-completed',
      flow: id,
      startedAt,
      completedAt: now,
      bytes,
      segmentsRetransmitted,
    });
  }
}

/**
 * All has arrived, and nothing is delivered before the receiver knows that its cookie has arrived: the last
 * segment leaves once more, to show it.
 */
const isUnconfirmedEnd = ({ sender }: OutgoingFlow, { transport }: ReceivedFrame): boolean =>
  (transport.flags & HPCC_FLAG_COOKIE) !== 0 &&
  !sender.isOpen &&
  transport.sequence === sender.totalBytes;

/** A receiver without room for the flow tells nothing but its cookie. */
const isCookieOnly = ({ transport }: ReceivedFrame): boolean =>
  transport.type === HPCC_TELEMETRY &&
  (transport.flags & HPCC_FLAG_COOKIE) !== 0 &&
  (transport.flags & HPCC_FLAG_RESPONSE) === 0 &&
  congestionRecordLength(transport) === 0;

function readBlocks({ transport, bodyAt }: ReceivedFrame, { bytes }: Packet) {
  const at = bodyAt + congestionRecordLength(transport);
  return readSelectiveAck(bytes, at, transport.sequence);
}
