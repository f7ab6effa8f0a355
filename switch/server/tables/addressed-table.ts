import { RpcError } from '../../../common/p4runtime/codes';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { KeyField } from '../../../common/p4runtime/key-field';
import { decodeKey } from '../../../common/p4runtime/match-codec';
import type { TableInfo } from '../../../common/p4runtime/p4info';
import type { TableControl } from '../../control/table-control';
import { objectOf, stateOf } from '../externs/array-index';
import type { RunningPipeline } from '../state/running-pipeline';

/** The table that a message names, as P4Info has it and as the switch does. */
export interface Table {
  readonly table: TableInfo;
  readonly control: TableControl;
}

/** @throws RpcError INVALID_ARGUMENT naming what exists. */
export function tableOf(running: RunningPipeline, id: number): Table {
  const table = objectOf(running.info.tables, id);
  return { table, control: stateOf(running.control.tables, table) };
}

/** The tables that a filter means: one, or all for number 0. @throws RpcError likewise. */
export function tablesOf(running: RunningPipeline, id: number): Table[] {
  const ids = id === 0 ? running.info.tables.all.map((each) => each.id) : [id];
  return ids.map((each) => tableOf(running, each));
}

/** The key of an entry of the table. @throws RpcError INVALID_ARGUMENT or OUT_OF_RANGE */
export const keyOf = (table: TableInfo, match: readonly p4.FieldMatch[]): KeyField[] =>
  decodeKey(table, match, () => `table '${table.name}'`);

/** The priority that goes with a key. @throws RpcError INVALID_ARGUMENT */
export function checkedPriority(table: TableInfo, priority: number): number {
  if (table.needsPriority && priority <= 0) {
    throw invalid(table, `wanted a priority above 0, found ${priority}`);
  }
  if (!table.needsPriority && priority !== 0) {
    throw invalid(table, `wanted no priority with exact and lpm fields, found ${priority}`);
  }
  return priority;
}

/** A refusal that begins with the table's name. */
export function invalid({ name }: TableInfo, reason: string): RpcError {
  return new RpcError('INVALID_ARGUMENT', `table '${name}': ${reason}`);
}
