import { ReportLinks } from './report-links';
import type { HopFigures } from './report-links';
import { ReportFlows } from './report-flows';
import type { FlowTotals } from './report-flows';
import { readUint16, readUint32 } from '../../wire/bytes';
import { WireFault } from '../../wire/fault';
import { baselineWords } from '../../wire/int/int-metadata';
import { INT_DSCP } from '../../wire/int/int-md';
import type { CarrierHop } from '../../hop/hop';
import type { CollectedReport, ReportCollector } from './report-collector';

const VERSION_AT = 0;
const GROUP_LENGTH = 8;
const TO_THE_END = 0xff;
const TYPE_INT = 1;
const INNER_IPV4 = 4;
const INNER_IPV6 = 5;
const TCP = 6;
const UDP = 17;
const INT_PORT = 50_000;
const SHIM_MD = 1;
/** Ports and protocols that may lead to INT elsewhere than behind UDP or TCP. */
const TUNNELS: ReadonlySet<number> = new Set([4789, 4790, 6081]);
const GRE = 47;

/**
 * Sums of telemetry reports by link, flow and cause of drops, for rates at which a line for each report is too much.
 * Reports of version 2.0 with IP inside, and INT behind UDP or TCP, are read where they stand and leave no garbage;
 * all others go through the collector that decodes everything. Memory is bounded by the limits of links and flows.
 */
