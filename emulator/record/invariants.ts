import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant, PortNumber } from '../../common/units/units';
import { PORT_OF_REPORTS } from '../../controller/intent/roles/report-way';
import { isExactInTelemetry, telemetryMegabits } from '../../controller/intent/telemetry-rate';
import { PS_PER_NS } from '../../common/units/units';
import { ROCE_PORT } from '../../common/wire/roce/bth';
import { readUint16 } from '../../common/wire/bytes';
import { CCM_PORT } from '../../common/wire/coordination/ccm-notification';
import { HPCC_SWITCH_RESPONSE } from '../../common/wire/hpcc/hpcc-transport';
import {
  INT_DSCP,
  INT_FIXED_LENGTH,
  INT_SHIM_LENGTH,
  noHop,
  readNewestHop,
} from '../../common/wire/int/int-md';
import { afterIpIn, dscpIn } from '../../common/wire/ip/plain-frame';
import { UDP_LENGTH } from '../../common/wire/ip/udp';
import type { HopRecord } from '../../common/hop/hop';
import { isTagged, withoutTag } from '../../common/wire/coordination/tagged-frame';
import type { Delivery } from '../../host-agent/host/host-config';
import type { HostEvent } from '../../host-agent/host/host-events';
import { relativeAmount } from '../../controller/document/relative-telemetry';
import type { ShownPort } from '../../controller/document/relative-telemetry';
import type { ChannelLedger } from '../network/link-rows';
import type { HostNode } from '../node/host-node';
import type { SwitchNode } from '../node/switch-node';
import { arrayOf, startOf, storedLength } from '../../switch/executor/packet-pool';
import { ArrivalTable } from './arrival-table';
import type { HostFrames } from './host-frames';
import { transportDataFlow } from './host-frames';
import { roceFrameInfo } from './roce-frame';
import type { RunObserver } from './run-observer';

/** Within INT, from its shim on. */
const FLAGS = INT_SHIM_LENGTH;
/** E of INT-MD, beside the version in the first byte. */
const HOP_LIMIT_EXCEEDED = 0x4;
const REMAINING_HOPS = INT_SHIM_LENGTH + 3;
const OCCUPANCY_MAX = 0xff_ffff;
const DEPTH_UNITS_MAX = 2 ** 19 - 1;
/** More than this many reports of one run say nothing new. */
const REPORTS_MAX = 20;

export interface InvariantOptions {
  readonly segmentBytes: number;
  readonly queueUnitBytes: number;
  /** Rounding of queue lengths to units: of the whole queue together, or of each packet. */
  readonly queueRounding: 'queue' | 'packet';
  readonly txUnitBytes: number;
  readonly hopLimit: number;
  /** The present instant of the run. */
  readonly now: () => Instant;
  /** Node id that the controller gave to a switch. */
  readonly nodeIds: ReadonlyMap<string, number>;
  /** Switches whose ports have a queue per class, by DSCP. */
  readonly classedSwitches: ReadonlySet<string>;
  /** Those of them whose telemetry tells all that waits at the port. */
  readonly trimmingSwitches: ReadonlySet<string>;
  /**
   * The queue of a DSCP where queues share ports by weights: telemetry then describes the queue, as
   * if it were a link. Absent: they do not.
   */
  readonly weightedQueueOf?: ((dscp: number) => number) | undefined;
  /** Figures that a port shows in place of its own, by the switch's name; absent: its own. */
  readonly shownAs?: ((node: string, port: PortNumber) => ShownPort | undefined) | undefined;
  /** Reader of the hosts' frames. */
  readonly frames: HostFrames;
}

/** A broken law. */
export interface Report {
  readonly at: Instant;
  readonly text: string;
}

/** One direction of a link at the end of a run. */
export interface EndedLink {
  readonly name: string;
  readonly ledger: Readonly<ChannelLedger>;
  readonly bytesOnTheWay: Bytes;
}

