import type { Packet } from '../../common/packet/packet';
import type { Instant, PortNumber } from '../../common/units/units';
import { PS_PER_NS } from '../../common/units/units';
import { ETHERNET_LENGTH } from '../../common/wire/ethernet';
import { HPCC_DATA } from '../../common/wire/hpcc-transport';
import { INT_DSCP, INT_FIXED_LENGTH, INT_SHIM_LENGTH, readHop } from '../../common/wire/int-md';
import { IPV4_LENGTH } from '../../common/wire/ipv4';
import { UDP_LENGTH } from '../../common/wire/udp';
import type { HopRecord } from '../../common/telemetry/hop';
import type { Delivery } from '../../host-agent/transport/host-config';
import type { EventQueue } from '../kernel/event-queue';
import type { Channel } from '../network/channel';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';

const DSCP_AT = ETHERNET_LENGTH + 1;
const INT_AT = ETHERNET_LENGTH + IPV4_LENGTH + UDP_LENGTH;
const REMAINING_HOPS_AT = INT_AT + INT_SHIM_LENGTH + 3;
const TRANSPORT_AT = INT_AT + INT_FIXED_LENGTH;
const OCCUPANCY_MAX = 0xff_ffff;
const DEPTH_UNITS_MAX = 2 ** 19 - 1;
/** More than this many reports of one run say nothing new. */
const REPORTS_MAX = 20;

export interface InvariantOptions {
  readonly segmentBytes: number;
  readonly queueUnitBytes: number;
  readonly txUnitBytes: number;
  readonly hopLimit: number;
  /** Node id that the controller gave to a switch. */
  readonly nodeIds: ReadonlyMap<string, number>;
}

interface PortState {
  txBytes: number;
  lastArrival: number;
}

/**
 * Watches a run from outside and reports whatever breaks a law that its parts should keep:
 * what telemetry says equals what the ledger knows, queues are first in first out, no flow has more
 * than its window (and a segment) in flight when it sends, nothing is delivered twice or out of
 * order, and links neither make nor lose bytes.
 */
export class InvariantChecker {
  readonly #o: InvariantOptions;
  readonly #ports = new Map<string, PortState[]>();
  readonly #arrivals = new Map<string, Map<number, number>>();
  readonly #delivered = new Map<string, number>();
  readonly #reports: string[] = [];
  #arrivalCount = 0;
  #telemetryRecords = 0;
  #omitted = 0;

  constructor(options: InvariantOptions) {
    this.#o = options;
  }

