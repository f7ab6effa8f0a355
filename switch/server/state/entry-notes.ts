import type { ActionProfileActionSet } from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { KeyField } from '../../../common/p4runtime/key-field';
import type { EntryId } from '../../control/program-control';

/** Data that P4Runtime stores with an entry and the data plane does not use. */
export interface EntryNote {
  readonly metadata: Uint8Array;
  readonly controllerMetadata: string;
  /** Time to live in ns; 0 for ever. */
  readonly idleTimeoutNs: bigint;
  /** The one-shot group that the entry was written with, and the group made for it. */
  readonly oneShot?: { readonly set: ActionProfileActionSet; readonly groupId: number };
}

interface Noted {
  readonly entry: EntryId;
  readonly note: EntryNote;
}

/** Notes by table and entry. An entry without anything to note has none. */
export class EntryNotes {
  private readonly tables = new Map<string, Map<string, Noted>>();

  /** True if something is noted about some entry of a table. */
  has(table: string): boolean {
    return (this.tables.get(table)?.size ?? 0) > 0;
  }

  get(table: string, entry: EntryId): EntryNote | undefined {
    const notes = this.tables.get(table);
    // Most tables have none, and the text of a key takes longer than the lookup.
    return notes === undefined || notes.size === 0 ? undefined : notes.get(entryText(entry))?.note;
  }

  set(table: string, entry: EntryId, note: EntryNote): void {
    const notes = this.tables.get(table) ?? new Map<string, Noted>();
    this.tables.set(table, notes);
    if (isEmpty(note) && notes.size === 0) return;
    if (isEmpty(note)) notes.delete(entryText(entry));
    else notes.set(entryText(entry), { entry, note });
  }

  delete(table: string, entry: EntryId): void {
    const notes = this.tables.get(table);
    if (notes !== undefined && notes.size > 0) notes.delete(entryText(entry));
  }

  /** The entries of a table that have a time to live. */
  *mortal(table: string): Iterable<Noted> {
    for (const noted of this.tables.get(table)?.values() ?? []) {
      if (noted.note.idleTimeoutNs > 0n) yield noted;
    }
  }
}

function isEmpty({ metadata, controllerMetadata, idleTimeoutNs, oneShot }: EntryNote): boolean {
  const plain = metadata.length === 0 && controllerMetadata === '0';
  return plain && idleTimeoutNs === 0n && oneShot === undefined;
}

/** Key and priority identify an entry within its table. */
export function entryText({ key, priority }: EntryId): string {
  return `${priority};${keyText(key)}`;
}

/** A text that is equal for equal keys. */
export function keyText(key: readonly KeyField[]): string {
  return key.map((field) => Object.values(field).map(String).join(' ')).join(';');
}
