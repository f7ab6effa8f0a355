import { InputError } from '../../../common/errors';
import { formatIpv4, formatMac, macAt } from '../../../common/topology/topology';
import { SPRAY_POLICIES } from '../../document/spray';
import type { TableEntry } from '../../entities/table-entry';
import { CANDIDATES_MAX } from '../routing/candidate-paths';
import type { Route } from '../routing/routes';
import { actionEntry, defaultEntry, roleOf } from './role-parts';
import type { RoleContext } from './role-parts';

/** Spray by switches: the policy, the equal paths to each host, and MAC addresses by port. */
export const SPRAY_ROLE = roleOf({
  what: 'spray',
  tables: ['spray_policy', 'equal_paths', 'equal_paths_ipv6', 'next_hop'],
  section: ({ spray }) => spray,
  fill: (policy, context) => {
    const { topology, own, ports, routes } = context.place;
    const number = SPRAY_POLICIES.indexOf(policy) + 1;
    return {
      entries: [
        defaultEntry('spray_policy', 'set_spray_policy', { spray_policy: number }),
        ...routes.flatMap((route) => equalPaths(context, route)),
        ...ports.map(({ port, peer }) =>
          actionEntry('next_hop', { port }, 'set_next_hop', {
            dst_mac: formatMac(macAt(topology, peer)),
            src_mac: formatMac(macAt(topology, { node: own.name, port })),
          }),
        ),
      ],
    };
  },
});

/**
 * Entries for the addresses of a host to which several paths lead.
 * @throws InputError for more paths than the program has room for: the others would stay empty.
 */
function equalPaths(
  { place: { topology, own } }: RoleContext,
  { host: name, nextHops }: Route,
): readonly TableEntry[] {
  const group = topology.hosts.findIndex((host) => host.name === name);
  const host = topology.hosts[group];
  const count = nextHops.length;
  if (count < 2 || host === undefined) return [];
  if (count > CANDIDATES_MAX) {
    throw new InputError(
      `spray: ${own.name} has ${count} equal paths to ${name}, and its program chooses among ${CANDIDATES_MAX}`,
    );
  }
  const slots = Array.from({ length: CANDIDATES_MAX }, (_, i) => [
    `port_${i}`,
    nextHops[i]?.port ?? 0,
  ]);
  const values = {
    group,
    count,
    first: group % count,
    ...(Object.fromEntries(slots) as Record<string, number>),
  };
  const of = (table: string, field: string, address: string): TableEntry =>
    actionEntry(table, { [field]: address }, 'set_equal_paths', values);
  return [
    of('equal_paths', 'hdr.ipv4.dst_addr', formatIpv4(host.ipv4)),
    ...(host.ipv6 === undefined ? [] : [of('equal_paths_ipv6', 'hdr.ipv6.dst_addr', host.ipv6)]),
  ];
}
