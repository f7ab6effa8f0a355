import { InputError } from '../../../common/errors';
import type { Attachment } from '../../../common/topology/topology';
import {
  adjacencyUsid,
  formatUsid,
  NODE_USID_MAX,
  usidLocator,
} from '../../../common/wire/ip/usid';
import { blockOf } from '../../document/usid';
import type { TableEntry } from '../../entities/table-entry';
import { IPV6_ROUTE, memberIdOf } from '../routing/forwarding';
import { actionEntry, roleOf } from './role-parts';
import type { RoleContext } from './role-parts';

const OWN = 'own_usids';
const LOCATOR_BITS = 48;

/**
 * SRv6 paths of uSIDs: the switch's own, that of its node and one for each port, and routes to those of its
 * neighbours. So a path names every switch, and by the uSID of a port one of several links between two.
 */
export const USID_ROLE = roleOf({
  what: 'usid',
  tables: [OWN, IPV6_ROUTE.table],
  section: ({ usid }) => usid,
  fill: (section, context) => {
    const { own, ports } = context.place;
    checkUsids(context);
    const block = blockOf(section);
    const ends = (usid: number, action: string): TableEntry =>
      actionEntry(OWN, { locator: usidLocator(block, usid) }, action, {});
    return {
      entries: [
        ends(own.nodeId, 'end_node'),
        ...ports.map(({ port }) => ends(adjacencyUsid(port), 'end_adjacency')),
        ...ports.map((each) => routeTo(formatUsid(block, adjacencyUsid(each.port)), each)),
        ...neighbours(context).map(({ nodeId, by }) => routeTo(formatUsid(block, nodeId), by)),
      ],
    };
  },
});

const routeTo = (address: string, by: Attachment): TableEntry => ({
  kind: 'table-entry',
  table: IPV6_ROUTE.table,
  match: { [IPV6_ROUTE.field]: { lpm: [address, LOCATOR_BITS] } },
  priority: 0,
  action: { kind: 'member', memberId: memberIdOf(by) },
});

/** The switches beside this one, each with the first link there that is up. */
function neighbours({ place: { topology, ports } }: RoleContext) {
  const up = ports.filter(({ link }) => link.up !== false);
  return topology.switches.flatMap(({ name, nodeId }) => {
    const by = up.find(({ peer }) => peer.node === name);
    return by === undefined ? [] : [{ nodeId, by }];
  });
}

/** @throws InputError for node ids that are no uSIDs, and for networks in which members of IPv6 are lacking. */
function checkUsids({ place: { topology, own } }: RoleContext): void {
  if (own.nodeId < 1 || own.nodeId > NODE_USID_MAX) {
    throw new InputError(
      `usid: the node id of ${own.name} is ${own.nodeId}, and uSIDs of nodes are 1 to ${NODE_USID_MAX}`,
    );
  }
  if (topology.hosts.every(({ ipv6 }) => ipv6 === undefined)) {
    throw new InputError('usid: paths lead to addresses of IPv6, and no host has one');
  }
}