interface PortState {
  txBytes: number;
  /** The rate of its link as telemetry carries it, in bit/s; -1 without a link. */
  readonly capacity: number;
  /** Bytes sent by queue, where queues have weights. */
  readonly queueTxBytes: number[];
  /** Latest arrivals by DSCP where there are classes, and else one for all. */
  readonly lastArrivals: number[];
}

/** Fields of a record that the ledger knows, too. */
const CHECKED_FIELDS = [
  'switchId',
  'portId',
  'timestamp',
  'txBytes',
  'queueBytes',
  'capacity',
  'sojournNs',
] as const;
type CheckedFields = { -readonly [Field in (typeof CHECKED_FIELDS)[number]]: HopRecord[Field] };

/** The ledger of a switch. */
interface SwitchLedger {
  /** Node id that the controller gave to it. */
  readonly id: number;
  /** True if its ports have a queue per class. */
  readonly hasClasses: boolean;
  /** Packets that are in it, numbered as they came, because many come at one instant. */
  readonly arrivals: ArrivalTable;
  /** By number. */
  readonly ports: PortState[];
}

/**
 * Watches a run from outside and reports whatever breaks a law that its parts should keep:
 * what telemetry says equals what the ledger knows, queues are first in first out, no flow has more
 * than its window (and a segment) in flight when it sends, nothing is delivered twice or out of
 * order, and links neither make nor lose bytes.
 */
export class InvariantChecker implements RunObserver {
  readonly #o: InvariantOptions;
  readonly #ledgers = new Map<string, SwitchLedger>();
  /** The switch that something has happened at last. PERF: mostly it is that one again. */
  #node: SwitchNode | undefined;
  #ledger: SwitchLedger | undefined;
  /** The record of telemetry, and that of the ledger. PERF: filled in for each packet. */
  readonly #found = noHop();
  readonly #own = noCheckedFields();
  /** Bytes delivered, by host, address of the sender and flow. */
  readonly #delivered = new Map<string, Map<number, Map<number, number>>>();
  readonly #reports: Report[] = [];
  #arrivalCount = 0;
  #telemetryRecords = 0;
  #omitted = 0;

  constructor(options: InvariantOptions) {
    this.#o = options;
  }

  get reports(): readonly Report[] {
    return this.#reports;
  }

  /** Reports that say nothing new. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Number of pushed hop records that were compared with the ledger. */
  get telemetryRecords(): number {
    return this.#telemetryRecords;
  }

  switchReceived(node: SwitchNode, packet: Packet, at: Instant): void {
    if (packet.id === undefined || isMadeBySwitch(packet)) return;
    this.#ledgerOf(node).arrivals.add(packet.id, ++this.#arrivalCount, at);
  }

  switchTransmitted(node: SwitchNode, start: Instant, port: PortNumber, packet: Packet): void {
    const ledger = this.#ledgerOf(node);
    const state = (ledger.ports[port] ??= newPortState(node, port));
    const arrivedAt = this.#checkOrder(node, port, packet, state);
    if (this.#hasInt(packet)) {
      const queue = this.#weightedQueue(node, packet);
      this.#checkTelemetry(node, { packet, start, port, state, arrivedAt, queue });
    }
    this.#countSent(node, packet, state);
  }

