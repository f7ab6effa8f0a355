import { unreachable } from '../../../common/assert';
import { multicastTypes } from './generated-code';
import { MulticastNodes } from './multicast-nodes';
import type { MulticastProblem } from './multicast-nodes';
import type { ServiceCalls } from './service-calls';
import type { MulticastAccess } from './target';

const { MulticastError, MulticastFailure } = multicastTypes;

type Failure = InstanceType<typeof MulticastFailure>;

/** Each change of a node or group is handed to the switch as the whole group's new copies. */
export function multicastCalls(multicast: MulticastAccess): ServiceCalls {
  const nodes = new MulticastNodes();
  const publish = (groups: readonly number[]): void => {
    for (const group of groups) multicast.setGroup(group, nodes.copies(group));
  };
  return {
    bm_mc_mgrp_create: (_context: number, group: number): number => {
      nodes.createGroup(group);
      publish([group]);
      return group;
    },
    bm_mc_mgrp_destroy: (_context: number, group: number): void => {
      succeed(nodes.destroyGroup(group));
      multicast.deleteGroup(group);
    },
    bm_mc_node_create: (
      ...[, replicationId, ports, lags]: [number, number, string, string]
    ): number => nodes.createNode({ replicationId, ports: memberPorts(ports, lags) }),
    bm_mc_node_update: (...[, node, ports, lags]: [number, number, string, string]): void => {
      succeed(nodes.updateNode(node, memberPorts(ports, lags)));
      publish(nodes.groupsOf(node));
    },
    bm_mc_node_destroy: (_context: number, node: number): void => {
      const groups = nodes.groupsOf(node);
      succeed(nodes.destroyNode(node));
      publish(groups);
    },
    bm_mc_node_associate: (_context: number, group: number, node: number): void => {
      succeed(nodes.associate(group, node));
      publish([group]);
    },
    bm_mc_node_dissociate: (_context: number, group: number, node: number): void => {
      succeed(nodes.dissociate(group, node));
      publish([group]);
    },
    // Link aggregation groups are not offered: P4Runtime has none.
    bm_mc_set_lag_membership: (): never => {
      throw new MulticastFailure({ code: MulticastError.FAILED });
    },
    bm_mc_get_entries: (): string => nodes.toJson(),
  };
}

function succeed(problem: MulticastProblem | undefined): void {
  if (problem !== undefined) throw failure(problem);
}

function failure(problem: MulticastProblem): Failure {
  switch (problem) {
    case 'unknown-group':
      return new MulticastFailure({ code: MulticastError.UNKNOWN_GROUP });
    case 'unknown-node':
      return new MulticastFailure({ code: MulticastError.UNKNOWN_NODE });
    case 'taken':
      return new MulticastFailure({ code: MulticastError.FAILED });
    default:
      return unreachable(problem);
  }
}

/** The last character of a text of 0 and 1 is port 0. */
function memberPorts(ports: string, lags: string): number[] {
  if (lags.includes('1') || !/^[01]*$/.test(ports)) {
    throw new MulticastFailure({ code: MulticastError.FAILED });
  }
  return Array.from(ports).reverse().flatMap((digit, port) => (digit === '1' ? port : []));
}
