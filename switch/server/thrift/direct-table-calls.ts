import { StateError } from '../../control/table-control';
import { standardTypes } from '../../../common/thrift/generated-code';
import { priorityFrom, decodeKey } from './key-messages';
import { callOf, idBehind, tableNamed, writing, failure } from './table-access';
import type { ActionCall } from '../../control/table-control';
import type { OptionsMessage, FieldMessage } from './key-messages';
import type { ServiceCalls } from './service-calls';
import type { NamedTable, TableType } from './table-access';
import type { ThriftTarget } from './target';

const { TableError } = standardTypes;

export const ANY_TYPE: readonly TableType[] = ['direct', 'indirect', 'with selector'];

/** Tables whose entries call actions. */
export function directTableCalls(target: ThriftTarget): ServiceCalls {
  const direct = (name: string): NamedTable => tableNamed(target, name, ['direct']);
  const remove = deleteEntry(target);
  return {
    bm_mt_add_entry: (
      ...[, name, key, action, values, options]: [
        ...[number, string, FieldMessage[], string, Buffer[], OptionsMessage],
      ]
    ): number => {
      const named = direct(name);
      const call = callFrom(named, action, values);
      return addEntry(named, key, options, { kind: 'call', call });
    },
    bm_mt_set_default_action: (
      ...[, name, action, values]: [number, string, string, Buffer[]]
    ): void => {
      const named = direct(name);
      const call = callFrom(named, action, values);
      settingDefault(() => named.table.setDefault(call));
      target.shared.defaultChanged(name);
    },
    bm_mt_reset_default_entry: (_context: number, name: string): void => {
      direct(name).table.resetDefault();
      target.shared.defaultChanged(name);
    },
    bm_mt_delete_entry: (_context: number, name: string, handle: number): void =>
      remove(direct(name), handle),
    bm_mt_modify_entry: (
      ...[, name, handle, action, values]: [number, string, number, string, Buffer[]]
    ): void => {
      const named = direct(name);
      const call = callFrom(named, action, values);
      requireWritable(named);
      const id = idBehind(named.table, handle);
      writing(() => named.table.modify({ ...id, action: { kind: 'call', call } }));
      target.shared.entryChanged(name, id);
    },
    bm_mt_clear_entries: (_context: number, name: string, alsoDefault: boolean): void => {
      const { table } = tableNamed(target, name, ANY_TYPE);
      const entries = [...table.entries()];
      writing(() => table.clear());
      for (const entry of entries) target.shared.entryChanged(name, entry);
      if (!alsoDefault) return;
      table.resetDefault();
      target.shared.defaultChanged(name);
    },
  };
}

/** Deletes the entry behind a handle. */
export const deleteEntry =
  ({ shared }: ThriftTarget) =>
  (named: NamedTable, handle: number): void => {
    requireWritable(named);
    const id = idBehind(named.table, handle);
    writing(() => named.table.delete(id.key, id.priority));
    shared.entryChanged(named.table.name, id);
  };

/** Adds an entry and answers its handle. @throws TableFailure */
export function addEntry(
  named: NamedTable,
  message: readonly FieldMessage[],
  options: OptionsMessage,
  action: Parameters<NamedTable['table']['insert']>[0]['action'],
): number {
  const { table } = named;
  requireWritable(named);
  if (table.matchKinds.length === 0) throw failure(TableError.NO_KEY);
  const key = decodeKey(table, message);
  const priority = priorityFrom(table, options);
  writing(() => table.insert({ key, priority, action }));
  return table.handleOf(key, priority) ?? 0;
}

/** @throws TableFailure when the program has filled the table for good. */
export function requireWritable({ table }: NamedTable): void {
  if (table.isFixed) throw failure(TableError.FIXED_ENTRIES);
}

/** @throws TableFailure with the code for a constant default. */
export function settingDefault(set: () => void): void {
  try {
    set();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const isConstant = error.code === 'permission-denied';
    throw failure(isConstant ? TableError.CONSTANT_DEFAULT_ENTRY : TableError.BAD_ARGUMENTS);
  }
}

function callFrom({ program, table }: NamedTable, action: string, values: Buffer[]): ActionCall {
  return fitting(program.tableAction(table.name, action), values);
}

/** @throws TableFailure BAD_ARGUMENTS also for values that are too wide. */
export function fitting(
  action: Parameters<typeof callOf>[0],
  values: readonly Buffer[],
): ActionCall {
  const call = callOf(action, values);
  const tooWide = action?.parameters.some(({ width }, i) => {
    return (call.arguments[i] ?? 0n) >> BigInt(width) !== 0n;
  });
  if (tooWide === true) throw failure(TableError.BAD_ARGUMENTS);
  return call;
}