  #countSent(node: SwitchNode, packet: Packet, state: PortState): void {
    state.txBytes += packet.length;
    const queue = this.#weightedQueue(node, packet);
    if (queue === undefined) return;
    state.queueTxBytes[queue] = (state.queueTxBytes[queue] ?? 0) + packet.length;
  }

  /** The queue of a packet, where telemetry describes queues. */
  #weightedQueue({ name }: SwitchNode, packet: Packet): number | undefined {
    const { weightedQueueOf, classedSwitches, frames } = this.#o;
    if (weightedQueueOf === undefined || !classedSwitches.has(name)) return undefined;
    return weightedQueueOf(frames.classOf(packet));
  }

  hostSent(host: HostNode, packet: Packet, now: Instant): void {
    const { bytes } = packet;
    const roce = roceFrameInfo(packet, this.#o.frames.carrier);
    if (roce !== undefined) {
      if (roce.purpose === 'data') this.#checkWindow(host, roce.flow, now);
      return;
    }
    const { frames } = this.#o;
    if (!frames.requestsTelemetry(bytes)) return;
    const flow = transportDataFlow(bytes, frames.transportAt(bytes));
    if (flow !== undefined) this.#checkWindow(host, flow, now);
  }

  /** The blocks of INT say all that the ledger knows; records of other carriers are not compared. */
  #hasInt(packet: Packet): boolean {
    const bytes = arrayOf(packet);
    const start = startOf(packet);
    const isInt = this.#o.frames.carrier.name === 'int';
    if (!isInt || dscpIn(bytes, start) !== INT_DSCP) return false;
    const needed = afterIpIn(bytes, start) - start + UDP_LENGTH + INT_FIXED_LENGTH;
    return storedLength(packet) >= needed;
  }

  delivered(host: string, delivery: Delivery): void {
    const { sourceAddress, flow, sequence, length } = delivery;
    const flows = this.#deliveredTo(host, sourceAddress);
    const expected = flows.get(flow) ?? 0;
    if (sequence !== expected) {
      const whose = `${sourceAddress} flow ${flow} at ${host}`;
      this.report(`${whose}: delivered byte ${sequence}, expected ${expected}`);
    }
    flows.set(flow, sequence + length);
  }

  /** Its id may be another flow's from now on. */
  hostEvent({ name }: HostNode, event: HostEvent): void {
    if (event.kind !== 'flow-received') return;
    this.#delivered.get(name)?.get(event.sourceAddress)?.delete(event.flow);
  }

  /** PERF: by numbers, since a text for each delivery costs more than all else that is checked of it. */
  #deliveredTo(host: string, sourceAddress: number): Map<number, number> {
    let sources = this.#delivered.get(host);
    if (sources === undefined)
      this.#delivered.set(host, (sources = new Map<number, Map<number, number>>()));
    let flows = sources.get(sourceAddress);
    if (flows === undefined) sources.set(sourceAddress, (flows = new Map<number, number>()));
    return flows;
  }

  /** Returns when the packet had arrived, if it is known. */
  #checkOrder(
    node: SwitchNode,
    port: PortNumber,
    packet: Packet,
    state: PortState,
  ): Instant | undefined {
    if (packet.id === undefined || isMadeBySwitch(packet)) return undefined;
    const { arrivals, hasClasses } = this.#ledgerOf(node);
    const order = arrivals.take(packet.id);
    const queue = hasClasses ? this.#o.frames.classOf(packet) : 0;
    if (order === undefined || order <= (state.lastArrivals[queue] ?? 0)) {
      this.report(`${node.name} port ${port}: packet ${packet.id} overtook an earlier one`);
    }
    state.lastArrivals[queue] = order ?? -1;
    return hasClasses && order !== undefined ? arrivals.takenAt : undefined;
  }

  #checkTelemetry(node: SwitchNode, departing: Departing): void {
    const { packet, start, port } = departing;
    const bytes = arrayOf(packet);
    const frameAt = startOf(packet);
    const intAt = afterIpIn(bytes, frameAt) + UDP_LENGTH;
    const pushes = this.#o.hopLimit - (bytes[intAt + REMAINING_HOPS] as number);
    // A switch that has found no room has pushed nothing.
    if (pushes <= 0 || ((bytes[intAt + FLAGS] as number) & HOP_LIMIT_EXCEEDED) !== 0) return;
    this.#telemetryRecords++;
    const found = readNewestHop(bytes, intAt, frameAt + storedLength(packet), this.#found);
    if (found === undefined) {
      this.report(`${start} ps: ${node.name} port ${port}: ${pushes} pushes, but an empty stack`);
      return;
    }
    const own = this.#expected(node, departing, found);
    if (isSame(found, own)) return;
    for (const field of CHECKED_FIELDS) {
      if (found[field] === own[field]) continue;
      const where = `${start} ps: ${node.name} port ${port}`;
      const told = `telemetry has ${field} ${found[field]}, the ledger ${own[field]}`;
      this.report(`${where}: ${told}`);
    }
  }

  /** The record that telemetry should have. */
  #expected(
    node: SwitchNode,
    { start, port, state, arrivedAt, queue }: Departing,
    found: HopRecord,
  ): CheckedFields {
    const own = this.#own;
    const txBytes = queue === undefined ? state.txBytes : (state.queueTxBytes[queue] ?? 0);
    own.switchId = this.#ledgerOf(node).id;
    own.portId = port;
    own.timestamp = Math.floor(start / PS_PER_NS);
    own.txBytes = (txBytes - (txBytes % this.#o.txUnitBytes)) % found.txBytesModulus;
    own.queueBytes = this.#queueBehind(node, port, found);
    // The part of a link depends on who else is active, which only the switch knows.
    own.capacity = queue === undefined ? state.capacity : found.capacity;
    own.sojournNs =
      found.sojournNs === undefined ? undefined : nanosecondsBetween(arrivedAt ?? -1, start);
    const shown = this.#o.shownAs?.(node.name, port);
    return shown === undefined ? own : asShown(own, shown);
  }

  /** As the switch may report it: in cells of the traffic manager, or exactly from registers. */
  #queueBehind({ name, device }: SwitchNode, port: PortNumber, found: HopRecord): Bytes {
    if (this.#o.trimmingSwitches.has(name)) return Math.min(device.queueBytes(port), OCCUPANCY_MAX);
    if (this.#o.classedSwitches.has(name))
      return Math.min(device.priorityQueueBytes(port, found.queueId ?? 0), OCCUPANCY_MAX);
    const { queueUnitBytes: unit, queueRounding } = this.#o;
    const bytes = device.queueBytes(port);
    const told = (cells: number): Bytes =>
      Math.min(unit * Math.min(cells, DEPTH_UNITS_MAX), OCCUPANCY_MAX);
    if (queueRounding === 'queue') return told(Math.floor(bytes / unit));
    // The ledger has no cells of its own: each packet takes less than one more than its bytes fill.
    const least = Math.ceil(bytes / unit);
    const most = least + device.queuePackets(port);
    const cells = Math.round((found.queueBytes ?? 0) / unit);
    return told(Math.min(Math.max(cells, least), most));
  }

  #checkWindow(host: HostNode, flow: number, now: Instant): void {
    const left = (host.agent.windowLeft(flow) ?? 0) + this.#o.segmentBytes;
    if (left >= 0) return;
    const inflight = host.agent.flowMetrics(flow)?.inflightBytes ?? 0;
    const over = `${inflight} bytes in flight, limit ${inflight + left}`;
    this.report(`${now} ps: ${host.name} flow ${flow}: ${over}`);
  }

  #ledgerOf(node: SwitchNode): SwitchLedger {
    if (node !== this.#node || this.#ledger === undefined) {
      this.#node = node;
      this.#ledger = this.#ledgers.get(node.name) ?? this.#newLedger(node.name);
    }
    return this.#ledger;
  }

  #newLedger(name: string): SwitchLedger {
    const { nodeIds, classedSwitches } = this.#o;
    const id = nodeIds.get(name) ?? -1;
    const hasClasses = classedSwitches.has(name);
    const ledger = { id, hasClasses, arrivals: new ArrivalTable(), ports: [] };
    this.#ledgers.set(name, ledger);
    return ledger;
  }

  /** Adds a broken law that another observer noticed. */
  report(text: string): void {
    const at = this.#o.now();
    if (this.#reports.length < REPORTS_MAX) this.#reports.push({ at, text });
    else this.#omitted++;
  }
}

