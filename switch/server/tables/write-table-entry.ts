import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { TableInfo } from '../../../common/p4runtime/p4info';
import type { UpdateType } from '../errors/update-rules';
import { decodeTableAction } from './action-call';
import { checkedPriority, invalid, keyOf, tableOf } from './addressed-table';
import type { Table } from './addressed-table';
import type { RunningPipeline } from '../state/running-pipeline';
import { decodeResources } from './entry-resources';
import { inState, refusalOfState } from '../errors/update-rules';
import { insertEntry, modifyEntry, removeEntry, wordsOfPlace } from './write-ordinary-entry';

/** Applies one update to a table (P4Runtime 1.5.0, section "TableEntry"). @throws RpcError */
export function writeTableEntry(
  running: RunningPipeline,
  type: UpdateType,
  entry: p4.TableEntry,
): void {
  const target = tableOf(running, entry.tableId);
  if (entry.isConst) throw invalid(target.table, 'is_const must not be set in a write');
  if (entry.isDefaultAction) writeDefault(running, type, entry, target);
  else writeEntry(running, type, entry, target);
}

function writeDefault(
  running: RunningPipeline,
  type: UpdateType,
  entry: p4.TableEntry,
  { table, control }: Table,
): void {
  const where = `table '${table.name}', default entry`;
  if (type !== 'modify') throw invalid(table, `the default entry can only be modified`);
  if (entry.match.length > 0 || entry.priority !== 0) {
    throw invalid(table, 'the default entry has neither match nor priority');
  }
  refuseDefaultResources(table, entry);
  if (table.constDefault || table.actionProfileId !== undefined) {
    throw new RpcError('PERMISSION_DENIED', `${where}: the program fixes it`);
  }
  if (!entry.hasAction) {
    inState(where, () => control.resetDefault());
    running.defaults.delete(table.name);
    return;
  }
  if (entry.action.type !== 'action') throw invalid(table, 'the default entry wants an action');
  const call = decodeTableAction(running, table, entry.action.action, 'default');
  inState(where, () => control.setDefault(call));
  const { metadata, controllerMetadata } = entry;
  running.defaults.set(table.name, { metadata, controllerMetadata });
}

/**
 * Refuses resources of default entries: on a miss the data plane counts and meters nothing, as on
 * bmv2.
 */
function refuseDefaultResources(table: TableInfo, entry: p4.TableEntry): void {
  if (entry.idleTimeoutNs !== '0' || entry.hasTimeSinceLastHit) {
    throw invalid(table, 'the default entry has no idle timeout');
  }
  if (!entry.hasCounterData && !entry.hasMeterConfig && !entry.hasMeterCounterData) return;
  const reason = 'the default entry has no direct counter and meter here';
  throw new RpcError('UNIMPLEMENTED', `table '${table.name}': ${reason}`);
}

function writeEntry(
  running: RunningPipeline,
  type: UpdateType,
  entry: p4.TableEntry,
  target: Table,
): void {
  const { table } = target;
  if (table.isConst && (type !== 'modify' || entry.hasAction)) {
    const reason = 'the program fixes its entries';
    throw new RpcError('PERMISSION_DENIED', `table '${table.name}': ${reason}`);
  }
  if (table.matchFields.all.length === 0)
    throw invalid(table, 'a table without key has no entries');
  const key = keyOf(table, entry.match);
  const id = { key, priority: checkedPriority(table, entry.priority) };
  const place = { running, target, id };
  // PERF: a bulk load writes hundreds of thousands of entries a second, so nothing here makes closures.
  try {
    switch (type) {
      case 'insert':
        insertEntry(place, entry, decodeResources(running, table, entry));
        return;
      case 'modify':
        modifyEntry(place, entry, decodeResources(running, table, entry));
        return;
      case 'delete':
        removeEntry(place);
        return;
      default:
        unreachable(type);
    }
  } catch (error) {
    throw refusalOfState(() => wordsOfPlace(place), error);
  }
}
