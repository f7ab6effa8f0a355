import { RpcError } from '../../../common/p4runtime/codes';
import type { TableInfo } from '../../../common/p4runtime/p4info';
import type { TableControl } from '../../control/table-control';
import type { RunningPipeline } from '../state/running-pipeline';

/** The table that a message names, as P4Info has it and as the switch does. */
export interface Table {
  readonly table: TableInfo;
  readonly control: TableControl;
}

/** @throws RpcError INVALID_ARGUMENT naming what exists. */
export function tableOf(running: RunningPipeline, id: number): Table {
  const table = running.info.tables.byNumber(id);
  const control = running.control.tables.get(table?.name ?? '');
  if (table !== undefined && control !== undefined) return { table, control };
  const names = running.info.tables.all.map((each) => each.name).join(', ');
  throw new RpcError('INVALID_ARGUMENT', `no table ${id}; the program has: ${names || 'none'}`);
}

/** The tables that a filter means: one, or all for number 0. @throws RpcError likewise. */
export function tablesOf(running: RunningPipeline, id: number): Table[] {
  const ids = id === 0 ? running.info.tables.all.map((each) => each.id) : [id];
  return ids.map((each) => tableOf(running, each));
}

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