/** The record of a switch that shows loads relative to capacities. */
const asShown = (own: CheckedFields, shown: ShownPort): CheckedFields => ({
  ...own,
  switchId: shown.alias,
  portId: 0,
  txBytes: relativeAmount(own.txBytes ?? 0, shown),
  queueBytes: Math.min(relativeAmount(own.queueBytes ?? 0, shown), OCCUPANCY_MAX),
  capacity: shown.nominalMbps * 1e6,
});

/**
 * Reports links on which bytes appeared or vanished: sent is not delivered, lost and on the way
 * together.
 */
export function linkViolations(links: readonly EndedLink[]): string[] {
  return links.flatMap(({ name, ledger, bytesOnTheWay }) => {
    const missing = ledger.sentBytes - ledger.deliveredBytes - ledger.lostBytes - bytesOnTheWay;
    return missing === 0 ? [] : [`${name}: ${missing} bytes appeared or vanished`];
  });
}

/** The first reports of all observers in order of time, and the number of further ones. */
export function violationTexts(reports: readonly Report[], omitted: number): string[] {
  const inOrder = [...reports].sort((a, b) => a.at - b.at || (a.text < b.text ? -1 : 1));
  const texts = inOrder.slice(0, REPORTS_MAX).map(({ text }) => text);
  const rest = omitted + reports.length - texts.length;
  return rest === 0 ? texts : [...texts, `and ${rest} more`];
}

