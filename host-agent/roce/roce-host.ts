import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';
import type { Agent } from '../host/agent';
import { Fifo } from '../nic/fifo';
import { checkFlowBytes, checkFlowSpec } from '../host/host-config';
import type { HostCounters, HostEvent, PacketRejection } from '../host/host-events';
import type { FlowMetrics } from '../host/agent';
import type { CoordinationCounters, HostCoordination } from '../coordination/host-coordination';
import { withoutTag } from '../coordination/tagged-frame';
import { FlowScheduler } from '../nic/flow-scheduler';
import { isInitiatorQpn } from './packets/connection-numbers';
import { Connections } from './connections';
import type { FeedbackOutcome, QpSender } from './queue-pair/queue-pair';
import type { ReceivedPacket } from './packets/received-packet';
import { parsePacket } from './packets/received-packet';
import type { RoceConfig, RoceFlowSpec } from './queue-pair/roce-config';
import { checkRoceConfig } from './queue-pair/roce-config';
import type { RoceContent } from './packets/roce-packet';

/**
 * A host with one interface that speaks RoCEv2: queue pairs of the reliable connection under HPCC++. It
 * is driven like the host of the other transport.
 *
 * A flow is one connection. With READ, the one who starts the flow receives it.
 */
export class RoceHost implements Agent {
  readonly #address: number;
  readonly #coordination: HostCoordination | undefined;
  readonly #connections: Connections;
  readonly #scheduler = new FlowScheduler<QpSender>();
  /** Acknowledgements, responses and what is asked for again: they leave before data. */
  readonly #answers = new Fifo<Packet>();
  readonly #events = new Fifo<HostEvent>();
  #now: Instant = 0;
  #dataSent = 0;
  #acksSent = 0;
  #dataReceived = 0;
  #acksReceived = 0;
  #acksLate = 0;
  #telemetryRefused = 0;
  #bytesDelivered: Bytes = 0;
  readonly #packetsRejected: Record<PacketRejection, number> = {
    malformed: 0,
    'not-for-this-host': 0,
    'other-protocol': 0,
    'old-generation': 0,
    'unknown-flow': 0,
    'acknowledges-unsent': 0,
    unrequested: 0,
    unauthenticated: 0,
    replayed: 0,
    'bad-icrc': 0,
  };

  /** @throws InputError naming the parameter that is out of range. */
  constructor(config: RoceConfig) {
    const checked = checkRoceConfig(config);
    this.#address = checked.address;
    this.#coordination = checked.coordination;
    this.#connections = new Connections(checked, {
      answer: (packet) => this.#answers.push(packet),
      emitEvent: (event) => this.#events.push(event),
      delivered: (bytes) => {
        this.#bytesDelivered += bytes;
      },
      started: (now, sender) => this.#scheduler.add(now, sender),
      ended: (sender) => this.#scheduler.remove(sender),
    });
  }

  /** @throws InputError for a field out of range or an id that is in use. */
  startFlow(now: Instant, spec: RoceFlowSpec): void {
    this.#advance(now);
    checkFlowSpec(spec);
    this.#connections.start(now, spec);
  }

  /**
   * More bytes for a flow that was started open; the last ones close it.
   * @throws InputError if no such flow is running or `bytes` is not a positive integer.
   */
  appendToFlow(
    now: Instant,
    id: number,
    more: { readonly bytes: Bytes; readonly isLast: boolean },
  ): void {
    this.#advance(now);
    const initiator = this.#connections.initiator(id);
    if (initiator?.requester.isOpen !== true) {
      throw new InputError(`flow ${id} cannot grow: no open flow of that id is running`);
    }
    checkFlowBytes(more.bytes, id);
    initiator.post(now, more.bytes, more.isLast);
    this.#scheduler.update(now, initiator.requester);
  }

  /** Takes a frame from the wire. Frames that are not ours, malformed or damaged are counted. */
  handlePacket(now: Instant, received: Packet): void {
    this.#advance(now);
    const frame = withoutTag(received);
    const packet = parsePacket(frame, this.#address);
    if ('reason' in packet) {
      const { reason } = packet;
      if (reason === 'other-protocol' && this.#handleNotification(frame)) return;
      this.#reject(reason, reason === 'malformed' ? packet.fault.toString() : reason);
      return;
    }
    if (FEEDBACK.has(packet.content.kind)) this.#acksReceived++;
    else this.#dataReceived++;
    if (packet.telemetryFault !== undefined) this.#telemetryRefused++;
    if (isInitiatorQpn(packet.bth.destinationQp)) this.#toInitiator(packet, frame);
    else this.#toTarget(packet, frame);
  }

  handleWakeup(now: Instant): void {
    this.#advance(now);
    this.#scheduler.handleWakeup(now);
  }

  /** The frame that the idle interface shall start to send now, if any. */
  pollTransmit(now: Instant): Packet | undefined {
    this.#advance(now);
    const answer = this.#answers.take();
    if (answer !== undefined) {
      this.#acksSent++;
      return answer;
    }
    const sender = this.#scheduler.take(now);
    if (sender === undefined) return undefined;
    this.#dataSent++;
    const packet = sender.emit(now);
    this.#scheduler.update(now, sender);
    return packet;
  }

  /** When to call handleWakeup, after the last `now`. */
  pollWakeup(): Instant | undefined {
    const at = this.#scheduler.wakeupAfter(this.#now);
    return at === Infinity ? undefined : at;
  }

  /** The oldest event not yet polled. */
  pollEvent(): HostEvent | undefined {
    return this.#events.take();
  }

  /** State of a flow that this host sends, or has started. */
  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#connections.metrics(id);
  }

  counters(): HostCounters {
    return {
      dataSent: this.#dataSent,
      acksSent: this.#acksSent,
      dataReceived: this.#dataReceived,
      acksReceived: this.#acksReceived,
      acksLate: this.#acksLate,
      bytesDelivered: this.#bytesDelivered,
      telemetryRefused: this.#telemetryRefused,
      packetsRejected: { ...this.#packetsRejected },
    };
  }

  /** What switches have told this host; undefined unless it listens to them. */
  coordination(): CoordinationCounters | undefined {
    return this.#coordination?.counters;
  }

  #advance(now: Instant): void {
    assert(now >= this.#now, 'time does not go backwards');
    this.#now = now;
  }

  /** Returns false for a frame that is no notification to this host, or if it does not listen. */
  #handleNotification(frame: Packet): boolean {
    const outcome = this.#coordination?.handle(this.#now, frame);
    if (outcome === undefined || outcome.kind === 'not-a-notification') return false;
    if (outcome.kind === 'refused') {
      this.#reject(outcome.reason, outcome.detail);
      return true;
    }
    const sender = this.#connections.sender(outcome.flow);
    if (sender === undefined) return true;
    sender.handleCoordination(this.#now, outcome.effect);
    this.#scheduler.update(this.#now, sender);
    return true;
  }

  #toInitiator(packet: ReceivedPacket, frame: Packet): void {
    const found = this.#connections.initiatorFor(packet);
    if (typeof found === 'string') {
      this.#note(found, packet);
      return;
    }
    this.#note(found.handle(this.#now, packet, frame), packet);
    this.#scheduler.update(this.#now, found.requester);
  }

  #toTarget(packet: ReceivedPacket, frame: Packet): void {
    const found = this.#connections.targetFor(this.#now, packet);
    if (typeof found === 'string') {
      this.#note(found, packet);
      return;
    }
    this.#note(found.handle(this.#now, packet, frame), packet);
    if (found.server !== undefined) this.#scheduler.update(this.#now, found.server);
  }

  #note(
    outcome: FeedbackOutcome | 'unknown-flow' | 'old-generation',
    packet: ReceivedPacket,
  ): void {
    if (outcome === 'late') this.#acksLate++;
    else if (outcome !== 'taken') this.#reject(outcome, describe(packet));
  }

  #reject(reason: PacketRejection, detail: string): void {
    this.#packetsRejected[reason]++;
    this.#events.push({ kind: 'packet-rejected', at: this.#now, reason, detail });
  }
}

/** What a host sends because of data that it has received. */
const FEEDBACK: ReadonlySet<RoceContent['kind']> = new Set([
  'acknowledge',
  'telemetry-response',
  'congestion-notice',
]);

function describe({ bth, content }: ReceivedPacket): string {
  const qpn = bth.destinationQp.toString(16).padStart(6, '0');
  return `${content.kind} to queue pair 0x${qpn}, PSN ${bth.psn}`;
}
