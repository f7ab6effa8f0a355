import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';
import {
  HPCC_DATA,
  HPCC_FLAG_TO_RECEIVER,
  HPCC_PROBE,
  HPCC_SWITCH_RESPONSE,
} from '../../common/wire/hpcc/hpcc-transport';
import { withoutTag } from '../../common/wire/coordination/tagged-frame';
import type { Carrier } from '../carrier/carrier';
import type { CoordinationCounters } from '../coordination/host-coordination';
import type { Agent } from '../host/agent';
import { FrameOutput } from './frames/frame-output';
import type { FlowSpec, HostConfig } from '../host/host-config';
import { checkHostConfig } from '../host/host-config';
import type { HostCounters, HostEvent } from '../host/host-events';
import { HostLedger } from '../host/host-ledger';
import { IncomingFlows } from './receiving/incoming-flows';
import type { FlowMetrics } from '../host/agent';
import { OutgoingFlows } from './sending/outgoing-flows';
import type { FrameRejection, ReceivedFrame } from './frames/received-frame';
import { FrameRecords, parseFrame } from './frames/received-frame';

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
  readonly #carrier: Carrier;
  readonly #records = new FrameRecords();
  readonly #ledger: HostLedger;
  readonly #outgoing: OutgoingFlows;
  readonly #incoming: IncomingFlows;

  /** @throws InputError naming the parameter that is out of range. */
  constructor(config: HostConfig) {
    const checked = checkHostConfig(config);
    const output = new FrameOutput(0, checked.memory);
    const sending = new FrameOutput(checked.trailerBytes, checked.memory);
    this.#address = checked.address;
    this.#carrier = checked.carrier;
    this.#ledger = new HostLedger(checked.coordination);
    this.#outgoing = new OutgoingFlows(checked, sending, this.#ledger);
    this.#incoming = new IncomingFlows(checked, output, this.#ledger);
  }

  /** @throws InputError for a field out of range or an id that is in use. */
  startFlow(now: Instant, spec: FlowSpec): void {
    this.#ledger.advance(now);
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
    this.#ledger.advance(now);
    this.#outgoing.append(now, id, more);
  }

  /** Takes a frame from the wire. Frames that are not ours or malformed are counted drops. */
  handlePacket(now: Instant, received: Packet): void {
    this.#ledger.advance(now);
    const packet = withoutTag(received);
    const frame = parseFrame(packet, this.#address, this.#carrier, this.#records);
    if ('reason' in frame) {
      if (frame.reason === 'other-protocol' && this.#handleNotification(packet)) return;
      this.#ledger.reject(frame.reason, describe(frame));
    } else if (frame.transport.type === HPCC_DATA || frame.transport.type === HPCC_PROBE) {
      this.#handleForward(frame, packet);
    } else {
      this.#handleFeedback(frame, packet);
    }
  }

  handleWakeup(now: Instant): void {
    this.#ledger.advance(now);
    this.#incoming.handleWakeup(now);
    this.#outgoing.handleWakeup(now);
  }

  /** The frame that the idle interface shall start to send now, if any. */
  pollTransmit(now: Instant): Packet | undefined {
    this.#ledger.advance(now);
    const ack = this.#incoming.pollTransmit();
    if (ack !== undefined) {
      this.#ledger.counts.acksSent++;
      return ack;
    }
    const data = this.#outgoing.pollTransmit(now);
    if (data !== undefined) this.#ledger.counts.dataSent++;
    return data;
  }

  /**
   * When to call handleWakeup, after the last `now`, or undefined if only a packet can bring work.
   * Flows that may send already wait for the interface and need no wake-up.
   */
  pollWakeup(): Instant | undefined {
    const at = Math.min(this.#incoming.wakeupAt, this.#outgoing.wakeupAfter(this.#ledger.now));
    return at === Infinity ? undefined : at;
  }

  mayTransmit(until: Instant): boolean {
    return this.#incoming.hasAnswers || this.#outgoing.mayTransmit(until);
  }

  /** The oldest event not yet polled. */
  pollEvent(): HostEvent | undefined {
    return this.#ledger.pollEvent();
  }

  /** State of a running flow. */
  flowMetrics(id: number): FlowMetrics | undefined {
    return this.#outgoing.metrics(id);
  }

  windowLeft(id: number): Bytes | undefined {
    return this.#outgoing.windowLeft(id);
  }

  /** What switches have told this host; undefined unless it listens to them. */
  coordination(): CoordinationCounters | undefined {
    return this.#ledger.coordination();
  }

  counters(): HostCounters {
    return this.#ledger.counters();
  }

  #handleForward(frame: ReceivedFrame, packet: Packet): void {
    const { counts, now } = this.#ledger;
    counts.dataReceived++;
    if (frame.telemetryFault !== undefined) counts.telemetryRefused++;
    const refused =
      frame.transport.type === HPCC_DATA
        ? this.#incoming.handleData(now, frame, packet)
        : this.#incoming.handleProbe(now, frame, packet);
    if (refused !== undefined) this.#ledger.reject(refused, describeTransport(frame));
  }

  #handleFeedback(frame: ReceivedFrame, packet: Packet): void {
    const { counts, now } = this.#ledger;
    counts.acksReceived++;
    const { type, flags } = frame.transport;
    const isForReceiver = type === HPCC_SWITCH_RESPONSE && (flags & HPCC_FLAG_TO_RECEIVER) !== 0;
    const outcome = isForReceiver
      ? this.#incoming.handleSwitchResponse(now, frame, packet)
      : this.#outgoing.handleFeedback(now, frame, packet);
    if (outcome !== 'taken') this.#ledger.note(outcome, describeTransport(frame));
  }

  #handleNotification(packet: Packet): boolean {
    return this.#ledger.handleNotification(packet, (flow, effect) => {
      this.#outgoing.handleCoordination(this.#ledger.now, flow, effect);
    });
  }
}

function describe(rejection: FrameRejection): string {
  return rejection.reason === 'malformed' ? rejection.fault.toString() : rejection.reason;
}

function describeTransport({ transport }: ReceivedFrame): string {
  const { flowId, generation, sequence } = transport;
  return `flow ${flowId}, generation ${generation}, sequence ${sequence}`;
}
