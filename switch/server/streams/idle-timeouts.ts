import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { TableInfo } from '../../../common/p4runtime/p4info';
import type { ServerClock } from './clock';
import type { EntryId } from '../../control/program-control';
import { entryText } from '../state/entry-notes';
import type { RunningPipeline } from '../state/running-pipeline';
import { resourcesOf } from '../tables/entry-resources';
import { encodeEntry } from '../tables/read-table-entry';

/** An entry with a time to live. */
export interface MortalEntry {
  readonly table: TableInfo;
  readonly id: EntryId;
  readonly idleTimeoutNs: bigint;
  /** Time since a packet has hit the entry. */
  readonly idleNs: bigint;
  /** The entry as the notice names it. */
  message(): p4.TableEntry;
}

export interface IdleTimeoutOptions {
  readonly clock: ServerClock;
  readonly entries: () => Iterable<MortalEntry>;
  readonly notify: (table: TableInfo, notice: p4.IdleTimeoutNotification) => void;
}

/** The entries of all tables that have a time to live, with the time since their last hits. */
export function* mortalEntries(running: RunningPipeline): Iterable<MortalEntry> {
  for (const table of running.info.tables.all) {
    const control = running.control.tables.get(table.name);
    const resources = resourcesOf(running, table);
    if (control === undefined || resources === undefined) continue;
    for (const { entry: id, note } of running.notes.mortal(table.name)) {
      const entry = control.find(id.key, id.priority);
      if (entry === undefined) continue;
      yield {
        table,
        id,
        idleTimeoutNs: note.idleTimeoutNs,
        idleNs: resources.idleNs(id),
        message: () => encodeEntry(running, { table, control }, entry),
      };
    }
  }
}

/** Sweeps are at least this far apart, so that tiny times to live cost little. */
const SWEEP_GAP_NS = 10_000_000n;

/**
 * Tells controllers of entries that no packet has hit for their time to live, again after each
 * further such time (P4Runtime 1.5.0, section "Table Idle Timeout Notification"). Idle times are
 * those of the switch; the clock only says when to look.
 */
export class IdleTimeouts {
  /** The idle time at which an entry's last notice went out, by table and entry. */
  private readonly noticed = new Map<string, bigint>();
  private callOff: (() => void) | undefined;

  constructor(private readonly options: IdleTimeoutOptions) {}

  /** An entry has got a time to live. */
  watch(): void {
    this.callOff?.();
    this.sweep();
  }

  /** Looks no more. */
  stop(): void {
    this.callOff?.();
    this.callOff = undefined;
    this.noticed.clear();
  }

  private sweep(): void {
    const due = new Map<TableInfo, p4.TableEntry[]>();
    const seen = new Set<string>();
    let next: bigint | undefined;
    for (const entry of this.options.entries()) {
      seen.add(nameOf(entry));
      const wait = this.waitOf(entry);
      if (wait <= 0n) {
        this.noticed.set(nameOf(entry), entry.idleNs);
        due.set(entry.table, [...(due.get(entry.table) ?? []), entry.message()]);
      }
      const remaining = wait <= 0n ? entry.idleTimeoutNs : wait;
      if (next === undefined || remaining < next) next = remaining;
    }
    for (const name of [...this.noticed.keys()]) if (!seen.has(name)) this.noticed.delete(name);
    this.notify(due);
    this.callOff = next === undefined ? undefined : this.wakeIn(next);
  }

  /** Time until the entry is due. A hit since the last notice begins a new time to live. */
  private waitOf(entry: MortalEntry): bigint {
    const last = this.noticed.get(nameOf(entry)) ?? 0n;
    const from = entry.idleNs < last ? 0n : last;
    return from + entry.idleTimeoutNs - entry.idleNs;
  }

  private notify(due: ReadonlyMap<TableInfo, p4.TableEntry[]>): void {
    const timestamp = String(this.options.clock.sinceEpoch());
    for (const [table, tableEntry] of due) {
      this.options.notify(table, new p4.IdleTimeoutNotification({ tableEntry, timestamp }));
    }
  }

  private wakeIn(wait: bigint): () => void {
    const { clock } = this.options;
    const gap = wait < SWEEP_GAP_NS ? SWEEP_GAP_NS : wait;
    return clock.wakeAt(clock.now() + gap, () => this.sweep());
  }
}

function nameOf({ table, id }: MortalEntry): string {
  return `${table.id} ${entryText(id)}`;
}
