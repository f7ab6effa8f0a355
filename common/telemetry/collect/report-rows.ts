import type { CollectedReport } from './report-collector';
import { flowNameOf } from './report-flows';
import type { HopFigures } from './report-links';
import { figuresOf, reportsOf } from './single-reports';
import type { SingleReport } from './single-reports';

/** One hop that a report tells of, or a report without any; null for what is not known. */
export interface ReportRow {
  /** The node that has sent the report, and the number of its datagram. */
  readonly reporter: number | null;
  readonly hardware: number;
  readonly sequence: number;
  /** As in sums: `10.0.0.1:5000 -> 10.0.0.2:80 udp`. */
  readonly flow: string | null;
  /** Place on the path, from 1, as far as this report tells it; null for a node that reports for itself alone. */
  readonly hop: number | null;
  readonly node: number | null;
  readonly ingressPort: number | null;
  readonly egressPort: number | null;
  readonly latencyNs: number | null;
  readonly queueBytes: number | null;
  /** D, Q and F of the report. */
  readonly dropped: boolean | null;
  readonly congested: boolean | null;
  readonly tracked: boolean | null;
  readonly dropReason: number | null;
}

type Fields = SingleReport['fields'];

/** Rows of a datagram, in path order for each packet inside. */
export function* reportRows(found: CollectedReport): Generator<ReportRow> {
  for (const { fields, own, packets } of reportsOf(found)) {
    const [first] = packets;
    const flow = flowNameOf(first?.flow) ?? null;
    const upstream = first?.hops ?? [];
    for (const [i, hop] of upstream.entries()) {
      yield rowOf(found, { flow, hop: i + 1, fields }, figuresOf(hop, null));
    }
    const hop = upstream.length === 0 ? null : upstream.length + 1;
    const figures = own && figuresOf(own, found.nodeId);
    if (figures !== undefined || upstream.length === 0) {
      yield rowOf(found, { flow, hop, fields }, figures);
    }
    // Telemetry of frames in tunnels, in which the reporting node has no part.
    for (const packet of packets.slice(1)) {
      const inside = flowNameOf(packet.flow) ?? null;
      for (const [i, each] of packet.hops.entries()) {
        yield rowOf(found, { flow: inside, hop: i + 1, fields }, figuresOf(each, null));
      }
    }
  }
}

interface RowPlace {
  readonly flow: string | null;
  readonly hop: number | null;
  readonly fields: Fields;
}

function rowOf(
  { nodeId, hardwareId, sequence }: CollectedReport,
  { flow, hop, fields }: RowPlace,
  figures: HopFigures | undefined,
): ReportRow {
  return {
    reporter: nodeId,
    hardware: hardwareId,
    sequence,
    flow,
    hop,
    node: known(figures?.nodeId),
    ingressPort: known(figures?.ingress),
    egressPort: known(figures?.egress),
    latencyNs: known(figures?.latencyNs),
    queueBytes: known(figures?.queueBytes),
    dropped: flagOf(fields['dropped']),
    congested: flagOf(fields['congestedQueue']),
    tracked: flagOf(fields['trackedFlow']),
    dropReason: typeof fields['dropReason'] === 'number' ? fields['dropReason'] : null,
  };
}

const known = (value: number | undefined): number | null =>
  value === undefined || value < 0 ? null : value;
const flagOf = (value: unknown): boolean | null => (typeof value === 'boolean' ? value : null);
