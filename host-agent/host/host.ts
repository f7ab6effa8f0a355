import type { Packet } from '../../common/packet/packet';
import type { Bytes, Duration, Instant, InstantCell } from '../../common/units/units';
import { InputError } from '../../common/errors';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { CoordinationEffect } from '../coordination/flow-coordination';
import type { CoordinationCounters, HostCoordination } from '../coordination/host-coordination';
import { Fifo } from '../nic/fifo';
import { FlowScheduler } from '../nic/flow-scheduler';
import type { ScheduledFlow } from '../nic/flow-scheduler';
import type { Agent, FlowHold, FlowMetrics } from './agent';
import type { FlowSpec } from './host-config';
import { checkFlowBytes } from './host-config';
import type { FrameRejection } from '../transport/frames/received-frame';
import type { HostCounters, HostEvent, FeedbackOutcome, PacketRejection } from './host-events';
import { assert } from '../../common/assert';

/** A flow that a host sends, as its interface sees it. */
export interface SendingFlow extends ScheduledFlow {
  /** The frame that leaves now; only if it can send. */
  emit(now: Instant): Packet;
  /** Undefined before the flow has anything to send. */
  metrics(): FlowMetrics | undefined;
  /** The part of {@link metrics} that the algorithm tells. */
  congestion(): CongestionMetrics | undefined;
  /** Undefined before the flow has anything to send. */
  readonly hold: FlowHold | undefined;
  /** The host did not run for so long. */
  handleStandstill(duration: Duration): void;
  /** A switch has said what it wants of the flow. */
  handleCoordination(now: Instant, effect: CoordinationEffect): void;
}

/** Bytes for a flow that was started open; the last ones close it. */
export interface MoreBytes {
  readonly bytes: Bytes;
  readonly isLast: boolean;
}

/**
 * A host with one interface: a state machine without clock and sockets, driven from outside.
 *
 *     startFlow, appendToFlow, handlePacket, handleWakeup   -> what happens, and when
 *     pollTransmit    -> the next frame; ask when the interface is idle, after every handle call
 *     pollWakeup      -> when to call handleWakeup, and then pollTransmit; ask after the transmits
 *     pollEvent       -> what the driver may want to know
 *
 * `now` never goes backwards. Polling more often, or waking early, changes nothing.
 * Acknowledgements and other answers leave before data; data flows take turns. What packets look like,
 * and what they mean, is up to the class of each framing.
 */
export abstract class Host<
  Flow extends SendingFlow,
  Spec extends FlowSpec = FlowSpec,
> implements Agent {
  protected readonly ledger: HostLedger;
  protected readonly scheduler = new FlowScheduler<Flow>();
  /** Frames that the host sends because of packets that it has received. */
  protected readonly answers = new Fifo<Packet>();

  /** @param coordination of a host that listens to switches. */
  protected constructor(coordination: HostCoordination | undefined) {
    this.ledger = new HostLedger(coordination);
  }

  /** @throws InputError for a field out of range or an id that is in use. */
  protected abstract start(now: Instant, spec: Spec): void;
  /** Adds bytes to an open flow and returns it; undefined if no open flow of that id is running. */
  protected abstract append(now: Instant, id: number, more: MoreBytes): Flow | undefined;
  /** Takes a frame without tag; returns why it is dropped if it is none of the framing's. */
  protected abstract receive(now: Instant, frame: Packet): FrameRejection | undefined;
  /** The running flow that the driver knows by this id. */
  protected abstract flow(id: number): Flow | undefined;
  /** The running flow that switches mean by this id. */
  protected abstract coordinatedFlow(id: number): Flow | undefined;

  /** Releases answers that were held back for long enough. */
  protected releaseAnswers?(now: Instant): void;

  /** When to call {@link releaseAnswers}, or Infinity. */
  protected get releaseAt(): Instant {
    return Infinity;
  }

  startFlow(now: Instant, spec: Spec): void {
    this.ledger.advance(now);
    this.start(now, spec);
  }

  /**
   * More bytes for a flow that was started open; the last ones close it.
   * @throws InputError if no such flow is running or `bytes` is not a positive integer.
   */
  appendToFlow(now: Instant, id: number, more: MoreBytes): void {
    this.ledger.advance(now);
    checkFlowBytes(more.bytes, id);
    const flow = this.append(now, id, more);
    if (flow !== undefined) this.scheduler.update(now, flow);
    else throw new InputError(`flow ${id} cannot grow: no open flow of that id is running`);
  }

  /** Takes a frame from the wire. Frames that are not ours, malformed or damaged are counted drops. */
  handlePacket(now: Instant, packet: Packet): void {
    this.ledger.advance(now);
    const frame = withoutTag(packet);
    const refused = this.receive(now, frame);
    if (refused !== undefined) this.#handleForeign(now, frame, refused);
  }

  handleWakeup(now: Instant): void {
    this.ledger.advance(now);
    this.releaseAnswers?.(now);
    this.scheduler.handleWakeup(now);
  }

  handleStandstill(duration: Duration): void {
    this.scheduler.forEach((flow) => flow.handleStandstill(duration));
  }

  /** The frame that the idle interface shall start to send now, if any. */
  pollTransmit(now: Instant): Packet | undefined {
    const { ledger, scheduler } = this;
    ledger.advance(now);
    const answer = this.answers.take();
    if (answer !== undefined) {
      ledger.counts.acksSent++;
      return answer;
    }
    const flow = scheduler.take(now);
    if (flow === undefined) return undefined;
    ledger.counts.dataSent++;
    const packet = flow.emit(now);
    scheduler.update(now, flow);
    return packet;
  }

  /**
   * When to call handleWakeup, after the last `now`, or undefined if only a packet can bring work.
   * Flows that may send already wait for the interface and need no wake-up.
   */
  pollWakeup(): Instant | undefined {
    const at = Math.min(this.releaseAt, this.scheduler.wakeupAfter(this.ledger.now));
    return at === Infinity ? undefined : at;
  }

  writeWakeup(into: InstantCell): void {
    this.scheduler.writeWakeup(into);
    const { releaseAt } = this;
    if (releaseAt < (into[0] as number)) into[0] = releaseAt;
  }

  mayTransmit(until: InstantCell): boolean {
    return !this.answers.isEmpty || this.scheduler.mayTake(until);
  }

  pollEvent(): HostEvent | undefined {
    return this.ledger.pollEvent();
  }

  flowMetrics(id: number): FlowMetrics | undefined {
    return this.flow(id)?.metrics();
  }

  senderMetrics(id: number): CongestionMetrics | undefined {
    return this.flow(id)?.congestion();
  }

  abstract receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined;

  windowLeft(id: number): Bytes | undefined {
    const metrics = this.flowMetrics(id);
    return metrics && Math.max(metrics.congestion.windowBytes, 0) - metrics.inflightBytes;
  }

  flowHold(id: number): FlowHold | undefined {
    return this.flow(id)?.hold;
  }

  coordination(): CoordinationCounters | undefined {
    return this.ledger.coordination();
  }

  counters(): HostCounters {
    return this.ledger.counters();
  }

  /** A notification of a switch, or nothing to this host. */
  #handleForeign(now: Instant, frame: Packet, refused: FrameRejection): void {
    const { reason } = refused;
    const isTaken =
      reason === 'other-protocol' &&
      this.ledger.handleNotification(frame, (id, effect) => {
        const flow = this.coordinatedFlow(id);
        if (flow === undefined) return;
        flow.handleCoordination(now, effect);
        this.scheduler.update(now, flow);
      });
    if (!isTaken)
      this.ledger.reject(reason, 'fault' in refused ? refused.fault.toString() : reason);
  }
}

