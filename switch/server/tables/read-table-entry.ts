import { unreachable } from '../../../common/assert';
import { RpcError } from '../../../common/p4runtime/codes';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { TableEntry } from '../../control/table-control';
import type { KeyField } from '../../../common/p4runtime/key-field';
import { encodeCall } from './action-call';
import type { RunningPipeline } from '../state/running-pipeline';
import { keyText } from '../state/entry-notes';
import { checkResourceFilter, encodeResources } from './entry-resources';
import { encodeKey } from '../../../common/p4runtime/match-codec';
import { refuseColorCounters } from '../externs/meter-entries';
import { keyOf, tablesOf } from './addressed-table';
import { chained, PAUSE } from '../turns/lazily';
import type { Pause } from '../turns/lazily';
import type { Table } from './addressed-table';

/**
 * Entries of one table or of all (P4Runtime 1.5.0, section "Wildcard Reads"). With
 * is_default_action the default entries, otherwise all others: those that exist now, whenever they
 * are read.
 * @throws RpcError
 */
export function readTableEntries(
  running: RunningPipeline,
  filter: p4.TableEntry,
): Iterable<p4.TableEntry | Pause> {
  if (filter.tableId === 0 && (filter.match.length > 0 || filter.hasAction)) {
    throw new RpcError('INVALID_ARGUMENT', 'a read of all tables takes neither match nor action');
  }
  refuseColorCounters({ hasCounterData: filter.hasMeterCounterData });
  if (filter.isDefaultAction) return defaultEntries(running, filter);
  const parts = tablesOf(running, filter.tableId).map((target) => {
    if (filter.tableId !== 0) checkResourceFilter(running.info, target.table, filter);
    const accepts = entryFilter(target, filter);
    const entries = matchingEntries(target, filter);
    return encoded({ running, target, filter }, entries, accepts);
  });
  return chained(parts);
}

/** The entries of a table that have the filter's match, or all. @throws RpcError */
export function matchingEntries(
  { table, control }: Table,
  filter: p4.TableEntry,
): Iterable<TableEntry> {
  if (filter.tableId === 0 || filter.match.length === 0) return control.snapshot();
  const key = keyOf(table, filter.match);
  if (table.needsPriority && filter.priority === 0) return withKey(control.snapshot(), key);
  const entry = control.find(key, filter.priority);
  return entry === undefined ? [] : [entry];
}

/** Entries with a key at all priorities. */
function* withKey(entries: Iterable<TableEntry>, key: readonly KeyField[]): Iterable<TableEntry> {
  const wanted = keyText(key);
  for (const entry of entries) if (keyText(entry.key) === wanted) yield entry;
}

/** An entry as it was written, without its counter, meter and time since the last hit. */
export function encodeEntry(
  running: RunningPipeline,
  { table }: Table,
  entry: TableEntry,
): p4.TableEntry {
  const note = running.notes.get(table.name, entry);
  const set = note?.oneShot?.set;
  return new p4.TableEntry({
    tableId: table.id,
    match: encodeKey(table, entry.key),
    action:
      set === undefined
        ? encodeEntryAction(running, entry)
        : new p4.TableAction({ actionProfileActionSet: set }),
    priority: table.needsPriority ? entry.priority : 0,
    metadata: note?.metadata ?? new Uint8Array(),
    controllerMetadata: note?.controllerMetadata ?? '0',
    idleTimeoutNs: String(note?.idleTimeoutNs ?? 0n),
    isConst: table.isConst,
  });
}

function defaultEntries(running: RunningPipeline, filter: p4.TableEntry): p4.TableEntry[] {
  if (filter.hasTimeSinceLastHit) {
    throw new RpcError('INVALID_ARGUMENT', 'default entries have no idle timeout');
  }
  return tablesOf(running, filter.tableId).flatMap(({ table, control }) => {
    const base = { tableId: table.id, isDefaultAction: true, ...running.defaults.get(table.name) };
    const call = control.defaultAction;
    const action = call === undefined ? undefined : encodeCall(running, call);
    if (action === undefined) return [];
    return [new p4.TableEntry({ ...base, action: new p4.TableAction({ action }) })];
  });
}

interface Reading {
  readonly running: RunningPipeline;
  readonly target: Table;
  readonly filter: p4.TableEntry;
}

/** Entries may be deleted while they wait to be read; those have nothing left but themselves. */
function* encoded(
  { running, target, filter }: Reading,
  entries: Iterable<TableEntry>,
  accepts: (entry: p4.TableEntry) => boolean,
): Iterable<p4.TableEntry | Pause> {
  const wantsResources =
    filter.hasCounterData || filter.hasMeterConfig || filter.hasTimeSinceLastHit;
  for (const entry of entries) {
    const message = encodeEntry(running, target, entry);
    if (!accepts(message)) {
      yield PAUSE;
      continue;
    }
    if (wantsResources && target.control.find(entry.key, entry.priority) !== undefined) {
      Object.assign(message, encodeResources(running, target.table, entry, filter));
    }
    yield message;
  }
}

function entryFilter({ table }: Table, filter: p4.TableEntry): (entry: p4.TableEntry) => boolean {
  const actionId = filter.hasAction && filter.action.hasAction ? filter.action.action.actionId : 0;
  if (actionId !== 0 && table.actions.byNumber(actionId) === undefined) {
    throw new RpcError('INVALID_ARGUMENT', `table '${table.name}': no action ${actionId}`);
  }
  const metadata = Buffer.from(filter.metadata);
  return (entry) =>
    (filter.priority === 0 || filter.priority === entry.priority) &&
    (actionId === 0 || (entry.action.hasAction && entry.action.action.actionId === actionId)) &&
    (metadata.length === 0 || metadata.equals(entry.metadata)) &&
    (filter.controllerMetadata === '0' || filter.controllerMetadata === entry.controllerMetadata);
}

function encodeEntryAction(running: RunningPipeline, { action }: TableEntry): p4.TableAction {
  switch (action.kind) {
    case 'call': {
      const message = encodeCall(running, action.call);
      return new p4.TableAction(message === undefined ? {} : { action: message });
    }
    case 'member':
      return new p4.TableAction({ actionProfileMemberId: action.memberId });
    case 'group':
      return new p4.TableAction({ actionProfileGroupId: action.groupId });
    default:
      return unreachable(action);
  }
}
