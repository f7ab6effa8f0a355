import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4InfoIndex, TableInfo } from '../../../common/p4runtime/p4info';
import type { DigestInfo } from '../../../common/p4runtime/p4info-externs';
import type { Replication } from '../replication/replication';
import type { ServedPipeline } from './served-switch';
import { EntryNotes } from './entry-notes';
import type { EntryNote } from './entry-notes';
import { OneShots } from './one-shots';
import { WatchedGroups } from './watched-groups';
import type { EntryId } from '../../control/program-control';

/** A checked configuration, and its P4Info by name and number. */
export interface PipelineConfig {
  readonly message: p4.ForwardingPipelineConfig;
  readonly info: P4InfoIndex;
}

/** The running program with what the server itself remembers about its state. */
export interface RunningPipeline extends PipelineParts {
  readonly notes: EntryNotes;
  /** Metadata that controllers sent with the default entries that they set, by table. */
  readonly defaults: Map<string, Pick<EntryNote, 'metadata' | 'controllerMetadata'>>;
  readonly oneShots: OneShots;
  readonly watched: WatchedGroups;
}

/** Parts that a pipeline is started with. */
export interface PipelineParts {
  readonly info: P4InfoIndex;
  readonly control: ServedPipeline;
  readonly replication: Replication;
  readonly digests: DigestSettings;
  /** Called when an entry has got a time to live. */
  readonly idle: { watch(): void };
}

/** Bundling of one digest's samples (P4Runtime 1.5.0, section "DigestEntry"); times in ns. */
export interface DigestConfig {
  /** The longest time that a sample waits for others. */
  readonly maxTimeoutNs: bigint;
  /** The most samples of a list; 0 for no limit. */
  readonly maxListSize: number;
  /** Time for which a sample that was sent and not acknowledged is not sent again. */
  readonly ackTimeoutNs: bigint;
}

/** Digests that are enabled, and their bundling. */
export interface DigestSettings {
  /** Undefined while the digest is not enabled. */
  settings(digestId: number): DigestConfig | undefined;
  /** Begins to send samples of a digest, or goes on with other settings. */
  configure(info: DigestInfo, config: DigestConfig): void;
  /** Sends no more samples of a digest. */
  disable(digestId: number): void;
}

/**
 * The pipeline of a program that was just loaded.
 * @param portsDown the ports that are down, now and whenever it is read.
 */
export function startedPipeline(
  parts: PipelineParts,
  portsDown: ReadonlySet<number>,
): RunningPipeline {
  openInitialTables(parts);
  const watched = new WatchedGroups(portsDown);
  const oneShots = new OneShots(watched);
  return { ...parts, notes: new EntryNotes(), defaults: new Map(), watched, oneShots };
}

/** True if the program's entries of a table are only initial: they may change later. */
export const hasOnlyInitialEntries = (table: TableInfo): boolean =>
  table.hasInitialEntries && !table.isConst;

/**
 * Opens the tables whose entries P4Info calls initial (P4Runtime 1.5.0, section "Preinitialized
 * tables"). p4c's JSON has such entries in the form of constant ones and counts them as the size.
 */
export function openInitialTables({ info, control }: PipelineParts): void {
  for (const table of info.tables.all.filter(hasOnlyInitialEntries)) {
    control.tables.get(table.name)?.openForWrites(table.size);
  }
}

/**
 * State of this server that another server needs when it changes the same switch: a note about an
 * entry must not outlive the entry.
 */
export interface SharedState {
  /** True if the running program came from a controller. */
  ownsProgram(): boolean;
  /** True if the members and groups of a profile were made for one-shot entries. */
  ownsProfile(profile: string): boolean;
  /** An entry was deleted, or its action replaced. */
  entryChanged(table: string, entry: EntryId): void;
  defaultChanged(table: string): void;
  /** All state of the program is as it was at the start. */
  stateReset(): void;
  /** Something was asked for that may have changed what Reads show; called before its answer. */
  changed(): void;
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