type Counts = { -readonly [Name in keyof Omit<HostCounters, 'packetsRejected'>]: number };

/**
 * State of a host, of either framing, besides its flows: how late it is, what it has counted and refused,
 * and the events for its driver. PERF: {@link counts} is written directly, per packet.
 */
export class HostLedger {
  readonly counts: Counts = {
    dataSent: 0,
    acksSent: 0,
    dataReceived: 0,
    acksReceived: 0,
    acksLate: 0,
    trimmedReceived: 0,
    bytesDelivered: 0,
    telemetryRefused: 0,
    reorderedPackets: 0,
    reorderedBytes: 0,
    reorderedBytesMax: 0,
  };
  readonly #coordination: HostCoordination | undefined;
  readonly #events = new Fifo<HostEvent>();
  #now: Instant = 0;
  readonly #packetsRejected: Record<PacketRejection, number> = {
    malformed: 0,
    'not-for-this-host': 0,
    'other-protocol': 0,
    'old-generation': 0,
    'unknown-flow': 0,
    'acknowledges-unsent': 0,
    unrequested: 0,
    unauthenticated: 0,
    signed: 0,
    replayed: 0,
    'bad-icrc': 0,
    forged: 0,
    unconfirmed: 0,
    'too-many-flows': 0,
  };

  /** @param coordination of a host that listens to switches. */
  constructor(coordination: HostCoordination | undefined) {
    this.#coordination = coordination;
  }

  /** The `now` of the latest call of the driver. */
  get now(): Instant {
    return this.#now;
  }

  /** The driver calls at `now`, which never goes back. */
  advance(now: Instant): void {
    assert(now >= this.#now, 'time does not go backwards');
    this.#now = now;
  }

  /** Something has happened that the driver may want to know. */
  emit(event: HostEvent): void {
    this.#events.push(event);
  }

  /** The oldest event not yet polled. */
  pollEvent(): HostEvent | undefined {
    return this.#events.take();
  }

  /** A packet was dropped; `detail` is for people. */
  reject(reason: PacketRejection, detail: string): void {
    this.#packetsRejected[reason]++;
    this.#events.push({ kind: 'packet-rejected', at: this.#now, reason, detail });
  }

  /** Counts feedback that was not taken. */
  note(outcome: Exclude<FeedbackOutcome, 'taken'> | PacketRejection, detail: string): void {
    if (outcome === 'late') this.counts.acksLate++;
    else this.reject(outcome, detail);
  }

  /**
   * Takes a frame that is none of the transport's; `apply` does what a switch wants of a flow. Returns
   * false for a frame that is no notification to this host, or if it does not listen.
   */
  handleNotification(
    frame: Packet,
    apply: (flow: number, effect: CoordinationEffect) => void,
  ): boolean {
    const outcome = this.#coordination?.handle(this.#now, frame);
    if (outcome === undefined || outcome.kind === 'not-a-notification') return false;
    if (outcome.kind === 'refused') this.reject(outcome.reason, outcome.detail);
    else apply(outcome.flow, outcome.effect);
    return true;
  }

  counters(): HostCounters {
    return { ...this.counts, packetsRejected: { ...this.#packetsRejected } };
  }

  /** Counts of notifications from switches; undefined unless the host listens to them. */
  coordination(): CoordinationCounters | undefined {
    return this.#coordination?.counters;
  }
}
