import { callableActions } from './callable-actions';
import { onlyCall } from './only-call';
import type { ControlNode } from '../ir/control-nodes';
import type { Program } from '../ir/nodes';

/**
 * Ids of the actions that one node of a control calls and nothing else, so that they need not be
 * functions.
 */
export function inlinedActions(program: Program): ReadonlySet<number> {
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