export class ReportTotals {
  readonly links = new ReportLinks();
  readonly flows = new ReportFlows();
  /** Reports by D, Q and F; one may count for several. */
  dropped = 0;
  congested = 0;
  tracked = 0;
  readonly drops = new Map<number, number>();
  readonly #collector: ReportCollector;
  readonly #source = { nodeId: 0, hardwareId: 0 };
  readonly #hop: HopFigures = {
    nodeId: 0,
    ingress: -1,
    egress: -1,
    latencyNs: -1,
    queueBytes: -1,
  };

  constructor(collector: ReportCollector) {
    this.#collector = collector;
  }

  /** Takes the payload of a datagram. */
  add(datagram: Buffer): void {
    if (this.#isPlain(datagram)) this.#addGroup(datagram);
    else this.#addOther(datagram);
  }

  /** True if every report of the group can be read here. */
  #isPlain(bytes: Buffer): boolean {
    const { length } = bytes;
    if (length < GROUP_LENGTH || (bytes[VERSION_AT] as number) >>> 4 !== 2) return false;
    for (let at = GROUP_LENGTH; at < length;) {
      const end = reportEnd(bytes, at);
      if (end > length || end < at + 4) return false;
      const inner = innerAt(bytes, at);
      if (
        inner > end ||
        !hasMetadata(bytes, at) ||
        !isPlainInner(bytes, inner, end, (bytes[at] as number) & 0xf)
      )
        return false;
      at = end;
    }
    return length > GROUP_LENGTH;
  }

  #addGroup(bytes: Buffer): void {
    const nodeId = readUint32(bytes, 4);
    const head = readUint32(bytes, 0);
    this.#source.nodeId = nodeId;
    this.#source.hardwareId = (head >>> 22) & 0x3f;
    this.#collector.count(this.#source, head & 0x3f_ffff);
    for (let at = GROUP_LENGTH; at < bytes.length;) {
      const end = reportEnd(bytes, at);
      this.#addReport(bytes, at, end, nodeId);
      at = end;
    }
  }

  #addReport(bytes: Buffer, at: number, end: number, nodeId: number): void {
    const flags = bytes[at + 3] as number;
    if ((flags & 0x80) !== 0) this.dropped += 1;
    if ((flags & 0x40) !== 0) this.congested += 1;
    if ((flags & 0x20) !== 0) this.tracked += 1;
    const inner = innerAt(bytes, at);
    const flow = this.flows.of(bytes, inner, end);
    if (flow !== undefined) flow.reports += 1;
    const hop = this.#hop;
    const timeToLive = flow === undefined ? 0 : ttlOf(bytes, inner);
    if (flow !== undefined) this.#addStack(bytes, inner, end, flow);
    if ((bytes[at] as number) >>> 4 !== TYPE_INT) return;
    const bits = readUint16(bytes, at + 4);
    const past = readBlock(bytes, at + 12, bits & 0x7fff, hop);
    hop.nodeId = nodeId;
    if ((bits & 1) !== 0) this.#countDrop(bytes[past + 1] as number);
    this.#take(hop, flow, timeToLive);
  }

  #countDrop(reason: number): void {
    this.drops.set(reason, (this.drops.get(reason) ?? 0) + 1);
  }

  /** Hops of a stack, the newest of which stands first: each hop before has seen a TTL that was one more. */
  #addStack(bytes: Buffer, ipAt: number, end: number, flow: FlowTotals): void {
    const shim = shimAt(bytes, ipAt, end);
    if (shim < 0 || shim + 16 > end) return;
    const stackEnd = Math.min(end, shim + 4 + 4 * (bytes[shim + 1] as number));
    const word = readUint32(bytes, shim + 4);
    const blockBytes = ((word >>> 8) & 0x1f) * 4;
    if ((bytes[shim] as number) >>> 4 !== SHIM_MD || word >>> 28 !== 2 || blockBytes === 0) return;
    const bits = readUint16(bytes, shim + 8);
    if (baselineWords(bits) * 4 > blockBytes) return;
    let timeToLive = ttlOf(bytes, ipAt);
    for (let at = shim + 16; at + blockBytes <= stackEnd; at += blockBytes) {
      this.#hop.nodeId = -1;
      readBlock(bytes, at, bits, this.#hop);
      timeToLive += 1;
      if (this.#hop.nodeId >= 0) this.#take(this.#hop, flow, timeToLive);
    }
  }

  #take(hop: HopFigures, flow: FlowTotals | undefined, timeToLive: number): void {
    this.links.add(hop);
    if (flow !== undefined) this.flows.addHop(flow, hop, timeToLive);
  }

  /** Reports of other versions and carriers. */
  #addOther(datagram: Buffer): void {
    const found = this.#collector.add(datagram);
    if (found instanceof WireFault) return;
    const { details } = found;
    const reports = (details['reports'] ?? [details]) as readonly Fields[];
    for (const { dropped, congestedQueue, trackedFlow, dropReason } of reports) {
      if (dropped === true) this.dropped += 1;
      if (congestedQueue === true) this.congested += 1;
      if (trackedFlow === true) this.tracked += 1;
      if (typeof dropReason === 'number') this.#countDrop(dropReason);
    }
    this.#addDecoded(found);
  }

  /** The decoder gives packets without telemetry no place, so own hops are of flows only where each has one. */
  #addDecoded({ hops, inner, nodeId }: CollectedReport): void {
    const areEqual = inner.length === hops.length;
    inner.forEach((each, i) => {
      const flow = this.flows.named(each.flow);
      if (flow !== undefined) flow.reports += 1;
      const own = areEqual ? hops.slice(i, i + 1) : [];
      const all = [...each.hops, ...own];
      all.forEach((hop, at) => this.#take(figuresOf(hop, nodeId), flow, all.length - at));
    });
    if (!areEqual) for (const hop of hops) this.#take(figuresOf(hop, nodeId), undefined, 0);
  }
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : -1);

type Fields = Readonly<Record<string, unknown>>;

/** Figures of a hop that decoders have read; the node is the reporting one where the hop does not name it. */
export function figuresOf(hop: CarrierHop, nodeId: number | null): HopFigures {
  const fields = hop as unknown as Fields;
  const id = numberOf(fields['switchId']);
  return {
    nodeId: id >= 0 ? id : (nodeId ?? 0),
    ingress: numberOf(fields['ingressPortId']),
    egress: numberOf(fields['portId']),
    latencyNs: numberOf((fields['fields'] as Fields | undefined)?.['hopLatencyNs']),
    queueBytes: numberOf(fields['queueBytes']),
  };
}

function reportEnd(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return Infinity;
  const words = bytes[at + 1] as number;
  return words === TO_THE_END ? bytes.length : at + 4 + 4 * words;
}

