import type { Carrier } from '../carrier/carrier';
import type { CongestionMetrics } from '../algorithm/congestion-control';
import { InputError } from '../../common/errors';
import type { Packet } from '../../common/packet/packet';
import type { Instant } from '../../common/units/units';
import type { MoreBytes } from '../host/host';
import { Host } from '../host/host';
import { checkFlowSpec } from '../host/host-config';
import type { FrameRejection } from '../transport/frames/received-frame';
import { isInitiatorQpn, ROCE_FLOW_IDS } from './packets/connection-numbers';
import { Connections } from './connections';
import type { QpSender } from './queue-pair/queue-pair';
import type { ReceivedPacket } from './packets/received-packet';
import { parsePacket } from './packets/received-packet';
import type { RoceConfig, RoceFlowSpec } from './queue-pair/roce-config';
import { checkRoceConfig } from './queue-pair/roce-config';
import type { RoceContent } from './packets/roce-packet';

/**
 * A host that speaks RoCEv2: queue pairs of the reliable connection under HPCC++.
 *
 * A flow is one connection. With READ, the one who starts the flow receives it.
 */
export class RoceHost extends Host<QpSender, RoceFlowSpec> {
  readonly #address: number;
  readonly #carrier: Carrier;
  readonly #connections: Connections;

  /** @throws InputError naming the parameter that is out of range. */
  constructor(config: RoceConfig) {
    const checked = checkRoceConfig(config);
    super(checked.coordination);
    this.#address = checked.address;
    this.#carrier = checked.carrier;
    this.#connections = new Connections(checked, this.ledger, {
      answer: (packet) => this.answers.push(packet),
      started: (now, sender) => this.scheduler.add(now, sender),
      ended: (sender) => this.scheduler.remove(sender),
    });
  }

  protected start(now: Instant, spec: RoceFlowSpec): void {
    checkFlowSpec(spec, this.#carrier, ROCE_FLOW_IDS);
    if (spec.admission !== undefined) throw new InputError('admission is for flows over UDP');
    this.#connections.start(now, spec);
  }

  protected append(now: Instant, id: number, { bytes, isLast }: MoreBytes): QpSender | undefined {
    const initiator = this.#connections.initiator(id);
    if (initiator?.requester.isOpen !== true) return undefined;
    initiator.post(now, bytes, isLast);
    return initiator.requester;
  }

  /** The sender of a flow at this host, or the requester that started it. */
  protected flow(id: number): QpSender | undefined {
    return this.#connections.flow(id);
  }

  override receiverMetrics(sourceAddress: number, flow: number): CongestionMetrics | undefined {
    return this.#connections.receiverControl(sourceAddress, flow)?.metrics();
  }

  protected coordinatedFlow(id: number): QpSender | undefined {
    return this.#connections.sender(id);
  }

  protected receive(now: Instant, frame: Packet): FrameRejection | undefined {
    const packet = parsePacket(frame, this.#address, this.#carrier);
    if ('reason' in packet) return packet;
    const { counts } = this.ledger;
    if (packet.isTrimmed) counts.trimmedReceived++;
    else if (FEEDBACK.has(packet.content.kind)) counts.acksReceived++;
    else counts.dataReceived++;
    if (packet.telemetryFault !== undefined) counts.telemetryRefused++;
    const end = isInitiatorQpn(packet.bth.destinationQp)
      ? this.#connections.initiatorFor(packet)
      : this.#connections.targetFor(now, packet);
    const outcome = typeof end === 'string' ? end : end.handle(now, packet, frame);
    if (outcome !== 'taken') this.ledger.note(outcome, describe(packet));
    if (typeof end === 'string') return undefined;
    const sender = 'requester' in end ? end.requester : end.server;
    if (sender !== undefined) this.scheduler.update(now, sender);
    return undefined;
  }
}

/** Kinds of packets that a host sends because of data that it has received. */
const FEEDBACK: ReadonlySet<RoceContent['kind']> = new Set([
  'acknowledge',
  'telemetry-response',
  'congestion-notice',
]);

function describe({ bth, content }: ReceivedPacket): string {
  const qpn = bth.destinationQp.toString(16).padStart(6, '0');
  return `${content.kind} to queue pair 0x${qpn}, PSN ${bth.psn}`;
}
