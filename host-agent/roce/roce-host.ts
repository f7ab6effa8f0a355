import { INT_CARRIER } from '../carrier/int-carrier';
import { InputError } from '../../common/errors';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';
import type { Agent } from '../host/agent';
import { Fifo } from '../nic/fifo';
import { checkFlowBytes, checkFlowSpec } from '../host/host-config';
import type { HostCounters, HostEvent } from '../host/host-events';
import { HostLedger } from '../host/host-ledger';
import type { FlowMetrics } from '../host/agent';
import type { CoordinationCounters } from '../coordination/host-coordination';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import { FlowScheduler } from '../nic/flow-scheduler';
import { isInitiatorQpn } from './packets/connection-numbers';
import { Connections } from './connections';
import type { QpSender } from './queue-pair/queue-pair';
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
  readonly #ledger: HostLedger;
  readonly #connections: Connections;
  readonly #scheduler = new FlowScheduler<QpSender>();
  /** Acknowledgements, responses and what is asked for again: they leave before data. */
  readonly #answers = new Fifo<Packet>();

  /** @throws InputError naming the parameter that is out of range. */
  constructor(config: RoceConfig) {
    const checked = checkRoceConfig(config);
    this.#address = checked.address;
    this.#ledger = new HostLedger(checked.coordination);
    this.#connections = new Connections(checked, this.#ledger, {
      answer: (packet) => this.#answers.push(packet),
      started: (now, sender) => this.#scheduler.add(now, sender),
      ended: (sender) => this.#scheduler.remove(sender),
    });
  }

  /** @throws InputError for a field out of range or an id that is in use. */
  startFlow(now: Instant, spec: RoceFlowSpec): void {
    this.#ledger.advance(now);
    checkFlowSpec(spec, INT_CARRIER);
    if (spec.admission !== undefined) throw new InputError('admission is for flows over UDP');
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
    this.#ledger.advance(now);
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
    this.#ledger.advance(now);
    const frame = withoutTag(received);
    const packet = parsePacket(frame, this.#address);
    if ('reason' in packet) {
      const { reason } = packet;
      if (reason === 'other-protocol' && this.#handleNotification(frame)) return;
      this.#ledger.reject(reason, reason === 'malformed' ? packet.fault.toString() : reason);
      return;
    }
    const { counts } = this.#ledger;
    if (FEEDBACK.has(packet.content.kind)) counts.acksReceived++;
    else counts.dataReceived++;
    if (packet.telemetryFault !== undefined) counts.telemetryRefused++;
    if (isInitiatorQpn(packet.bth.destinationQp)) this.#toInitiator(packet, frame);
    else this.#toTarget(packet, frame);
  }

  handleWakeup(now: Instant): void {
    this.#ledger.advance(now);
    this.#scheduler.handleWakeup(now);
  }

  /** The frame that the idle interface shall start to send now, if any. */
  pollTransmit(now: Instant): Packet | undefined {
    this.#ledger.advance(now);
    const answer = this.#answers.take();
    if (answer !== undefined) {
      this.#ledger.counts.acksSent++;
      return answer;
    }
    const sender = this.#scheduler.take(now);
    if (sender === undefined) return undefined;
    this.#ledger.counts.dataSent++;
    const packet = sender.emit(now);
    this.#scheduler.update(now, sender);
    return packet;
  }

  /** When to call handleWakeup, after the last `now`. */
  pollWakeup(): Instant | undefined {
    const at = this.#scheduler.wakeupAfter(this.#ledger.now);
    return at === Infinity ? undefined : at;
  }

  /** The oldest event not yet polled. */
  pollEvent(): HostEvent | undefined {
    return this.#ledger.pollEvent();
  }

  /** State of a flow that this host sends, or has started. */
  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#connections.metrics(id);
  }

  windowLeft(id: number): Bytes | undefined {
    const metrics = this.#connections.metrics(id);
    return metrics && Math.max(metrics.congestion.windowBytes, 0) - metrics.inflightBytes;
  }

  counters(): HostCounters {
    return this.#ledger.counters();
  }

  /** What switches have told this host; undefined unless it listens to them. */
  coordination(): CoordinationCounters | undefined {
    return this.#ledger.coordination();
  }

  /** Returns false for a frame that is no notification to this host, or if it does not listen. */
  #handleNotification(frame: Packet): boolean {
    return this.#ledger.handleNotification(frame, (flow, effect) => {
      const sender = this.#connections.sender(flow);
      if (sender === undefined) return;
      const { now } = this.#ledger;
      sender.handleCoordination(now, effect);
      this.#scheduler.update(now, sender);
    });
  }

  #toInitiator(packet: ReceivedPacket, frame: Packet): void {
    const found = this.#connections.initiatorFor(packet);
    if (typeof found === 'string') {
      this.#ledger.note(found, describe(packet));
      return;
    }
    const { now } = this.#ledger;
    const outcome = found.handle(now, packet, frame);
    if (outcome !== 'taken') this.#ledger.note(outcome, describe(packet));
    this.#scheduler.update(now, found.requester);
  }

  #toTarget(packet: ReceivedPacket, frame: Packet): void {
    const { now } = this.#ledger;
    const found = this.#connections.targetFor(now, packet);
    if (typeof found === 'string') {
      this.#ledger.note(found, describe(packet));
      return;
    }
    const outcome = found.handle(now, packet, frame);
    if (outcome !== 'taken') this.#ledger.note(outcome, describe(packet));
    if (found.server !== undefined) this.#scheduler.update(now, found.server);
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
