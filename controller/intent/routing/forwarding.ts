import { assert } from '../../../common/assert';
import { formatIpv4, formatMac, attachments, macAt } from '../../../common/topology/topology';
import type { Attachment, HostNode, SwitchNode, Topology } from '../../../common/topology/topology';
import type { ActionProfileGroup, ActionProfileMember, ActionByName } from '../../entities/action';
import type { EntryAction } from '../../entities/action';
import type { TableEntry } from '../../entities/table-entry';
import { shortestRoutes } from './routes';
import type { Route } from './routes';

/** Routes to IPv4 hosts in the programs of p4src; the table's name is a suffix. */
export const IPV4_ROUTE = { table: 'ipv4_route', field: 'hdr.ipv4.dst_addr' } as const;
/** The same of IPv6. */
export const IPV6_ROUTE = { table: 'ipv6_route', field: 'hdr.ipv6.dst_addr' } as const;

/** A table of routes to hosts. */
export interface RouteTable {
  readonly table: string;
  /** Its key field, matched by prefix. */
  readonly field: string;
  /** The selector of its actions; without one, routes take the first of equal ways. */
  readonly profile: string | undefined;
  /** Its action, which takes a port and two MAC addresses. */
  readonly action: string;
  readonly family: 'ipv4' | 'ipv6';
}

export interface Forwarding {
  readonly members: readonly ActionProfileMember[];
  readonly groups: readonly ActionProfileGroup[];
  readonly routes: readonly TableEntry[];
}

export interface Surroundings {
  readonly topology: Topology;
  readonly own: SwitchNode;
  readonly ports: readonly Attachment[];
  readonly routes: readonly Route[];
  /** True if groups leave out members whose ports are down. */
  readonly watchPorts?: boolean;
}

/** Every switch with its ports and its routes to all hosts, in the order of the topology. */
export function surroundings(topology: Topology): readonly Surroundings[] {
  const ports = attachments(topology);
  const routes = shortestRoutes(topology);
  return topology.switches.map((own) => ({
    topology,
    own,
    ports: ports.get(own.name) ?? [],
    routes: routes.get(own.name) ?? [],
  }));
}

/**
 * Routes of a switch to every host: per selector one member for each port that leads somewhere and
 * a group per set of equal-cost ports, and per table an entry for every host with an address of its
 * family.
 */
export function forwarding(place: Surroundings, tables: readonly RouteTable[]): Forwarding {
  const groupIds = numberedGroups(place.routes);
  const actions = new Map(
    tables.flatMap(({ profile, action }) =>
      profile === undefined ? [] : [[profile, action] as const],
    ),
  );
  return {
    members: [...actions].flatMap(([profile, action]) =>
      place.ports.map((each): ActionProfileMember => ({
        kind: 'member',
        actionProfile: profile,
        memberId: memberIdOf(each),
        action: forwardTo(place, action, each),
      })),
    ),
    groups: [...actions.keys()].flatMap((profile) =>
      place.routes.flatMap((route) => groupOf(place, groupIds, profile, route)),
    ),
    routes: tables.flatMap((table) =>
      place.routes.flatMap((route) => routeEntry(place, table, route, groupIds) ?? []),
    ),
  };
}

/** Members are numbered by their port, from 1 on because 0 means none. */
export const memberIdOf = ({ port }: Attachment): number => port + 1;

function forwardTo(
  { topology, own }: Surroundings,
  name: string,
  { port, peer }: Attachment,
): ActionByName {
  return {
    name,
    arguments: {
      port,
      dst_mac: formatMac(macAt(topology, peer)),
      src_mac: formatMac(macAt(topology, { node: own.name, port })),
    },
  };
}

/** A number for each set of several next hops, in the order in which routes need them. */
function numberedGroups(routes: readonly Route[]): ReadonlyMap<string, NumberedGroup> {
  const groups = new Map<string, NumberedGroup>();
  for (const route of routes) {
    const key = groupKey(route);
    if (route.nextHops.length < 2 || groups.has(key)) continue;
    groups.set(key, { groupId: groups.size + 1, firstRoute: route });
  }
  return groups;
}

interface NumberedGroup {
  readonly groupId: number;
  readonly firstRoute: Route;
}

const groupKey = (route: Route): string => route.nextHops.map(memberIdOf).join(' ');

/** The group of a route, once for all routes that share it. */
function groupOf(
  { watchPorts = false }: Surroundings,
  groupIds: ReadonlyMap<string, NumberedGroup>,
  actionProfile: string,
  route: Route,
): readonly ActionProfileGroup[] {
  const found = groupIds.get(groupKey(route));
  if (found?.firstRoute !== route) return [];
  const members = route.nextHops.map((each) => ({
    memberId: memberIdOf(each),
    weight: 1,
    ...(watchPorts && { watchPort: each.port }),
  }));
  return [{ kind: 'group', actionProfile, groupId: found.groupId, members, maxSize: 0 }];
}

function routeEntry(
  place: Surroundings,
  { table, field, profile, action, family }: RouteTable,
  route: Route,
  groupIds: ReadonlyMap<string, NumberedGroup>,
): TableEntry | undefined {
  const host = place.topology.hosts.find((each) => each.name === route.host);
  const [first] = route.nextHops;
  assert(host !== undefined && first !== undefined, 'routes lead to hosts over some next hop');
  const prefix = hostPrefix(host, family);
  if (prefix === undefined) return undefined;
  return {
    kind: 'table-entry',
    table,
    match: { [field]: { lpm: prefix } },
    priority: 0,
    action:
      profile === undefined
        ? { kind: 'action', action: forwardTo(place, action, first) }
        : selected(groupIds.get(groupKey(route)), first),
  };
}

function hostPrefix(host: HostNode, family: RouteTable['family']): [string, number] | undefined {
  if (family === 'ipv4') return [formatIpv4(host.ipv4), 32];
  return host.ipv6 === undefined ? undefined : [host.ipv6, 128];
}

function selected(group: NumberedGroup | undefined, first: Attachment): EntryAction {
  if (group === undefined) return { kind: 'member', memberId: memberIdOf(first) };
  return { kind: 'group', groupId: group.groupId };
}
