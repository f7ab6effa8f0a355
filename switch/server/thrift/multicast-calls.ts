import { multicastTypes } from '../../../common/thrift/generated-code';
import type { MulticastNode } from '../../control/packet-control';
import type { ServiceCalls } from './service-calls';
import type { MulticastListing, ThriftTarget } from './target';

const { MulticastError, MulticastFailure } = multicastTypes;

type Code = (typeof MulticastError)[keyof typeof MulticastError];

export function multicastCalls({ multicast }: ThriftTarget): ServiceCalls {
  return { ...groupCalls(multicast), ...nodeCalls(multicast) };
}

function groupCalls(multicast: ThriftTarget['multicast']): ServiceCalls {
  return {
    bm_mc_mgrp_create: (_context: number, group: number): number => {
      // Making a group again changes nothing, as on bmv2.
      if (!hasGroup(multicast, group)) multicast.createGroup(group);
      return group;
    },
    bm_mc_mgrp_destroy: (_context: number, group: number): void => {
      // A group that does not exist is gone already, as on bmv2.
      if (hasGroup(multicast, group)) multicast.destroyGroup(group);
    },
    bm_mc_node_associate: (_context: number, group: number, node: number): void => {
      requireBoth(multicast, group, node);
      // On bmv2, a node belongs to one group at most.
      if (groupsOf(multicast, node).length > 0) fail(MulticastError.FAILED);
      multicast.associate(group, node);
    },
    bm_mc_node_dissociate: (_context: number, group: number, node: number): void => {
      requireBoth(multicast, group, node);
      if (!multicast.nodesOf(group).includes(node)) fail(MulticastError.FAILED);
      multicast.dissociate(group, node);
    },
    bm_mc_get_entries: (): string => JSON.stringify(entries(multicast)),
  };
}

function nodeCalls(multicast: ThriftTarget['multicast']): ServiceCalls {
  return {
    bm_mc_node_create: (...[, instance, ports, lags]: [number, number, string, string]): number =>
      multicast.createNode({ instance, ports: members(ports), lags: members(lags) }),
    bm_mc_node_update: (...[, node, ports, lags]: [number, number, string, string]): void => {
      requireNode(multicast, node);
      multicast.updateNode(node, { ports: members(ports), lags: members(lags) });
    },
    bm_mc_node_destroy: (_context: number, node: number): void => {
      requireNode(multicast, node);
      multicast.destroyNode(node);
    },
    bm_mc_set_lag_membership: (_context: number, lag: number, ports: string): void =>
      multicast.setLag(lag, members(ports)),
  };
}

const hasGroup = (multicast: MulticastListing, group: number): boolean =>
  [...multicast.groups()].some(({ groupId }) => groupId === group);

function groupsOf(multicast: MulticastListing, node: number): number[] {
  return [...multicast.groups()]
    .map(({ groupId }) => groupId)
    .filter((groupId) => multicast.nodesOf(groupId).includes(node));
}

function requireGroup(multicast: MulticastListing, group: number): void {
  if (!hasGroup(multicast, group)) fail(MulticastError.UNKNOWN_GROUP);
}

function requireNode(multicast: MulticastListing, node: number): void {
  const found = [...multicast.nodes()].some(([handle]) => handle === node);
  if (!found) fail(MulticastError.UNKNOWN_NODE);
}

function requireBoth(multicast: MulticastListing, group: number, node: number): void {
  requireNode(multicast, node);
  requireGroup(multicast, group);
}

function fail(code: Code): never {
  throw new MulticastFailure({ code });
}

/** The last character of a text of 0 and 1 is member 0. */
function members(text: string): number[] {
  if (!/^[01]*$/.test(text)) fail(MulticastError.FAILED);
  return Array.from(text)
    .reverse()
    .flatMap((digit, member) => (digit === '1' ? member : []));
}

/** The form that bmv2's command line prints: two levels of handles, which are equal here. */
function entries(multicast: MulticastListing): object {
  const nodes: (readonly [number, MulticastNode])[] = [...multicast.nodes()];
  return {
    mgrps: [...multicast.groups()].map(({ groupId }) => ({
      id: groupId,
      l1_handles: multicast.nodesOf(groupId),
    })),
    l1_handles: nodes.map(([handle, { instance }]) => ({
      handle,
      rid: instance,
      l2_handle: handle,
    })),
    l2_handles: nodes.map(([handle, { ports, lags }]) => ({ handle, ports, lags })),
    lags: [...multicast.lags()].map(([id, ports]) => ({ id, ports })),
  };
}
