import type { Action, ConstantCall, Program, TableLayout, TableSuccessor } from '../../ir/nodes';

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

/** Actions that an entry of the table may run: members of a profile are shared between tables. */
export function callableActions(table: TableLayout, program: Program): Action[] {
  const { actionProfile } = table;
  const users =
    actionProfile === undefined
      ? [table]
      : program.tables.filter((other) => other.actionProfile === actionProfile);
  const ids = new Set([
    ...users.flatMap(({ actionIds }) => actionIds),
    ...users.flatMap(({ defaultCall }) => defaultCall?.actionId ?? []),
  ]);
  return [...ids].flatMap((id) => program.actions.get(id) ?? []);
}

/** Whether applying the table may end the pipeline. */
export function mayExit(table: TableLayout, program: Program): boolean {
  const actions = callableActions(table, program);
  return actions.some(({ statements }) => statements.some(({ kind }) => kind === 'exit'));
}
