import type { CarrierHop } from '../../hop/hop';
import { latencyBetween } from './hop-columns';
import type { CollectedPacket, CollectedReport } from './report-collector';
import type { HopFigures } from './report-links';

type Fields = Readonly<Record<string, unknown>>;

/** A report of a datagram, with what belongs to it. */
export interface SingleReport {
  readonly fields: Fields;
  /** Metadata of the reporting node. */
  readonly own: CarrierHop | undefined;
  readonly packets: readonly CollectedPacket[];
}

/** The reports of a datagram, each with its own metadata and packets. */
export function reportsOf({ hops, inner, details }: CollectedReport): SingleReport[] {
  const reports = details['reports'] as readonly Fields[] | undefined;
  // Versions before 2.0 have one report in a datagram, and its fields beside those of the datagram.
  if (reports === undefined) return [{ fields: details, own: hops[0], packets: inner }];
  let next = 0;
  return reports.map((fields, i) => ({
    fields,
    own: 'metadataBits' in fields ? hops[next++] : undefined,
    packets: inner.filter(({ report }) => report === i + 1),
  }));
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : -1);

/** The delay that a node of IOAM tells; undefined where it did not fit. */
const transitDelayOf = ({ transitDelayNs, transitDelayOverflow }: Fields): unknown =>
  transitDelayOverflow === 1 ? undefined : transitDelayNs;

/**
 * Figures of a hop that decoders have read.
 * @param reporter the node whose own hop it is, where the hop may not name it; null for others.
 */
export function figuresOf(hop: CarrierHop, reporter: number | null): HopFigures {
  const { fields = {}, timestamp } = hop;
  const latency = numberOf((fields as Fields)['hopLatencyNs'] ?? transitDelayOf(fields));
  const from = numberOf((fields as Fields)['ingressTimestampNs']);
  const isTimed = latency < 0 && from >= 0 && timestamp !== undefined;
  return {
    nodeId: hop.switchId ?? reporter ?? -1,
    ingress: numberOf(hop.ingressPortId),
    egress: numberOf(hop.portId),
    latencyNs: isTimed ? latencyBetween(from, timestamp) : latency,
    queueBytes: numberOf(hop.queueBytes),
  };
}
