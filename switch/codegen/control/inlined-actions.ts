import { callableActions, onlyCall } from './emit-table';
import type { ControlNode, Program } from '../../ir/nodes';

/**
 * Most nodes of actions' statements that may stand in the function of a control. V8 never optimises
 * functions beyond a size (60 KB of its bytecode), and without that a packet takes several times as
 * long. The largest control that works without the limit has 2200, the smallest that does not 8000.
 */
const NODES_MAX = 2400;

/**
 * Ids of the actions that one node of a control runs and nothing else, so that they need not be
 * functions; where a control would become too large, only the smaller ones.
 */
export function inlinedActions(program: Program): ReadonlySet<number> {
  const once = calledOnce(program);
  const controls = [program.ingress, program.egress].map(({ nodes }) => {
    const inlinable = nodes.map((node) => runBy(node, program).filter((id) => once.has(id)));
    // What a node always runs comes first: of a table's actions a packet needs one.
    const certain = inlinable.filter((_, i) => isCertain(nodes[i], program)).flat();
    return [certain, inlinable.flat().filter((id) => !certain.includes(id))];
  });
  return new Set(controls.flatMap((groups) => smallest(groups, program)));
}

/** As many of the actions as fit together, group by group, and the smaller ones first. */
function smallest(groups: readonly (readonly number[])[], program: Program): readonly number[] {
  let left = NODES_MAX;
  const sized = groups.map((ids) =>
    ids
      .map((id) => ({ id, nodes: nodesIn(program.actions.get(id)?.statements) }))
      .sort((a, b) => a.nodes - b.nodes),
  );
  return sized
    .flat()
    .filter(({ nodes }) => (left -= nodes) >= 0)
    .map(({ id }) => id);
}

/** Objects in a tree of them. */
function nodesIn(tree: unknown): number {
  if (typeof tree !== 'object' || tree === null) return 0;
  const parts: readonly unknown[] = Object.values(tree);
  return parts.reduce<number>((sum, part) => sum + nodesIn(part), Array.isArray(tree) ? 0 : 1);
}

function calledOnce(program: Program): ReadonlySet<number> {
  const uses = new Map<number, number>();
  const nodes = [...program.ingress.nodes, ...program.egress.nodes];
  for (const id of nodes.flatMap((node) => runBy(node, program)))
    uses.set(id, (uses.get(id) ?? 0) + 1);
  return new Set([...uses].filter(([, times]) => times === 1).map(([id]) => id));
}

/** The actions that a node may run, one of them each time. */
function runBy(node: ControlNode, program: Program): readonly number[] {
  if (node.kind === 'action-call') return [node.actionId];
  const table = node.kind === 'table' ? program.tables[node.table] : undefined;
  if (table === undefined) return [];
  const only = onlyCall(table);
  return only === undefined ? callableActions(table, program).map(({ id }) => id) : [only.actionId];
}

/** True if a node runs the same action for every packet. */
function isCertain(node: ControlNode | undefined, program: Program): boolean {
  if (node?.kind === 'action-call') return true;
  const table = node?.kind === 'table' ? program.tables[node.table] : undefined;
  return table !== undefined && onlyCall(table) !== undefined;
}
