import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import { DEFAULT_MTU } from '../../common/topology/topology';
import type { SwitchNode } from '../../common/topology/topology';
import type { NetworkSpec, SwitchSpec } from '../document/network';
import type { ActionProfileGroup } from '../entities/action';
import type { KeptEntity } from '../entities/identity';
import type { DefaultEntry, TableEntry } from '../entities/table-entry';
import type { Value } from '../entities/value';
import { forwarding, IPV4_ROUTE, IPV6_ROUTE, surroundings } from './routing/forwarding';
import type { RouteTable, Surroundings } from './routing/forwarding';
import { portSettings } from './ports';
import type { PortSetting } from './ports';
import { queueSettings } from './queues';
import type { QueueSetting } from './queues';
import { actionEntry, EGRESS_PORT } from './roles/role-parts';
import { roleEntries } from './roles/roles';
import { staticState } from './static-entries';
import { telemetryMegabits } from './telemetry-rate';

/**
 * Names of the tables, actions and other objects of p4src that are filled here. Names of tables and actions
 * are suffixes, which P4Info completes, so that moving a block in a program changes nothing here.
 */
const PROGRAM = {
  forward: 'forward',
  forwardIpv6: 'forward_ipv6',
  ecmpSeed: 'ecmp_seed',
  setSeed: 'set_seed',
  portRecord: 'port_record',
  setPortRecord: 'set_port_record',
} as const;

/** Everything that one switch shall hold. */
export interface DesiredSwitch {
  readonly spec: SwitchSpec;
  readonly entities: readonly KeptEntity[];
  readonly queues: readonly QueueSetting[];
  readonly ports: readonly PortSetting[];
}

/**
 * Derives the entities of every switch from a document. Tables that a program does not have stay out, so
 * that one document serves programs with more and with fewer parts.
 * @param programOf what is known of the program of a switch.
 * @throws InputError for contradictions, naming the switch.
 */
export function desiredState(
  network: NetworkSpec,
  programOf: (spec: SwitchSpec) => P4InfoIndex,
): readonly DesiredSwitch[] {
  const places = surroundings(network.topology);
  return network.switches.map((spec, i) => {
    const place = places[i];
    if (place === undefined) throw new Error(`Internal error: ${spec.node.name} has no place`);
    const entities = switchEntities(network, spec, place, programOf(spec));
    const queues = queueSettings(spec, place.ports);
    return { spec, entities, queues, ports: portSettings(place.ports) };
  });
}

function switchEntities(
  network: NetworkSpec,
  spec: SwitchSpec,
  place: Surroundings,
  program: P4InfoIndex,
): readonly KeptEntity[] {
  const stated = staticState(spec.document, program);
  const { watchPorts } = network;
  const ways = forwarding({ ...place, watchPorts }, routeTables(program, network.topology));
  const roles = roleEntries({ network, spec, place, program });
  const derived: readonly (TableEntry | DefaultEntry)[] = [
    ...ways.routes,
    ...portRecords(place, program),
    ...(program.tables.find(PROGRAM.ecmpSeed) === undefined
      ? []
      : [ecmpSeedEntry(place.own, network.ecmpSeed)]),
    ...roles.entries,
  ];
  return [
    ...roles.replication,
    ...stated.replication,
    ...ways.members,
    ...stated.members,
    ...[...ways.groups, ...stated.groups].map((group) => sized(group, program)),
    ...derived,
    ...stated.entries,
  ];
}

/**
 * A profile that limits its groups wants the largest size of each, which cannot change later: all that
 * it allows. Otherwise it is left to the switch ("Action Profile Group Programming" of P4Runtime 1.5.0).
 */
const sized = (group: ActionProfileGroup, { actionProfiles }: P4InfoIndex): ActionProfileGroup => ({
  ...group,
  maxSize: actionProfiles.find(group.actionProfile)?.maxGroupSize ?? 0,
});

const ROUTES: readonly { readonly table: string; readonly family: RouteTable['family'] }[] = [
  { table: IPV4_ROUTE.table, family: 'ipv4' },
  { table: IPV6_ROUTE.table, family: 'ipv6' },
];

function routeTables(
  program: P4InfoIndex,
  { hosts }: NetworkSpec['topology'],
): readonly RouteTable[] {
  return ROUTES.flatMap(({ table, family }) => {
    if (family === 'ipv6' && hosts.every(({ ipv6 }) => ipv6 === undefined)) return [];
    const found = program.tables.find(table);
    const field = found?.matchFields.all.find(({ matchKind }) => matchKind === 'lpm');
    if (found === undefined || field === undefined) return [];
    // A table of the same name in somebody else's program has another meaning.
    const action = found.actions.find(PROGRAM.forward) ?? found.actions.find(PROGRAM.forwardIpv6);
    if (action === undefined) return [];
    const profile = program.actionProfiles.byNumber(found.actionProfileId ?? 0)?.name;
    return [{ table: found.name, field: field.name, profile, action: action.name, family }];
  });
}

/**
 * Makes the records of ports that the data plane cannot measure itself: owner, capacity of the link, units.
 * A program that is older than an argument is filled without it.
 */
function portRecords({ own, ports }: Surroundings, program: P4InfoIndex): readonly TableEntry[] {
  const action = program.tables.find(PROGRAM.portRecord)?.actions.find(PROGRAM.setPortRecord);
  if (action === undefined) return [];
  const taken = new Set(action.action.parameters.all.map(({ name }) => name));
  return ports.map(({ port, link }) => {
    const values: Readonly<Record<string, Value>> = {
      node_id: own.nodeId,
      capacity_mbps: telemetryMegabits(link.rate),
      queue_unit_bytes: own.queueDepthUnitBytes,
      clock_unit_ns: own.clockUnitNs,
      mtu: link.mtu ?? DEFAULT_MTU,
      tx_unit_bytes: own.txUnitBytes ?? 1,
    };
    const known = Object.entries(values).filter(([name]) => taken.has(name));
    return actionEntry(
      PROGRAM.portRecord,
      { [EGRESS_PORT]: { exact: port } },
      PROGRAM.setPortRecord,
      Object.fromEntries(known),
    );
  });
}

/** A seed of its own for every switch: with a common one, every tier would choose alike. */
function ecmpSeedEntry(own: SwitchNode, ecmpSeed: number): DefaultEntry {
  const mixed = Math.imul(ecmpSeed ^ Math.imul(own.nodeId, 0x9e3779b1), 0x85ebca6b) >>> 16;
  return {
    kind: 'default-entry',
    table: PROGRAM.ecmpSeed,
    action: { name: PROGRAM.setSeed, arguments: { seed: mixed } },
  };
}
