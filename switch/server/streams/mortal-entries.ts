import type { RunningPipeline } from '../device';
import { resourcesOf } from '../tables/entry-resources';
import type { MortalEntry } from './idle-timeouts';
import { encodeEntry } from '../tables/read-table-entry';

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
        ...{ table, id, idleTimeoutNs: note.idleTimeoutNs, idleNs: resources.idleNs(id) },
        message: () => encodeEntry(running, { table, control }, entry),
      };
    }
  }
}
