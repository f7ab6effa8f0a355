import { formatIpv4, formatMac, macAt } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import type { TelemetryDocument } from '../../document/schema';
import type { ActionByName } from '../../entities/action';
import type { Surroundings } from '../routing/forwarding';
import { defaultSwitchAddress } from '../routing/switch-address';
import { actionEntry, EGRESS_PORT, NO_STATE, sessionTo } from './role-parts';
import type { RoleContext, RoleState } from './role-parts';

type Collector = NonNullable<TelemetryDocument['collector']>;

/** UDP port that switches send reports from. */
export const PORT_OF_REPORTS = 32_766;
/**
 * Bytes of a copy besides IP: its mark, an own hop that only copies of some packets have, and Ethernet before the
 * IP header.
 */
const COPY_BYTES = 2 + 28 + 14;

/**
 * The way of reports to the collector: a clone to the port that leads there, and its headers. Nothing where the
 * document has no collector, or the switch no route to it.
 * @param names table and action that a program has for the headers.
 */
export function reportWay(
  { network, spec, place }: RoleContext,
  { table, action }: { readonly table: string; readonly action: string },
): RoleState {
  const { collector } = network.telemetry;
  const route = place.routes.find(({ host }) => host === collector?.host);
  const next = route?.nextHops[0];
  if (collector === undefined || next === undefined) return NO_STATE;
  const match = { [EGRESS_PORT]: next.port };
  const values = collectorHeaders(place, collector, next, spec.document.ipv4);
  const { cloneSession, innerBytes } = collector;
  return {
    replication: [sessionTo(spec, { cloneSession, port: next.port }, COPY_BYTES + innerBytes)],
    entries: [actionEntry(table, match, action, values)],
  };
}

function collectorHeaders(
  { topology, own }: Surroundings,
  collector: Collector,
  { port, peer }: Attachment,
  ownAddress: number | undefined,
): ActionByName['arguments'] {
  const host = topology.hosts.find(({ name }) => name === collector.host);
  return {
    dst_mac: formatMac(macAt(topology, peer)),
    src_mac: formatMac(macAt(topology, { node: own.name, port })),
    src_addr: formatIpv4(ownAddress ?? defaultSwitchAddress(own.nodeId)),
    dst_addr: formatIpv4(host?.ipv4 ?? 0),
    src_port: PORT_OF_REPORTS,
    dst_port: collector.port,
    node_id: own.nodeId,
    hw_id: 0,
    inner_bytes: collector.innerBytes,
  };
}
