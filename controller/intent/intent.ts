import { assert } from '../../common/assert';
import { InputError } from '../../common/errors';
import { formatIpv4, formatMac } from '../../common/topology/addresses';
import { attachments, DEFAULT_MTU, macAt } from '../../common/topology/topology';
import type { Attachment, SwitchNode, Topology } from '../../common/topology/topology';
import type {
  ActionProfileGroup,
  ActionProfileMember,
  DefaultEntry,
  NamedEntity,
  TableEntry,
} from './entities';
import { PROGRAM } from './program-names';
import { shortestRoutes } from './routes';
import type { Route } from './routes';

/** What one switch shall hold, in the order in which entities depend on each other. */
export interface SwitchIntent {
  readonly switch: SwitchNode;
  readonly members: readonly ActionProfileMember[];
  readonly groups: readonly ActionProfileGroup[];
  readonly entries: readonly (TableEntry | DefaultEntry)[];
}

export interface IntentOptions {
  /** Seed of all ECMP seeds: another one spreads flows differently. */
  readonly ecmpSeed: number;
}

/**
 * The state that makes a network forward and measure: for every host a route at every switch, one
 * member of the selector per port that leads somewhere, a group per set of equal-cost ports, the
 * record of every port, and the seed of the ECMP hash.
 * @param topology a valid one.
 * @throws InputError when a link's rate is not a whole number of megabits per second.
 */
export function networkIntent(topology: Topology, options: IntentOptions): readonly SwitchIntent[] {
  const ports = attachments(topology);
  const routes = shortestRoutes(topology);
  return topology.switches.map((each) =>
    switchIntent(topology, each, options, {
      ports: ports.get(each.name) ?? [],
      routes: routes.get(each.name) ?? [],
    }),
  );
}

/** All entities of a switch, those that others refer to first. */
export function entitiesOf(intent: SwitchIntent): readonly NamedEntity[] {
  return [...intent.members, ...intent.groups, ...intent.entries];
}

interface Surroundings {
  readonly ports: readonly Attachment[];
  readonly routes: readonly Route[];
}

function switchIntent(
  topology: Topology,
  own: SwitchNode,
  options: IntentOptions,
  { ports, routes }: Surroundings,
): SwitchIntent {
  const groups = ecmpGroups(routes);
  return {
    switch: own,
    members: ports.map((each) => member(topology, own, each)),
    groups: [...groups.values()],
    entries: [
      ...routes.map((route) => routeEntry(topology, route, groups)),
      ...ports.map((each) => portRecord(own, each)),
      seedEntry(own, options),
    ],
  };
}

/** Members are numbered by their port, from 1 on because 0 means none. */
const memberIdOf = ({ port }: Attachment): number => port + 1;

function member(
  topology: Topology,
  own: SwitchNode,
  { port, peer }: Attachment,
): ActionProfileMember {
  return {
    kind: 'member',
    actionProfile: PROGRAM.ecmp,
    memberId: port + 1,
    action: {
      name: PROGRAM.forward,
      arguments: {
        port,
        dst_mac: formatMac(macAt(topology, peer)),
        src_mac: formatMac(macAt(topology, { node: own.name, port })),
      },
    },
  };
}

/** One group per set of next hops, numbered in the order in which routes need them. */
function ecmpGroups(routes: readonly Route[]): ReadonlyMap<string, ActionProfileGroup> {
  const groups = new Map<string, ActionProfileGroup>();
  for (const route of routes) {
    const key = groupKey(route);
    if (route.nextHops.length < 2 || groups.has(key)) continue;
    const members = route.nextHops.map((each) => ({ memberId: memberIdOf(each), weight: 1 }));
    const groupId = groups.size + 1;
    const maxSize = members.length;
    groups.set(key, { kind: 'group', actionProfile: PROGRAM.ecmp, groupId, members, maxSize });
  }
  return groups;
}

const groupKey = (route: Route): string => route.nextHops.map(memberIdOf).join(' ');

function routeEntry(
  topology: Topology,
  route: Route,
  groups: ReadonlyMap<string, ActionProfileGroup>,
): TableEntry {
  const host = topology.hosts.find((each) => each.name === route.host);
  const [first] = route.nextHops;
  assert(host !== undefined && first !== undefined, 'routes lead to hosts over some next hop');
  const group = groups.get(groupKey(route));
  return {
    kind: 'table-entry',
    table: PROGRAM.route,
    match: { [PROGRAM.routeDestination]: { lpm: [formatIpv4(host.ipv4), 32] } },
    priority: 0,
    action:
      group === undefined
        ? { kind: 'member', memberId: memberIdOf(first) }
        : { kind: 'group', groupId: group.groupId },
  };
}

function portRecord(own: SwitchNode, { port, link }: Attachment): TableEntry {
  return {
    kind: 'table-entry',
    table: PROGRAM.portRecord,
    match: { [PROGRAM.egressPort]: { exact: port } },
    priority: 0,
    action: {
      kind: 'action',
      action: {
        name: PROGRAM.setPortRecord,
        arguments: {
          node_id: own.nodeId,
          capacity_mbps: megabits(own, port, link.rate),
          queue_unit_bytes: own.queueDepthUnitBytes,
          clock_unit_ns: own.clockUnitNs,
          mtu: link.mtu ?? DEFAULT_MTU,
          tx_unit_bytes: own.txUnitBytes ?? 1,
        },
      },
    },
  };
}

function megabits(own: SwitchNode, port: number, rate: number): number {
  const mbps = rate / 1e6;
  if (Number.isInteger(mbps) && mbps >= 1 && mbps < 2 ** 32) return mbps;
  const wanted = 'a rate in whole megabits per second, because telemetry carries it so';
  throw new InputError(`switch '${own.name}', port ${port}: wanted ${wanted}, found ${rate} bit/s`);
}

/** A seed of its own for every switch: with a common one, every tier would choose alike. */
function seedEntry(own: SwitchNode, { ecmpSeed }: IntentOptions): DefaultEntry {
  const mixed = Math.imul(ecmpSeed ^ Math.imul(own.nodeId, 0x9e3779b1), 0x85ebca6b) >>> 16;
  return {
    kind: 'default-entry',
    table: PROGRAM.ecmpSeed,
    action: { name: PROGRAM.setSeed, arguments: { seed: mixed } },
  };
}
