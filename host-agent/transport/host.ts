import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant } from '../../common/units/units';
import {
  HPCC_DATA,
  HPCC_FLAG_TO_RECEIVER,
  HPCC_PROBE,
  HPCC_SETTINGS,
  HPCC_SWITCH_RESPONSE,
} from '../../common/wire/hpcc/hpcc-transport';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import type { Carrier } from '../carrier/carrier';
import type { MoreBytes } from '../host/host';
import { Host } from '../host/host';
import type { FlowSpec, HostConfig } from '../host/host-config';
import { checkHostConfig } from '../host/host-config';
import { IncomingFlows } from './receiving/incoming-flows';
import type { OutgoingFlow } from './sending/outgoing-flow';
import { OutgoingFlows } from './sending/outgoing-flows';
import type { FrameRejection, ReceivedFrame } from './frames/received-frame';
import { FrameRecords, parseFrame } from './frames/received-frame';

/** A host whose flows use the reliable transport over UDP. */
export class HostAgent extends Host<OutgoingFlow> {
  readonly #address: number;
  readonly #carrier: Carrier;
  readonly #records = new FrameRecords();
  readonly #outgoing: OutgoingFlows;
  readonly #incoming: IncomingFlows;

  /** @throws InputError naming the parameter that is out of range. */
  constructor(config: HostConfig) {
    const checked = checkHostConfig(config);
    super(checked.coordination);
    this.#address = checked.address;
    this.#carrier = checked.carrier;
    this.#outgoing = new OutgoingFlows(checked, this.scheduler, this.ledger);
    this.#incoming = new IncomingFlows(checked, this.answers, this.ledger);
  }

  /** PERF: for what asks at every packet. */
  override windowLeft(id: number): Bytes | undefined {
    return this.#outgoing.flow(id)?.windowLeft;
  }

  protected start(now: Instant, spec: FlowSpec): void {
    this.#outgoing.start(now, spec);
  }

  protected append(now: Instant, id: number, { bytes, isLast }: MoreBytes) {
    const flow = this.#outgoing.flow(id);
    if (flow?.sender.isOpen !== true) return undefined;
    flow.sender.append(now, bytes, isLast);
    return flow;
  }

  protected flow(id: number): OutgoingFlow | undefined {
    return this.#outgoing.flow(id);
  }

  override receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    return this.#incoming.metricsOf(sourceAddress, flow);
  }

  protected coordinatedFlow(id: number): OutgoingFlow | undefined {
    return this.#outgoing.flow(id);
  }

  protected override releaseAnswers(now: Instant): void {
    this.#incoming.handleWakeup(now);
  }

  protected override get releaseAt(): Instant {
    return this.#incoming.wakeupAt;
  }

  protected receive(now: Instant, packet: Packet): FrameRejection | undefined {
    const frame = parseFrame(packet, this.#address, this.#carrier, this.#records);
    if ('reason' in frame) return frame;
    const { ledger } = this;
    const { type, flags } = frame.transport;
    if (type === HPCC_SETTINGS) {
      // Hosts that compare settings take them before.
      ledger.reject('unrequested', describe(frame));
      return undefined;
    }
    if (frame.isTrimmed) {
      ledger.counts.trimmedReceived++;
      const refused = this.#incoming.handleTrimmed(now, frame, packet);
      if (refused !== undefined) ledger.reject(refused, describe(frame));
      return undefined;
    }
    if (type === HPCC_DATA || type === HPCC_PROBE) {
      ledger.counts.dataReceived++;
      if (frame.telemetryFault !== undefined) ledger.counts.telemetryRefused++;
      const refused =
        type === HPCC_DATA
          ? this.#incoming.handleData(now, frame, packet)
          : this.#incoming.handleProbe(now, frame, packet);
      if (refused !== undefined) ledger.reject(refused, describe(frame));
      return undefined;
    }
    ledger.counts.acksReceived++;
    const isForReceiver = type === HPCC_SWITCH_RESPONSE && (flags & HPCC_FLAG_TO_RECEIVER) !== 0;
    const outcome = isForReceiver
      ? this.#incoming.handleSwitchResponse(now, frame, packet)
      : this.#outgoing.handleFeedback(now, frame, packet);
    if (outcome !== 'taken') ledger.note(outcome, describe(frame));
    return undefined;
  }
}

function describe({ transport }: ReceivedFrame): string {
  const { flowId, generation, sequence } = transport;
  return `flow ${flowId}, generation ${generation}, sequence ${sequence}`;
}
