import { KeyPacker } from './keys/key-packer';
import { SplittingMap } from './keys/splitting-map';
import type { Choice } from './action-profile';
import type { Instant } from '../../common/units/units';
import type { Meter } from '../runtime/meter';
import type { EntryAction, TableEntry } from '../control/table-control';
import type { KeyField } from '../../common/p4runtime/key-field';
import type { Count } from '../runtime/counter-array';
import type { PackedKey } from './keys/key-packer';

/** An entry inside a table. Modifying it replaces the action and keeps the object. */
export interface InstalledEntry {
  readonly key: readonly KeyField[];
  readonly priority: number;
  action: EntryAction;
  /** The same for readers, who may keep it: modifying the entry replaces it. */
  written: TableEntry;
  /** Place among the table's entries, in order of insertion. */
  place: number;
  /** Handle of the entry in bmv2's Thrift interface. */
  handle: number;
  /** Packets and bytes that have hit the entry. */
  readonly counter: Count;
  /** The direct meter of the entry, once it is configured. */
  meter: Meter | undefined;
  /** As bmv2's Thrift interface sets it, for those who ask; 0 for ever. */
  timeToLiveMs: number;
  /** Calls of its member or group; see {@link ActionProfile.choiceOf}. */
  choice: Choice | undefined;
  /** Its call in the form of an executor, who has put it there; whoever changes the action takes it away. */
  prepared: object | undefined;
  /** Version of the action profile that {@link prepared} was taken from. */
  preparedIn: number;
  /** When a packet hit it last, or else when it was inserted or modified. */
  lastHit: Instant;
}

/** The data structure behind a table, one per way of matching. */
export interface MatchIndex {
  add(entry: InstalledEntry): void;
  remove(entry: InstalledEntry): void;
  /** The only entry that can have this key and priority; it may have others. */
  candidate(key: readonly KeyField[], priority: number): InstalledEntry | undefined;
  /** The entry that wins for these values, in the order of the table's key. */
  find(values: readonly bigint[]): InstalledEntry | undefined;
  /** As {@link find}, for keys whose fields have at most 52 bits each. */
  findNumbers(values: Float64Array): InstalledEntry | undefined;
}

/** Exact match: a hash map over the whole key. */
export class ExactIndex implements MatchIndex {
  readonly #packer: KeyPacker;
  readonly #entries = new SplittingMap<PackedKey, InstalledEntry>();

  constructor(widths: readonly number[]) {
    this.#packer = new KeyPacker(widths.map((width) => ({ width, matchKind: 'exact' })));
  }

  add(entry: InstalledEntry): void {
    this.#entries.set(this.#packer.packKey(entry.key, 0), entry);
  }

  remove(entry: InstalledEntry): void {
    this.#entries.delete(this.#packer.packKey(entry.key, 0));
  }

  candidate(key: readonly KeyField[]): InstalledEntry | undefined {
    return this.#entries.get(this.#packer.packKey(key, 0));
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    return this.#entries.get(this.#packer.pack(values, 0));
  }

  findNumbers(values: Float64Array): InstalledEntry | undefined {
    return this.#entries.get(this.#packer.packNumbers(values, 0));
  }
}