/** Where the inner contents begin. */
const innerAt = (bytes: Buffer, at: number): number =>
  (bytes[at] as number) >>> 4 === TYPE_INT ? at + 12 + 4 * (bytes[at + 2] as number) : at + 4;

/** True if the words of metadata are as many as their bits ask for, or more. */
const hasMetadata = (bytes: Buffer, at: number): boolean =>
  (bytes[at] as number) >>> 4 !== TYPE_INT ||
  (at + 12 <= bytes.length &&
    baselineWords(readUint16(bytes, at + 4) & 0x7fff) <= (bytes[at + 2] as number));

/** True for nothing, and for IP whose INT, if it has any, is behind UDP or TCP. */
function isPlainInner(bytes: Buffer, at: number, end: number, type: number): boolean {
  if (type === 0) return true;
  if (type !== INNER_IPV4 && type !== INNER_IPV6) return false;
  const isIpv4 = type === INNER_IPV4;
  if (end < at + (isIpv4 ? 28 : 48)) return false;
  if (isIpv4 && (bytes[at] as number) !== 0x45) return false;
  const protocol = bytes[at + (isIpv4 ? 9 : 6)] as number;
  if (protocol === GRE) return false;
  if (protocol !== UDP) return true;
  const port = readUint16(bytes, at + (isIpv4 ? 22 : 42));
  return port !== INT_PORT && !TUNNELS.has(port);
}

const isIpv6At = (bytes: Buffer, at: number): boolean => (bytes[at] as number) >>> 4 === 6;

const ttlOf = (bytes: Buffer, at: number): number =>
  bytes[at + (isIpv6At(bytes, at) ? 7 : 8)] as number;

/** Where the shim of INT stands, which a DSCP tells; -1 without. */
function shimAt(bytes: Buffer, ipAt: number, end: number): number {
  const isIpv6 = isIpv6At(bytes, ipAt);
  const traffic = isIpv6
    ? (((bytes[ipAt] as number) & 0xf) << 4) | ((bytes[ipAt + 1] as number) >>> 4)
    : (bytes[ipAt + 1] as number);
  if (traffic >>> 2 !== INT_DSCP) return -1;
  const l4 = ipAt + (isIpv6 ? 40 : 20);
  const protocol = bytes[ipAt + (isIpv6 ? 6 : 9)];
  if (protocol === UDP) return l4 + 8;
  if (protocol !== TCP || l4 + 13 > end) return -1;
  return l4 + 4 * ((bytes[l4 + 12] as number) >>> 4);
}

/**
 * Reads what sums want of a block of INT metadata.
 * @returns where the word of bit 15 is, if there is one.
 */
function readBlock(bytes: Buffer, start: number, bits: number, hop: HopFigures): number {
  let at = start;
  hop.ingress = hop.egress = hop.latencyNs = hop.queueBytes = -1;
  if ((bits & 0x8000) !== 0) {
    hop.nodeId = readUint32(bytes, at);
    at += 4;
  }
  if ((bits & 0x4000) !== 0) {
    hop.ingress = readUint16(bytes, at);
    hop.egress = readUint16(bytes, at + 2);
    at += 4;
  }
  if ((bits & 0x2000) !== 0) {
    hop.latencyNs = known(readUint32(bytes, at));
    at += 4;
  }
  if ((bits & 0x1000) !== 0) {
    const word = readUint32(bytes, at);
    hop.queueBytes = word === ALL_ONES ? -1 : word & 0xff_ffff;
    at += 4;
  }
  if ((bits & 0x0c00) === 0x0c00 && hop.latencyNs < 0) {
    hop.latencyNs = (readUint32(bytes, at + 12) - readUint32(bytes, at + 4)) >>> 0;
  }
  if ((bits & 0x0800) !== 0) at += 8;
  if ((bits & 0x0400) !== 0) at += 8;
  if ((bits & 0x0200) !== 0) at += 8;
  for (let bit = 0x0100; bit > 1; bit >>= 1) if ((bits & bit) !== 0) at += 4;
  return at;
}

const ALL_ONES = 0xffff_ffff;
const known = (value: number): number => (value === ALL_ONES ? -1 : value);
