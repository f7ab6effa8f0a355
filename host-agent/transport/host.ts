import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';
import {
  HPCC_DATA,
  HPCC_FLAG_TO_RECEIVER,
  HPCC_PROBE,
  HPCC_SWITCH_RESPONSE,
} from '../../common/wire/hpcc/hpcc-transport';
import type { CoordinationCounters, HostCoordination } from '../coordination/host-coordination';
import type { Agent } from '../host/agent';
import { Fifo } from '../nic/fifo';
import { FrameOutput } from './frames/frame-output';
import type { FlowSpec, HostConfig } from '../host/host-config';
import { checkHostConfig } from '../host/host-config';
import type { HostCounters, HostEvent, PacketRejection } from '../host/host-events';
import { IncomingFlows } from './receiving/incoming-flows';
import type { FlowMetrics } from '../host/agent';
import { OutgoingFlows } from './sending/outgoing-flows';
import type { FrameRejection, ReceivedFrame } from './frames/received-frame';
import { parseFrame } from './frames/received-frame';

/**
 * A host with one interface: a state machine without clock and sockets, driven from outside.
 *
 *     startFlow, appendToFlow, handlePacket, handleWakeup   -> what happens, and when
 *     pollTransmit    -> the next frame; ask when the interface is idle, after every handle call
 *     pollWakeup      -> when to call handleWakeup, and then pollTransmit; ask after the transmits
 *     pollEvent       -> what the driver may want to know
 *
 * `now` never goes backwards. Polling more often, or waking early, changes nothing.
 * Acknowledgements leave before data; data flows take turns.
 */
export class HostAgent implements Agent {
  readonly #address: number;
  readonly #coordination: HostCoordination | undefined;
  readonly #outgoing: OutgoingFlows;
  readonly #incoming: IncomingFlows;
  readonly #events = new Fifo<HostEvent>();
  #now: Instant = 0;
  #dataSent = 0;
  #acksSent = 0;
  #dataReceived = 0;
  #acksReceived = 0;
  #acksLate = 0;
  #telemetryRefused = 0;
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
  constructor(config: HostConfig) {
    const checked = checkHostConfig(config);
    const output = new FrameOutput();
    const emitEvent = (event: HostEvent): void => this.#events.push(event);
    this.#address = checked.address;
    this.#coordination = checked.coordination;
    this.#outgoing = new OutgoingFlows(checked, output, emitEvent);
    this.#incoming = new IncomingFlows(checked, output, emitEvent);
  }

  /** @throws InputError for a field out of range or an id that is in use. */
  startFlow(now: Instant, spec: FlowSpec): void {
    this.#advance(now);
    this.#outgoing.start(now, spec);
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
    this.#outgoing.append(now, id, more);
  }

  /** Takes a frame from the wire. Frames that are not ours or malformed are counted drops. */
  handlePacket(now: Instant, packet: Packet): void {
    this.#advance(now);
    const frame = parseFrame(packet, this.#address);
    if ('reason' in frame) {
      if (frame.reason === 'other-protocol' && this.#handleNotification(packet)) return;
      this.#reject(frame.reason, describe(frame));
    } else if (frame.transport.type === HPCC_DATA || frame.transport.type === HPCC_PROBE) {
      this.#handleForward(frame, packet);
    } else {
      this.#handleFeedback(frame, packet);
    }
  }

  handleWakeup(now: Instant): void {
    this.#advance(now);
    this.#incoming.handleWakeup(now);
    this.#outgoing.handleWakeup(now);
  }

  /** The frame that the idle interface shall start to send now, if any. */
  pollTransmit(now: Instant): Packet | undefined {
    this.#advance(now);
    const ack = this.#incoming.pollTransmit();
    if (ack !== undefined) {
      this.#acksSent++;
      return ack;
    }
    const data = this.#outgoing.pollTransmit(now);
    if (data !== undefined) this.#dataSent++;
    return data;
  }

  /**
   * When to call handleWakeup, after the last `now`, or undefined if only a packet can bring work.
   * Flows that may send already wait for the interface and need no wake-up.
   */
  pollWakeup(): Instant | undefined {
    const at = Math.min(this.#incoming.wakeupAt, this.#outgoing.wakeupAfter(this.#now));
    return at === Infinity ? undefined : at;
  }

  /** The oldest event not yet polled. */
  pollEvent(): HostEvent | undefined {
    return this.#events.take();
  }

  /** State of a running flow. */
  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#outgoing.metrics(id);
  }

  /** What switches have told this host; undefined unless it listens to them. */
  coordination(): CoordinationCounters | undefined {
    return this.#coordination?.counters;
  }

  counters(): HostCounters {
    return {
      dataSent: this.#dataSent,
      acksSent: this.#acksSent,
      dataReceived: this.#dataReceived,
      acksReceived: this.#acksReceived,
      acksLate: this.#acksLate,
      bytesDelivered: this.#incoming.bytesDelivered,
      telemetryRefused: this.#telemetryRefused,
      packetsRejected: { ...this.#packetsRejected },
    };
  }

  #advance(now: Instant): void {
    assert(now >= this.#now, 'time does not go backwards');
    this.#now = now;
  }

  #handleForward(frame: ReceivedFrame, packet: Packet): void {
    this.#dataReceived++;
    if (frame.telemetryFault !== undefined) this.#telemetryRefused++;
    const isTaken =
      frame.transport.type === HPCC_DATA
        ? this.#incoming.handleData(this.#now, frame, packet)
        : this.#incoming.handleProbe(this.#now, frame, packet);
    if (isTaken) return;
    this.#reject('old-generation', describeTransport(frame));
  }

  #handleFeedback(frame: ReceivedFrame, packet: Packet): void {
    this.#acksReceived++;
    const { type, flags } = frame.transport;
    if (type === HPCC_SWITCH_RESPONSE && (flags & HPCC_FLAG_TO_RECEIVER) !== 0) {
      if (this.#incoming.handleSwitchResponse(this.#now, frame, packet)) return;
      this.#reject('unrequested', describeTransport(frame));
      return;
    }
    const outcome = this.#outgoing.handleFeedback(this.#now, frame, packet);
    switch (outcome) {
      case 'taken':
        return;
      case 'late':
        this.#acksLate++;
        return;
      case 'unknown-flow':
      case 'acknowledges-unsent':
      case 'unrequested':
      case 'unauthenticated':
      case 'replayed':
        this.#reject(outcome, describeTransport(frame));
    }
  }

  /** Returns false for a frame that is no notification to this host, or if it does not listen. */
  #handleNotification(packet: Packet): boolean {
    const outcome = this.#coordination?.handle(this.#now, packet);
    if (outcome === undefined || outcome.kind === 'not-a-notification') return false;
    if (outcome.kind === 'refused') this.#reject(outcome.reason, outcome.detail);
    else this.#outgoing.handleCoordination(this.#now, outcome.flow, outcome.effect);
    return true;
  }

  #reject(reason: PacketRejection, detail: string): void {
    this.#packetsRejected[reason]++;
    this.#events.push({ kind: 'packet-rejected', at: this.#now, reason, detail });
  }
}

function describe(rejection: FrameRejection): string {
  return rejection.reason === 'malformed' ? rejection.fault.toString() : rejection.reason;
}

function describeTransport({ transport }: ReceivedFrame): string {
  const { flowId, generation, sequence } = transport;
  return `flow ${flowId}, generation ${generation}, sequence ${sequence}`;
}
