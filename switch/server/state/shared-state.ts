import type { EntryId } from '../../control/program-control';
import type { RunningPipeline } from './running-pipeline';

/**
 * What this server remembers about the state of a switch, for another server that changes the same
 * state: a note about an entry must not outlive the entry.
 */
export interface SharedState {
  /** Whether a controller has brought the program that runs. */
  ownsProgram(): boolean;
  /** Whether the members and groups of a profile are made for entries, not by their writers. */
  ownsProfile(profile: string): boolean;
  /** An entry was deleted, or its action replaced. */
  entryChanged(table: string, entry: EntryId): void;
  defaultChanged(table: string): void;
  /** All state of the program is as it was at the start. */
  stateReset(): void;
}

/** Forgets what was noted about an entry, and the group that was made for it. */
export function forgetEntry(running: RunningPipeline, tableName: string, id: EntryId): void {
  const note = running.notes.get(tableName, id);
  running.notes.delete(tableName, id);
  if (note?.oneShot === undefined) return;
  const profile = running.control.tables.get(tableName)?.actionProfile;
  const control = running.control.actionProfiles.get(profile ?? '');
  if (control !== undefined) running.oneShots.remove(control, note.oneShot.groupId);
}
