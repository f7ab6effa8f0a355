import { describeKey } from '../../../common/p4runtime/match-codec';
import { RpcError } from '../../../common/p4runtime/codes';
import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { EntryId } from '../../control/program-control';
import type { RunningPipeline } from '../state/running-pipeline';
import { decodeEntryAction } from './written-action';
import type { EntryNote } from '../state/entry-notes';
import { applyResources } from './entry-resources';
import type { DecodedResources } from './entry-resources';
import type { Table } from './addressed-table';

/** An entry that is written. */
export interface EntryPlace {
  readonly running: RunningPipeline;
  readonly target: Table;
  readonly id: EntryId;
}

/** The entry in words, for errors. */
export function wordsOfPlace({ target: { table }, id }: EntryPlace): string {
  const rank = id.priority === 0 ? '' : ` at priority ${id.priority}`;
  return `table '${table.name}', entry ${describeKey(table, id.key)}${rank}`;
}

/** @throws RpcError or StateError; then nothing has changed. */
export function insertEntry(
  place: EntryPlace,
  entry: p4.TableEntry,
  resources: DecodedResources,
): void {
  const { running, id } = place;
  const { table, control } = place.target;
  if (control.find(id.key, id.priority) !== undefined) {
    throw new RpcError('ALREADY_EXISTS', `${wordsOfPlace(place)} already exists`);
  }
  if (!entry.hasAction) {
    throw new RpcError('INVALID_ARGUMENT', `table '${table.name}': an entry wants an action`);
  }
  const decoded = decodeEntryAction(running, table, entry.action);
  const { key, priority } = id;
  try {
    control.insert({ key, priority, action: decoded.action });
  } catch (error) {
    decoded.undo();
    throw error;
  }
  note(place, noteOf(entry, resources, decoded.oneShot));
  applyResources(running, table, id, resources);
}

/** Modifies an entry; without an action, only its resources change. @throws likewise. */
export function modifyEntry(
  place: EntryPlace,
  entry: p4.TableEntry,
  resources: DecodedResources,
): void {
  const { running, id } = place;
  const { table, control } = place.target;
  const old = running.notes.get(table.name, id);
  if (control.find(id.key, id.priority) === undefined) {
    throw new RpcError('NOT_FOUND', `${wordsOfPlace(place)} does not exist`);
  }
  if (entry.hasAction) {
    const decoded = decodeEntryAction(running, table, entry.action);
    const { key, priority } = id;
    try {
      control.modify({ key, priority, action: decoded.action });
    } catch (error) {
      decoded.undo();
      throw error;
    }
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

function releaseOneShot({ running, target }: EntryPlace, old: EntryNote | undefined): void {
  if (old?.oneShot === undefined) return;
  const profile = running.info.actionProfiles.byNumber(target.table.actionProfileId ?? 0);
  const control = running.control.actionProfiles.get(profile?.name ?? '');
  if (control !== undefined) running.oneShots.remove(control, old.oneShot.groupId);
}

function noteOf(
  { metadata, controllerMetadata }: p4.TableEntry,
  { idleTimeoutNs }: DecodedResources,
  oneShot: EntryNote['oneShot'],
): EntryNote {
  const plain = { metadata, controllerMetadata, idleTimeoutNs };
  return oneShot === undefined ? plain : { ...plain, oneShot };
}