/** A packet that starts on the wire, and what its port had sent before. */
interface Departing {
  readonly packet: Packet;
  readonly start: Instant;
  readonly port: PortNumber;
  readonly state: PortState;
  readonly arrivedAt: Instant | undefined;
  readonly queue: number | undefined;
}

/** A switch makes its answers, notifications and reports of copies, which never arrived as such. */
function isMadeBySwitch(packet: Packet): boolean {
  const bytes = arrayOf(packet);
  const start = startOf(packet);
  const end = start + storedLength(packet);
  if (!isTagged(bytes, start, end)) return isPlainMadeBySwitch(bytes, start, end);
  const plain = withoutTag(packet).bytes;
  return isPlainMadeBySwitch(plain, 0, plain.length);
}

/** PERF: bytes lie where they lie, since a view of them costs more than all that is read. */
function isPlainMadeBySwitch(bytes: Uint8Array, start: number, end: number): boolean {
  if (dscpIn(bytes, start) === INT_DSCP) return false;
  const udpAt = afterIpIn(bytes, start);
  if (udpAt + UDP_LENGTH > end) return false;
  if (readUint16(bytes, udpAt) === PORT_OF_REPORTS) return true;
  const port = readUint16(bytes, udpAt + 2);
  if (port === ROCE_PORT) return false;
  if (port === CCM_PORT) return true;
  const bodyAt = udpAt + UDP_LENGTH;
  return bodyAt < end && ((bytes[bodyAt] as number) & 0xf) === HPCC_SWITCH_RESPONSE;
}

/** True if all checked fields are equal. PERF: written out, since fields by name are looked up. */
const isSame = (a: HopRecord, b: CheckedFields): boolean =>
  a.switchId === b.switchId &&
  a.portId === b.portId &&
  a.timestamp === b.timestamp &&
  a.txBytes === b.txBytes &&
  a.queueBytes === b.queueBytes &&
  a.capacity === b.capacity &&
  a.sojournNs === b.sojournNs;

const noCheckedFields = (): CheckedFields => ({
  switchId: 0,
  portId: 0,
  timestamp: 0,
  txBytes: 0,
  queueBytes: 0,
  capacity: 0,
  sojournNs: undefined,
});

const newPortState = (node: SwitchNode, port: PortNumber): PortState => ({
  txBytes: 0,
  capacity: capacityOf(node, port),
  queueTxBytes: [],
  lastArrivals: [],
});

/** Nanoseconds between the ticks of a clock that counts ns. */
function nanosecondsBetween(from: Instant, to: Instant): number {
  return Math.floor(to / PS_PER_NS) - Math.floor(from / PS_PER_NS);
}

/** The rate of a port as telemetry carries it, in bit/s; -1 without a link. */
function capacityOf(node: SwitchNode, port: PortNumber): number {
  const rate = node.channel(port)?.rate;
  if (rate === undefined) return -1;
  return isExactInTelemetry(rate) ? rate : telemetryMegabits(rate) * 1e6;
}
