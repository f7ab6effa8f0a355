import { readUint16 } from '../../wire/bytes';
import { readIpv6Address } from '../../wire/ip/ipv6';
import { ipv6Text as textOf } from '../decode/frame-layers';
import { HopRows, NO_ROW } from './hop-rows';
import type { FlowHop } from './hop-rows';
import type { IdleClock } from './idle-clock';
import type { HopFigures } from './report-links';

/** Sums of one flow, and its path. */
export interface FlowTotals {
  /** Such as `10.0.0.1:5000 -> 10.0.0.2:80 udp`. */
  readonly name: string;
  /** Bytes by which packets of it are found, once one has been. */
  key: string | undefined;
  reports: number;
  /** Number of its hops, and where their list begins. */
  hops: number;
  firstRow: number;
  /** Hops beyond {@link FLOW_HOP_MAX}, of a flow that changes its path all the time, or beyond those of all flows. */
  otherHops: number;
  /** When a report told of it last. */
  seen: number;
  /** One of those that have series of their own. */
  readonly isShown: boolean;
}

/** Flows that are told apart, and hops of one of them. */
export const FLOW_MAX = 65_536;
export const FLOW_HOP_MAX = 32;
/** Flows that have series of their own: a scrape of all would take seconds, in which no report is read. */
export const FLOWS_SHOWN = 1024;

const TCP = 6;
const PROTOCOL_NAMES: Readonly<Record<number, string>> = { 6: 'tcp', 17: 'udp' };

/** Sums by flow, and its path. Flows and hops that reports tell of no longer are forgotten, and counted. */
export class ReportFlows {
  readonly #flows = new Map<string, FlowTotals>();
  /** Flows by the bytes of packets. */
  readonly #keys = new Map<string, FlowTotals>();
  readonly #rows = new HopRows();
  readonly #clock: IdleClock;
  #shown = 0;
  /** Reports of flows beyond {@link FLOW_MAX}. */
  others = 0;
  /** Reports of flows that have no series of their own, those of {@link others} among them. */
  unshown = 0;
  /** Flows, and hops of any, that were idle for too long. */
  forgotten = 0;
  forgottenHops = 0;

  constructor(clock: IdleClock) {
    this.#clock = clock;
  }

  /** The flow of a TCP or UDP packet in a report, whose report it counts; undefined where there is no room for another. */
  of(bytes: Buffer, ipAt: number, l4At: number): FlowTotals | undefined {
    const key = flowKey(bytes, ipAt, l4At);
    const known = this.#keys.get(key);
    if (known !== undefined) return this.#count(known);
    const flow = this.#named(flowNameAt(bytes, ipAt, l4At));
    if (flow !== undefined && flow.key === undefined) {
      flow.key = key;
      this.#keys.set(key, flow);
    }
    return this.#count(flow);
  }

  /** The same for a flow that a decoder has named; undefined without one, too. */
  named(flow: unknown): FlowTotals | undefined {
    const name = flowNameOf(flow);
    return name === undefined ? undefined : this.#count(this.#named(name));
  }

  all(): readonly FlowTotals[] {
    return [...this.#flows.values()];
  }

  addHop(flow: FlowTotals, figures: HopFigures, timeToLive: number): void {
    const known = this.#rows.find(flow.firstRow, figures.nodeId, timeToLive);
    const row = known >= 0 ? known : this.#openHop(flow, figures, timeToLive);
    if (row < 0) flow.otherHops += 1;
    else this.#rows.add(row, figures, this.#clock.now);
  }

  /** Hops of a flow in the order of its path. */
  pathOf({ firstRow }: FlowTotals): readonly FlowHop[] {
    return this.#rows.list(firstRow).sort((a, b) => b.timeToLive - a.timeToLive);
  }

  /** Forgets flows, and hops of others, of which nothing has been told since a time. */
  forget(before: number): void {
    for (const flow of this.#flows.values()) {
      const isIdle = flow.seen < before;
      const left = this.#rows.forget(flow.firstRow, isIdle ? Infinity : before);
      flow.firstRow = left.first;
      flow.hops -= left.forgotten;
      this.forgottenHops += left.forgotten;
      if (isIdle) this.#close(flow);
    }
  }

  #close({ name, key, isShown }: FlowTotals): void {
    this.#flows.delete(name);
    if (key !== undefined) this.#keys.delete(key);
    if (isShown) this.#shown -= 1;
    this.forgotten += 1;
  }

