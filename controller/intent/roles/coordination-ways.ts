import { formatIpv4, formatMac, macAt } from '../../../common/topology/topology';
import type { Attachment } from '../../../common/topology/topology';
import type { SwitchSpec } from '../../document/network';
import type { TableEntry } from '../../entities/table-entry';
import { arrivalClass, CANDIDATES_MAX, candidatePaths } from '../routing/candidate-paths';
import type { CandidatePaths, PathMethod } from '../routing/candidate-paths';
import { IPV4_ROUTE, IPV6_ROUTE, memberIdOf } from '../routing/forwarding';
import { actionEntry, INGRESS_PORT } from './role-parts';
import type { RoleContext } from './role-parts';
import { hopsTo, portsInUse } from '../routing/routes';
import { switchAddress, switchIpv6Address } from '../routing/switch-address';

type Place = RoleContext['place'];
type Ports = ReturnType<typeof portsInUse>;

const IPV6_CANDIDATES = 'candidates_ipv6';
/** Tables of a program that coordinates flows over IPv6 too. */
const IPV6_TABLES = [IPV6_ROUTE.table, IPV6_CANDIDATES, 'sender_ipv6', 'ar_point_ipv6'];
/** "No candidate" in the action that sets them. */
const NO_PORT = 511;

/** True if hosts have IPv6, and the program coordinates it: one of somebody else may do so for IPv4 alone. */
export const speaksIpv6 = ({ network, program }: RoleContext): boolean =>
  network.topology.hosts.some(({ ipv6 }) => ipv6 !== undefined) &&
  IPV6_TABLES.every((name) => program.tables.find(name) !== undefined);

/** The ways to hosts that a switch may choose from, and its way to every other switch. */
export function coordinationWays(context: RoleContext, method: PathMethod): readonly TableEntry[] {
  const { topology, own, ports } = context.place;
  const isIpv6 = speaksIpv6(context);
  return [
    ...ports.map(({ port, peer }) =>
      actionEntry('next_hop', { port }, 'set_next_hop', {
        dst_mac: formatMac(macAt(topology, peer)),
        src_mac: formatMac(macAt(topology, { node: own.name, port })),
      }),
    ),
    ...(method === 'equal-cost' ? [] : arrivals(context)),
    ...candidatePaths(topology, own, method).flatMap((each) => candidateEntries(each, isIpv6)),
    ...routesToSwitches(context, isIpv6),
  ];
}

/** Entries that tell packets by the port of arrival, at ports to switches. */
function arrivals({ place: { topology, ports } }: RoleContext): readonly TableEntry[] {
  const switches = new Set(topology.switches.map(({ name }) => name));
  return ports
    .filter(({ peer }) => switches.has(peer.node))
    .map(({ port }) => {
      const match = { [INGRESS_PORT]: port };
      return actionEntry('arrival', match, 'set_arrival', { arrival: arrivalClass(port) });
    });
}

/** For each address that the host has. */
function candidateEntries(
  { arrival, host, ports, shortest }: CandidatePaths,
  isIpv6: boolean,
): readonly TableEntry[] {
  const slots = Array.from({ length: CANDIDATES_MAX }, (_, i) => [
    `port_${i}`,
    ports[i] ?? NO_PORT,
  ]);
  const values = { shortest, ...(Object.fromEntries(slots) as Record<string, number>) };
  const ipv4 = { arrival, 'hdr.ipv4.dst_addr': formatIpv4(host.ipv4) };
  return [
    actionEntry('candidates', ipv4, 'set_candidates', values),
    ...(isIpv6 && host.ipv6 !== undefined
      ? [
          actionEntry(
            IPV6_CANDIDATES,
            { arrival, 'hdr.ipv6.dst_addr': host.ipv6 },
            'set_candidates',
            values,
          ),
        ]
      : []),
  ];
}

/** Notifications to switches take the first of the shortest ways. */
function routesToSwitches(
  { network, spec, place }: RoleContext,
  isIpv6: boolean,
): readonly TableEntry[] {
  const ports = portsInUse(place.topology);
  return network.switches.flatMap((each) => {
    const port = each === spec ? undefined : firstPortTo(place, each, ports);
    if (port === undefined) return [];
    const ipv4 = routeEntry(IPV4_ROUTE, [formatIpv4(switchAddress(each)), 32], port);
    return isIpv6 ? [ipv4, routeEntry(IPV6_ROUTE, [switchIpv6Address(each), 128], port)] : [ipv4];
  });
}

const routeEntry = (
  { table, field }: { readonly table: string; readonly field: string },
  prefix: readonly [string, number],
  port: Attachment,
): TableEntry => ({
  kind: 'table-entry',
  table,
  match: { [field]: { lpm: prefix } },
  priority: 0,
  action: { kind: 'member', memberId: memberIdOf(port) },
});

function firstPortTo({ topology, own }: Place, { node }: SwitchSpec, ports: Ports) {
  const distance = hopsTo(node.name, topology, ports);
  const hops = distance.get(own.name);
  if (hops === undefined) return undefined;
  return ports.get(own.name)?.find(({ peer }) => distance.get(peer.node) === hops - 1);
}
