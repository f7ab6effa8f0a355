import type { CarrierHop } from '../../hop/hop';
import type { CollectedReport } from './report-collector';
import { flowNameOf } from './report-flows';
import { figuresOf } from './report-totals';

/** One hop that a report tells of, or a report without any; null for what is not known. */
export interface ReportRow {
  /** The node that has sent the report, and the number of its datagram. */
  readonly reporter: number | null;
  readonly hardware: number;
  readonly sequence: number;
  /** As in sums: `10.0.0.1:5000 -> 10.0.0.2:80 udp`. */
  readonly flow: string | null;
  /** Place on the path, from 1, as far as this report tells it. */
  readonly hop: number | null;
  readonly node: number | null;
  readonly ingressPort: number | null;
  readonly egressPort: number | null;
  readonly latencyNs: number | null;
  readonly queueBytes: number | null;
  /** D, Q and F of the report; null in groups whose packets are not known one by one. */
  readonly dropped: boolean | null;
  readonly congested: boolean | null;
  readonly tracked: boolean | null;
  readonly dropReason: number | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** Rows of a datagram, in path order for each packet inside. */
export function* reportRows(found: CollectedReport): Generator<ReportRow> {
  const { hops, inner, details } = found;
  const reports = (details['reports'] ?? [details]) as readonly Fields[];
  // The decoder gives packets without telemetry no place: what is whose is known where each has one.
  const areEqual = inner.length === hops.length;
  const fieldsOf = (i: number): Fields =>
    reports.length === 1 || (areEqual && inner.length === reports.length)
      ? (reports[reports.length === 1 ? 0 : i] ?? {})
      : {};
  let count = 0;
  for (const [i, each] of inner.entries()) {
    const path = [...each.hops, ...(areEqual ? hops.slice(i, i + 1) : [])];
    const flow = flowNameOf(each.flow) ?? null;
    for (const [at, hop] of path.entries()) {
      yield rowOf(found, { flow, hop: at + 1, fields: fieldsOf(i) }, hop);
      count += 1;
    }
  }
  const alone = { flow: null, hop: null, fields: fieldsOf(0) };
  if (!areEqual) {
    for (const hop of hops) yield rowOf(found, alone, hop);
    count += hops.length;
  }
  if (count === 0) yield rowOf(found, { ...alone, flow: onlyFlow(found) }, undefined);
}

const onlyFlow = ({ inner }: CollectedReport): string | null =>
  inner.length === 1 ? (flowNameOf(inner[0]?.flow) ?? null) : null;

interface RowPlace {
  readonly flow: string | null;
  readonly hop: number | null;
  readonly fields: Fields;
}

function rowOf(
  { nodeId, hardwareId, sequence }: CollectedReport,
  { flow, hop, fields }: RowPlace,
  own: CarrierHop | undefined,
): ReportRow {
  const figures = own && figuresOf(own, nodeId);
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
