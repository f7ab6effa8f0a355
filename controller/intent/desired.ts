import type { SwitchNode } from '../../common/topology/topology';
import type { NetworkSpec, SwitchSpec } from '../document/network';
import type { NamedEntity } from '../entities/named-entity';
import type { DefaultEntry, TableEntry } from '../entities/table-entry';
import { forwarding, surroundings } from './routing/forwarding';
import type { RouteTable, Surroundings } from './routing/forwarding';
import { portRecord } from './routing/port-records';
import { findAction, findTable } from '../program/outline';
import type { ProgramOutline } from '../program/outline';
import { PROGRAM } from '../program/names';
import { queueSettings } from './queues';
import type { QueueSetting } from './queues';
import { roleEntries } from './roles/roles';
import { staticState } from './static-entries';

/** Everything that one switch shall hold. */
export interface DesiredSwitch {
  readonly spec: SwitchSpec;
  readonly entities: readonly NamedEntity[];
  readonly queues: readonly QueueSetting[];
}

/**
 * What every switch shall hold so that the network does what its document says. Tables that a
 * program lacks stay out, so that one document serves programs with more and with fewer parts.
 * @param programOf what is known of the program of a switch.
 * @throws InputError for contradictions, naming the switch.
 */
export function desiredState(
  network: NetworkSpec,
  programOf: (spec: SwitchSpec) => ProgramOutline,
): readonly DesiredSwitch[] {
  const places = surroundings(network.topology);
  return network.switches.map((spec, i) => {
    const place = places[i];
    if (place === undefined) throw new Error(`Internal error: ${spec.node.name} has no place`);
    const entities = switchEntities(network, spec, place, programOf(spec));
    return { spec, entities, queues: queueSettings(spec, place.ports) };
  });
}

function switchEntities(
  network: NetworkSpec,
  spec: SwitchSpec,
  place: Surroundings,
  program: ProgramOutline,
): readonly NamedEntity[] {
  const stated = staticState(spec.document, program);
  const { watchPorts } = network;
  const ways = forwarding({ ...place, watchPorts }, routeTables(program, network.topology));
  const roles = roleEntries({ network, spec, place, program });
  const derived: readonly (TableEntry | DefaultEntry)[] = [
    ...ways.routes,
    ...portRecords(place, program),
    ...(findTable(program, PROGRAM.ecmpSeed) === undefined
      ? []
      : [ecmpSeedEntry(place.own, network.ecmpSeed)]),
    ...roles.entries,
  ];
  return [
    ...roles.replication,
    ...stated.replication,
    ...ways.members,
    ...stated.members,
    ...ways.groups,
    ...stated.groups,
    ...derived,
    ...stated.entries,
  ];
}

const ROUTES: readonly { readonly table: string; readonly family: RouteTable['family'] }[] = [
  { table: PROGRAM.route, family: 'ipv4' },
  { table: PROGRAM.ipv6Route, family: 'ipv6' },
];

function routeTables(
  program: ProgramOutline,
  { hosts }: NetworkSpec['topology'],
): readonly RouteTable[] {
  return ROUTES.flatMap(({ table, family }) => {
    if (family === 'ipv6' && hosts.every(({ ipv6 }) => ipv6 === undefined)) return [];
    const found = findTable(program, table);
    const field = found?.fields.find(({ matchKind }) => matchKind === 'lpm');
    if (found === undefined || field === undefined) return [];
    // A table of the same name in somebody else's program has another meaning.
    const action = findAction(found, PROGRAM.forward) ?? findAction(found, PROGRAM.forwardIpv6);
    if (action === undefined) return [];
    const { name, actionProfile: profile } = found;
    return [{ table: name, field: field.name, profile, action: action.name, family }];
  });
}

/** Records with those of their arguments that the program takes. */
function portRecords(place: Surroundings, program: ProgramOutline): readonly TableEntry[] {
  const table = findTable(program, PROGRAM.portRecord);
  const action = table && findAction(table, PROGRAM.setPortRecord);
  if (action === undefined) return [];
  return place.ports.map((port) => portRecord(place.own, port, action.parameters));
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
