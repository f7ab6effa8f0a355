import { callableActions, onlyCall } from './emit-table';
import type { ControlNode, Program } from '../../ir/nodes';

/**
 * Most nodes of actions' statements that may stand in the function of a control. V8 never optimises
 * functions beyond a size (60 KB of its bytecode), and without that a packet takes several times as
 * long. The largest control that works without the limit has 2200, the smallest that does not 8000.
 */
const NODES_MAX = 2400;

/**
 * Ids of the actions that one node of a control calls and nothing else, so that they need not be
 * functions; where a control would become too large, only the smaller ones.
 */
export function inlinedActions(program: Program): ReadonlySet<number> {
  const once = calledOnce(program);
  const controls = [program.ingress, program.egress].map(({ nodes }) =>
    nodes.flatMap((node) => calledBy(node, program) ?? []).filter((id) => once.has(id)),
  );
  return new Set(controls.flatMap((ids) => smallest(ids, program)));
}

/** As many of the actions as fit together, the smaller ones first. */
function smallest(ids: readonly number[], program: Program): readonly number[] {
  let left = NODES_MAX;
  return ids
    .map((id) => ({ id, nodes: nodesIn(program.actions.get(id)?.statements) }))
    .sort((a, b) => a.nodes - b.nodes)
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
  const use = (id: number, times: number): void => void uses.set(id, (uses.get(id) ?? 0) + times);
  const nodes = [...program.ingress.nodes, ...program.egress.nodes];
  for (const node of nodes) {
    const called = calledBy(node, program);
    if (called !== undefined) use(called, 1);
  }
  // Entries may call an action of a table many times.
  for (const table of program.tables) {
    if (onlyCall(table) !== undefined) continue;
    for (const { id } of callableActions(table, program)) use(id, 2);
  }
  return new Set([...uses].filter(([, times]) => times === 1).map(([id]) => id));
}

/** The action that a node calls without looking anything up. */
function calledBy(node: ControlNode, program: Program): number | undefined {
  if (node.kind === 'action-call') return node.actionId;
  const table = node.kind === 'table' ? program.tables[node.table] : undefined;
  return table && onlyCall(table)?.actionId;
}
