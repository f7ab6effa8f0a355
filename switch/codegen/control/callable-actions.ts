import type { Action, Program, TableLayout } from '../../ir/nodes';

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
