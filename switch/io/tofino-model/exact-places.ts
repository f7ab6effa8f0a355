import { InputError } from '../../../common/errors';
import { addText } from './entry-text';
import type { TofinoProgram } from './program';
import type { TableOutline } from '../../stf/run/outline';
import type { EntryIdentity } from '../../stf/run/requests';

/** Where the first entry of a table without a TCAM lies among those that share a hash. */
const FIRST = 0;

/**
 * Entries of tables without a TCAM. The harness removes none, but it overwrites one at its place, which
 * it tells nobody: that of the only key that a table ever had is the first.
 */
export class ExactPlaces {
  readonly #keys = new Map<string, Set<string>>();
  readonly #removed = new Map<string, string>();

  constructor(private readonly program: TofinoProgram) {}

  /** @returns the place of an entry that has been removed, undefined for a new one. */
  take(entry: EntryIdentity): number | undefined {
    const key = keyText(entry);
    const keys = this.#keys.get(entry.table) ?? new Set();
    this.#keys.set(entry.table, keys.add(key));
    const isBack = this.#removed.get(entry.table) === key;
    if (isBack) this.#removed.delete(entry.table);
    return isBack ? FIRST : undefined;
  }

  /**
   * The command after which the table's default action answers for an entry.
   * @throws InputError when the place of the entry is unknown.
   */
  removeText(table: TableOutline, entry: EntryIdentity): string {
    const keys = this.#keys.get(table.name) ?? new Set();
    const call = this.program.defaults.get(table.name);
    if (keys.size !== 1 || call === undefined) {
      throw new InputError(
        `the harness of the Tofino model removes no entry but the only one of a table: '${table.name}' has had ${keys.size}`,
      );
    }
    this.#removed.set(table.name, keyText(entry));
    return addText(table, entry, FIRST, call);
  }
}

const keyText = ({ key }: EntryIdentity): string =>
  key.map((field) => (field.kind === 'exact' ? String(field.value) : field.kind)).join();
