import { attachments } from '../../common/topology/topology';
import type { SwitchNode, Topology } from '../../common/topology/topology';
import type { ActionProfileGroup, ActionProfileMember } from '../entities/action-profile';
import type { NamedEntity } from '../entities/named-entity';
import type { DefaultEntry, TableEntry } from '../entities/table-entry';
import { forwarding } from './routing/forwarding';
import type { RouteTable, Surroundings } from './routing/forwarding';
import { portRecord } from './routing/port-records';
import { PROGRAM } from '../program/names';
import { shortestRoutes } from './routing/routes';

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

/** The table that every program of this project has. */
const IPV4_ROUTES: RouteTable = {
  table: PROGRAM.route,
  field: PROGRAM.routeDestination,
  profile: PROGRAM.ecmp,
  action: PROGRAM.forward,
  family: 'ipv4',
};

/**
 * The state that makes a network forward and measure: for every host a route at every switch, one
 * member of the selector per port that leads somewhere, a group per set of equal-cost ports, the
 * record of every port, and the seed of the ECMP hash.
 * @param topology a valid one.
 * @throws InputError when a link's rate is not a whole number of megabits per second.
 */
export function networkIntent(topology: Topology, options: IntentOptions): readonly SwitchIntent[] {
  return surroundings(topology).map((place) => {
    const { members, groups, routes } = forwarding(place, [IPV4_ROUTES]);
    const records = place.ports.map((each) => portRecord(place.own, each));
    return {
      switch: place.own,
      members,
      groups,
      entries: [...routes, ...records, ecmpSeedEntry(place.own, options)],
    };
  });
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

/** All entities of a switch, those that others refer to first. */
export function entitiesOf(intent: SwitchIntent): readonly NamedEntity[] {
  return [...intent.members, ...intent.groups, ...intent.entries];
}

/** A seed of its own for every switch: with a common one, every tier would choose alike. */
export function ecmpSeedEntry(own: SwitchNode, { ecmpSeed }: IntentOptions): DefaultEntry {
  const mixed = Math.imul(ecmpSeed ^ Math.imul(own.nodeId, 0x9e3779b1), 0x85ebca6b) >>> 16;
  return {
    kind: 'default-entry',
    table: PROGRAM.ecmpSeed,
    action: { name: PROGRAM.setSeed, arguments: { seed: mixed } },
  };
}
