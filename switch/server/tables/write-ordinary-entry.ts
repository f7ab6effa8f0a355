import { RpcError } from '../../../common/p4runtime/codes';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { EntryId } from '../../control/program-control';
import type { RunningPipeline } from '../state/running-pipeline';
import { decodeEntryAction } from './written-action';
import type { DecodedAction } from './written-action';
import type { EntryNote } from '../state/entry-notes';
import { applyResources } from './entry-resources';
import type { DecodedResources } from './entry-resources';
import type { Table } from './addressed-table';

/** An entry that is written, and the words for it in error messages. */
export interface EntryPlace {
  readonly running: RunningPipeline;
  readonly target: Table;
  readonly id: EntryId;
  readonly where: () => string;
}

/** @throws RpcError or StateError; then nothing has changed. */
export function insertEntry(
  place: EntryPlace,
  entry: p4.TableEntry,
  resources: DecodedResources,
): void {
  const { running, id, where } = place;
  const { table, control } = place.target;
  if (control.find(id.key, id.priority) !== undefined) {
    throw new RpcError('ALREADY_EXISTS', `${where()} already exists`);
  }
  if (!entry.hasAction) {
    throw new RpcError('INVALID_ARGUMENT', `table '${table.name}': an entry wants an action`);
  }
  const decoded = decodeEntryAction(running, table, entry.action);
  const { key, priority } = id;
  applying(decoded, () => control.insert({ key, priority, action: decoded.action }));
  note(place, noteOf(entry, resources, decoded.oneShot));
  applyResources(running, table, id, resources);
}

/** Modifies an entry; without an action, only its resources change. @throws likewise. */
export function modifyEntry(
  place: EntryPlace,
  entry: p4.TableEntry,
  resources: DecodedResources,
): void {
  const { running, id, where } = place;
  const { table, control } = place.target;
  const old = running.notes.get(table.name, id);
  if (control.find(id.key, id.priority) === undefined) {
    throw new RpcError('NOT_FOUND', `${where()} does not exist`);
  }
  if (entry.hasAction) {
    const decoded = decodeEntryAction(running, table, entry.action);
    const { key, priority } = id;
    applying(decoded, () => control.modify({ key, priority, action: decoded.action }));
    releaseOneShot(place, old);
    note(place, noteOf(entry, resources, decoded.oneShot));
  } else {
    note(place, noteOf(entry, resources, old?.oneShot));
  }
  applyResources(running, table, id, resources);
}

/** @throws StateError; then nothing has changed. */
export function removeEntry(place: EntryPlace): void {
  const { running, id } = place;
  const { table, control } = place.target;
  const old = running.notes.get(table.name, id);
  control.delete(id.key, id.priority);
  releaseOneShot(place, old);
  running.notes.delete(table.name, id);
}

function note({ running, target, id }: EntryPlace, entryNote: EntryNote): void {
  running.notes.set(target.table.name, id, entryNote);
  if (entryNote.idleTimeoutNs > 0n) running.idle.watch();
}

/** Undoes what decoding has made, a one-shot group, when the switch refuses the entry. */
function applying(decoded: DecodedAction, write: () => void): void {
  try {
    write();
  } catch (error) {
    decoded.undo();
    throw error;
  }
}

function releaseOneShot({ running, target }: EntryPlace, old: EntryNote | undefined): void {
  const profile = running.info.actionProfiles.byNumber(target.table.actionProfileId ?? 0);
  const control = running.control.actionProfiles.get(profile?.name ?? '');
  if (old?.oneShot !== undefined && control !== undefined) {
    running.oneShots.remove(control, old.oneShot.groupId);
  }
}

function noteOf(
  { metadata, controllerMetadata }: p4.TableEntry,
  { idleTimeoutNs }: DecodedResources,
  oneShot: EntryNote['oneShot'],
): EntryNote {
  const plain = { metadata, controllerMetadata, idleTimeoutNs };
  return oneShot === undefined ? plain : { ...plain, oneShot };
}
