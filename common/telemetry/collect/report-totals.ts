import { timeToLiveAt } from './inner-packet';
import { NONE, REPORT_FLAGS } from './report-columns';
import type { ReportColumns } from './report-columns';
import type { CollectedReport, ReportCollector } from './report-collector';
import { ReportFlows } from './report-flows';
import type { FlowTotals } from './report-flows';
import { ReportLinks } from './report-links';
import type { HopFigures } from './report-links';
import type { ReportOutput } from './report-intake';
import { figuresOf, reportsOf } from './single-reports';
import type { SingleReport } from './single-reports';

/**
 * Sums of telemetry reports by link, flow and cause of drops, for rates at which a line for each report is too much:
 * from columns, or from what the decoder says. Memory is bounded by the limits of links and flows.
 */
export class ReportTotals implements ReportOutput {
  readonly tellsAll = false;
  readonly links: ReportLinks;
  readonly flows: ReportFlows;
  /** Reports by D, Q and F; one may count for several. */
  dropped = 0;
  congested = 0;
  tracked = 0;
  readonly drops = new Map<number, number>();
  readonly #hop: HopFigures = {
    nodeId: 0,
    ingress: -1,
    egress: -1,
    latencyNs: -1,
    queueBytes: -1,
  };

  constructor({ clock }: ReportCollector) {
    this.links = new ReportLinks(clock);
    this.flows = new ReportFlows(clock);
  }

  /** Adds reports of a datagram that columns hold. */
  addColumns(bytes: Buffer, columns: ReportColumns): void {
    for (let row = 0; row < columns.size; row++) this.#addReport(bytes, columns, row);
  }

  /** Adds reports of a datagram that had to be decoded. */
  addDecoded(found: CollectedReport): void {
    for (const { fields, own, packets } of reportsOf(found)) {
      const { dropped, congestedQueue, trackedFlow, dropReason } = fields;
      if (dropped === true) this.dropped += 1;
      if (congestedQueue === true) this.congested += 1;
      if (trackedFlow === true) this.tracked += 1;
      if (typeof dropReason === 'number') this.#countDrop(dropReason);
      if (packets.length === 0 && own !== undefined) {
        this.#take(figuresOf(own, found.nodeId), undefined, 0);
      }
      this.#addPackets(packets, own && figuresOf(own, found.nodeId));
    }
  }

  /** Forgets links, flows and hops of which nothing has been told since a time. */
  forget(before: number): void {
    this.links.forget(before);
    this.flows.forget(before);
  }

  /** A packet with several kinds of telemetry is of one report of its flow. */
  #addPackets(packets: SingleReport['packets'], own: HopFigures | undefined): void {
    let named: FlowTotals | undefined;
    for (const [i, { flow, hops, timeToLive }] of packets.entries()) {
      if (i === 0 || flow !== packets[i - 1]?.flow) named = this.flows.named(flow);
      const ttl = timeToLive ?? 0;
      hops.forEach((hop, at) => this.#take(figuresOf(hop, null), named, ttl + hops.length - at));
      if (i === 0 && own !== undefined) this.#take(own, named, ttl);
    }
  }

  #addReport(bytes: Buffer, columns: ReportColumns, row: number): void {
    const flags = columns.flags[row] as number;
    if ((flags & REPORT_FLAGS.dropped) !== 0) this.dropped += 1;
    if ((flags & REPORT_FLAGS.congested) !== 0) this.congested += 1;
    if ((flags & REPORT_FLAGS.tracked) !== 0) this.tracked += 1;
    const reason = columns.dropReason[row] as number;
    if (reason !== NONE) this.#countDrop(reason);
    const ipAt = columns.ipAt[row] as number;
    const hasPacket = ipAt !== NONE;
    const flow = hasPacket ? this.flows.of(bytes, ipAt, columns.l4At[row] as number) : undefined;
    const timeToLive = hasPacket ? timeToLiveAt(bytes, ipAt) : 0;
    const to = columns.stackTo[row] as number;
    for (let hop = columns.stackFrom[row] as number; hop < to; hop++) {
      // Each hop before another has seen a TTL that was one more.
      this.#takeColumns(columns, hop, flow, timeToLive + to - hop);
    }
    const own = columns.own[row] as number;
    if (own !== NONE) this.#takeColumns(columns, own, flow, timeToLive);
  }

  #takeColumns(
    { hops }: ReportColumns,
    row: number,
    flow: FlowTotals | undefined,
    timeToLive: number,
  ): void {
    const hop = this.#hop;
    hop.nodeId = hops.nodeId[row] as number;
    hop.ingress = hops.ingress[row] as number;
    hop.egress = hops.egress[row] as number;
    hop.latencyNs = hops.latencyAt(row);
    hop.queueBytes = hops.queueBytes[row] as number;
    this.#take(hop, flow, timeToLive);
  }

  #countDrop(reason: number): void {
    this.drops.set(reason, (this.drops.get(reason) ?? 0) + 1);
  }

  /** Hops of nodes without a name are of no link. */
  #take(hop: HopFigures, flow: FlowTotals | undefined, timeToLive: number): void {
    if (hop.nodeId < 0) return;
    this.links.add(hop);
    if (flow !== undefined) this.flows.addHop(flow, hop, timeToLive);
  }
}