  #openHop(flow: FlowTotals, figures: HopFigures, timeToLive: number): number {
    if (flow.hops >= FLOW_HOP_MAX) return NO_ROW;
    const row = this.#rows.open(flow.firstRow, figures, timeToLive);
    if (row < 0) return NO_ROW;
    flow.firstRow = row;
    flow.hops += 1;
    return row;
  }

  #count(flow: FlowTotals | undefined): FlowTotals | undefined {
    if (flow === undefined) this.others += 1;
    if (flow?.isShown !== true) this.unshown += 1;
    if (flow === undefined) return undefined;
    flow.reports += 1;
    flow.seen = this.#clock.now;
    return flow;
  }

  #named(name: string): FlowTotals | undefined {
    const known = this.#flows.get(name);
    if (known !== undefined || this.#flows.size >= FLOW_MAX) return known;
    const isShown = this.#shown < FLOWS_SHOWN;
    const flow: FlowTotals = {
      name,
      key: undefined,
      reports: 0,
      hops: 0,
      firstRow: NO_ROW,
      otherHops: 0,
      seen: 0,
      isShown,
    };
    if (isShown) this.#shown += 1;
    this.#flows.set(name, flow);
    return flow;
  }
}

/** Name of a flow that decoders have read; undefined without one. */
export const flowNameOf = (flow: unknown): string | undefined =>
  flow === null || flow === undefined ? undefined : nameOf(flow as DecodedFlow);

/** A flow as decoders give it. */
interface DecodedFlow {
  readonly source: string;
  readonly destination: string;
  readonly protocol: string | number;
  readonly sourcePort?: number;
  readonly destinationPort?: number;
}

function nameOf(flow: DecodedFlow): string {
  const end = (address: string, port: number | undefined): string =>
    (address.includes(':') ? `[${address}]` : address) + (port === undefined ? '' : `:${port}`);
  const { source, destination, protocol, sourcePort, destinationPort } = flow;
  const name = typeof protocol === 'number' ? protocolName(protocol) : protocol;
  return `${end(source, sourcePort)} -> ${end(destination, destinationPort)} ${name}`;
}

const protocolName = (protocol: number): string =>
  PROTOCOL_NAMES[protocol] ?? `protocol ${protocol}`;

/** Bytes that tell flows of TCP and UDP apart: addresses, ports and, for TCP, one more. */
export function flowKey(bytes: Buffer, ipAt: number, l4At: number): string {
  const isIpv6 = isIpv6At(bytes, ipAt);
  const isTcp = bytes[ipAt + (isIpv6 ? 6 : 9)] === TCP;
  const text = bytes.toString('latin1', ipAt + (isIpv6 ? 8 : 12), l4At + 4);
  return isTcp ? `${text}6` : text;
}

/** Name of the flow of a TCP or UDP packet, as decoders would name it. */
export function flowNameAt(bytes: Buffer, ipAt: number, l4At: number): string {
  const isIpv6 = isIpv6At(bytes, ipAt);
  const [from, width] = isIpv6 ? [ipAt + 8, 16] : [ipAt + 12, 4];
  const end = (place: number, portAt: number): string =>
    `${isIpv6 ? ipv6Text(bytes, place) : ipv4Text(bytes, place)}:${readUint16(bytes, portAt)}`;
  const protocol = protocolName(bytes[ipAt + (isIpv6 ? 6 : 9)] as number);
  return `${end(from, l4At)} -> ${end(from + width, l4At + 2)} ${protocol}`;
}

const isIpv6At = (bytes: Buffer, at: number): boolean => (bytes[at] as number) >>> 4 === 6;
const ipv6Text = (bytes: Buffer, at: number): string => `[${textOf(readIpv6Address(bytes, at))}]`;
const ipv4Text = (bytes: Buffer, at: number): string => bytes.subarray(at, at + 4).join('.');
