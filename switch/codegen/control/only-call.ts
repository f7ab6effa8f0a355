import type { TableSuccessor, ConstantCall, TableLayout } from '../../ir/nodes';

/** The one call that a table can make: it has no key, and its default action is constant. */
export function onlyCall(table: TableLayout): ConstantCall | undefined {
  const isFixed = table.key.length === 0 && table.defaultIsConstant;
  return isFixed && table.actionProfile === undefined ? table.defaultCall : undefined;
}

/** What follows a table that ran its one call. */
export function onlySuccessor(next: TableSuccessor, call: ConstantCall): number {
  if (next.kind === 'hit-or-miss') return next.miss;
  return next.byAction.get(call.actionId) ?? next.otherwise;
}
