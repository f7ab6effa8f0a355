import { readUint16 } from '../../wire/bytes';
import { readIpv6Address } from '../../wire/ip/ipv6';
import { ipv6Text as textOf } from '../decode/frame-layers';
import { HopRows, NO_ROW } from './hop-rows';
import type { FlowHop } from './hop-rows';
import type { HopFigures } from './report-links';

/** Sums of one flow, and its path. */
export interface FlowTotals {
  /** Such as `10.0.0.1:5000 -> 10.0.0.2:80 udp`. */
  readonly name: string;
  reports: number;
  /** Number of its hops, and where their list begins. */
  hops: number;
  firstRow: number;
  /** Hops beyond {@link FLOW_HOP_MAX}, of a flow that changes its path all the time, or beyond those of all flows. */
  otherHops: number;
}

/** Flows that are told apart, and hops of one of them. */
export const FLOW_MAX = 65_536;
export const FLOW_HOP_MAX = 32;

const PROTOCOL_NAMES: Readonly<Record<number, string>> = { 6: 'tcp', 17: 'udp' };

/** Sums by flow, and its path. */
export class ReportFlows {
  readonly #flows = new Map<string, FlowTotals>();
  readonly #rows = new HopRows();
  /** Reports of flows beyond {@link FLOW_MAX}. */
  others = 0;

  /** The flow of the IP packet in a report; undefined without one, and where there is no room for another. */
  of(bytes: Buffer, at: number, end: number): FlowTotals | undefined {
    const isIpv6 = at < end && (bytes[at] as number) >>> 4 === 6;
    const addressesAt = at + (isIpv6 ? 8 : 12);
    const portsEnd = at + (isIpv6 ? 44 : 24);
    if (portsEnd > end) return undefined;
    const protocol = bytes[at + (isIpv6 ? 6 : 9)] as number;
    const hasPorts = protocol === 6 || protocol === 17;
    const text = bytes.toString('latin1', addressesAt, hasPorts ? portsEnd : portsEnd - 4);
    const key = protocol === 17 ? text : `${text}${protocol}`;
    const known = this.#flows.get(key);
    if (known !== undefined) return known;
    return this.#open(key, flowName(bytes, at, { isIpv6, protocol, hasPorts }));
  }

  /** The flow that a decoder has named. */
  named(flow: unknown): FlowTotals | undefined {
    const name = flowNameOf(flow);
    return name === undefined ? undefined : (this.#flows.get(name) ?? this.#open(name, name));
  }

  all(): readonly FlowTotals[] {
    return [...this.#flows.values()];
  }

  addHop(flow: FlowTotals, figures: HopFigures, timeToLive: number): void {
    const known = this.#rows.find(flow.firstRow, figures.nodeId, timeToLive);
    const row = known >= 0 ? known : this.#openHop(flow, figures, timeToLive);
    if (row < 0) flow.otherHops += 1;
    else this.#rows.add(row, figures);
  }

  /** Hops of a flow in the order of its path. */
  pathOf({ firstRow }: FlowTotals): readonly FlowHop[] {
    return this.#rows.list(firstRow).sort((a, b) => b.timeToLive - a.timeToLive);
  }

  #openHop(flow: FlowTotals, figures: HopFigures, timeToLive: number): number {
    if (flow.hops >= FLOW_HOP_MAX) return NO_ROW;
    const row = this.#rows.open(flow.firstRow, figures, timeToLive);
    if (row < 0) return NO_ROW;
    flow.firstRow = row;
    flow.hops += 1;
    return row;
  }

  #open(key: string, name: string): FlowTotals | undefined {
    if (this.#flows.size >= FLOW_MAX) {
      this.others += 1;
      return undefined;
    }
    const flow = { name, reports: 0, hops: 0, firstRow: NO_ROW, otherHops: 0 };
    this.#flows.set(key, flow);
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

interface FlowKind {
  readonly isIpv6: boolean;
  readonly protocol: number;
  readonly hasPorts: boolean;
}

function flowName(bytes: Buffer, at: number, { isIpv6, protocol, hasPorts }: FlowKind): string {
  const [from, width] = isIpv6 ? [at + 8, 16] : [at + 12, 4];
  const portsAt = at + (isIpv6 ? 40 : 20);
  const host = (place: number): string =>
    isIpv6 ? ipv6Text(bytes, place) : ipv4Text(bytes, place);
  const port = (place: number): string => (hasPorts ? `:${readUint16(bytes, place)}` : '');
  return `${host(from)}${port(portsAt)} -> ${host(from + width)}${port(portsAt + 2)} ${protocolName(protocol)}`;
}

const ipv6Text = (bytes: Buffer, at: number): string => `[${textOf(readIpv6Address(bytes, at))}]`;
const ipv4Text = (bytes: Buffer, at: number): string => bytes.subarray(at, at + 4).join('.');
