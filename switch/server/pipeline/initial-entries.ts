import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { PipelineControl } from '../../control/table-control';

/** Whether the program's entries of a table are there at first and may change later. */
export const hasOnlyInitialEntries = (table: TableInfo): boolean =>
  table.hasInitialEntries && !table.isConst;

/**
 * Opens the tables whose entries P4Info calls initial (P4Runtime 1.5.0, section "Preinitialized
 * tables"). p4c's JSON has such entries in the form of constant ones and counts them as the size.
 */
export function openInitialTables(info: P4InfoIndex, control: PipelineControl): void {
  for (const table of info.tables.all.filter(hasOnlyInitialEntries)) {
    control.tables.get(table.name)?.openForWrites(table.size);
  }
}