  get violations(): string[] {
    const rest = this.#omitted === 0 ? [] : [`and ${this.#omitted} more`];
    return [...this.#reports, ...rest];
  }

  /** How many pushed hop records were compared with the ledger. */
  get telemetryRecords(): number {
    return this.#telemetryRecords;
  }

  switchReceived(node: SwitchNode, packet: Packet): void {
    if (packet.id === undefined) return;
    this.#arrivalsAt(node.name).set(packet.id, ++this.#arrivalCount);
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    const state = this.#portState(node.name, port);
    this.#checkOrder(node, port, packet, state);
    const { bytes } = packet;
    if ((bytes[DSCP_AT] as number) >>> 2 === INT_DSCP && bytes.length >= TRANSPORT_AT) {
      this.#checkTelemetry(node, start, port, { packet, txBytes: state.txBytes });
    }
    state.txBytes += packet.length;
  }

  hostSent(host: HostNode, packet: Packet, now: Instant): void {
    const { bytes } = packet;
    if (bytes.length < TRANSPORT_AT + 4 || (bytes[DSCP_AT] as number) >>> 2 !== INT_DSCP) return;
    if (((bytes[TRANSPORT_AT] as number) & 0xf) !== HPCC_DATA) return;
    const flow = ((bytes[TRANSPORT_AT + 2] as number) << 8) | (bytes[TRANSPORT_AT + 3] as number);
    const metrics = host.agent.flowMetrics(flow);
    if (metrics === undefined) return;
    const limit = Math.max(metrics.congestion.windowBytes, 0) + this.#o.segmentBytes;
    if (metrics.inflightBytes > limit) {
      const over = `${metrics.inflightBytes} bytes in flight, limit ${limit}`;
      this.report(`${now} ps: ${host.name} flow ${flow}: ${over}`);
    }
  }

  delivered(host: string, delivery: Delivery): void {
    const flow = `${delivery.sourceAddress} flow ${delivery.flow} at ${host}`;
    const expected = this.#delivered.get(flow) ?? 0;
    if (delivery.sequence !== expected) {
      this.report(`${flow}: delivered byte ${delivery.sequence}, expected ${expected}`);
    }
    this.#delivered.set(flow, delivery.sequence + delivery.length);
  }

  /** At the end of a run: what channels sent is delivered, lost or on the way. */
  checkChannels(channels: readonly Channel[], queue: EventQueue): void {
    for (const channel of channels) {
      const { name, ledger } = channel;
      const onTheWay = queue.pendingPackets(channel).reduce((sum, { length }) => sum + length, 0);
      const missing = ledger.sentBytes - ledger.deliveredBytes - ledger.lostBytes - onTheWay;
      if (missing !== 0) this.report(`${name}: ${missing} bytes appeared or vanished`);
    }
  }

  #checkOrder(node: SwitchNode, port: PortNumber, packet: Packet, state: PortState): void {
    if (packet.id === undefined) return;
    const arrivals = this.#arrivalsAt(node.name);
    const arrival = arrivals.get(packet.id) ?? -1;
    arrivals.delete(packet.id);
    if (arrival <= state.lastArrival) {
      this.report(`${node.name} port ${port}: packet ${packet.id} overtook an earlier one`);
    }
    state.lastArrival = arrival;
  }

  #checkTelemetry(
    node: SwitchNode,
    start: Instant,
    port: PortNumber,
    { packet, txBytes }: { readonly packet: Packet; readonly txBytes: number },
  ): void {
    const pushes = this.#o.hopLimit - (packet.bytes[REMAINING_HOPS_AT] as number);
    if (pushes <= 0) return;
    this.#telemetryRecords++;
    const found = readHop(packet.bytes, TRANSPORT_AT);
    const unit = this.#o.queueUnitBytes;
    const units = Math.min(Math.floor(node.device.queueBytes(port) / unit), DEPTH_UNITS_MAX);
    const expected: Partial<HopRecord> = {
      switchId: this.#o.nodeIds.get(node.name) ?? -1,
      portId: port,
      timestamp: Math.floor(start / PS_PER_NS),
      txBytes: txBytes - (txBytes % this.#o.txUnitBytes),
      queueBytes: Math.min(units * unit, OCCUPANCY_MAX),
      capacity: node.channel(port)?.rate ?? -1,
    };
    for (const [field, value] of Object.entries(expected)) {
      const got = found[field as keyof HopRecord];
      if (got === value) continue;
      const where = `${start} ps: ${node.name} port ${port}`;
      this.report(`${where}: telemetry has ${field} ${got}, the ledger ${value}`);
    }
  }

  #arrivalsAt(node: string): Map<number, number> {
    let arrivals = this.#arrivals.get(node);
    if (arrivals === undefined) this.#arrivals.set(node, (arrivals = new Map<number, number>()));
    return arrivals;
  }

  #portState(node: string, port: PortNumber): PortState {
    let ports = this.#ports.get(node);
    if (ports === undefined) this.#ports.set(node, (ports = []));
    return (ports[port] ??= { txBytes: 0, lastArrival: -1 });
  }

  /** Adds a broken law that somebody else noticed. */
  report(text: string): void {
    if (this.#reports.length < REPORTS_MAX) this.#reports.push(text);
    else this.#omitted++;
  }
}
