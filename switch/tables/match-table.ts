import { assert } from '../../common/assert';
import { renumber, renumbering, checkCall } from './action-profile';
import { EntryHandles } from './entry-handles';
import { ExactIndex } from './match-index';
import { EntryList } from './entry-list';
import { DENSE_WIDTH_MAX, DenseIndex } from './dense-index';
import { checkKey, sameKey } from './keys/key-fields';
import { LpmIndex } from './lpm-index';
import { PriorityIndex } from './priority-index';
import { Meter } from '../runtime/meter';
import { PS_PER_NS } from '../../common/units/units';
import { TRIE_WIDTH_MAX, TrieIndex } from './trie-index';
import { StateError } from '../control/table-control';
import type { ActionProfile } from './action-profile';
import type { KeySpec } from './keys/key-fields';
import type { InstalledEntry, MatchIndex } from './match-index';
import type {
  ActionCall,
  ActionSignature,
  EntryAction,
  DirectResources,
  HandledEntry,
  StateErrorCode,
  TableControl,
  TableEntry,
} from '../control/table-control';
import type { KeyField, MatchKind } from '../../common/p4runtime/key-field';
import type { Instant } from '../../common/units/units';
import type { CountData, EntryId, EntryResources, MeterSettings } from '../control/program-control';
import type { Count } from '../runtime/counter-array';

/** Properties of a table in the program. */
interface MatchTableOptions {
  readonly name: string;
  readonly matchKind: MatchKind;
  readonly key: readonly KeySpec[];
  readonly size: number;
  /** Actions that entries may call, by id. */
  readonly actions: ReadonlyMap<number, ActionSignature>;
  readonly profile: ActionProfile | undefined;
  readonly defaultCall: ActionCall | undefined;
  readonly defaultIsConstant: boolean;
  /** Entries of the program, best first; the table takes no writes until it is opened. */
  readonly constantEntries: readonly TableEntry[] | undefined;
  readonly withCounters?: boolean;
  readonly directMeter?: object | undefined;
  readonly withIdleTimeout?: boolean;
  /** Tells the present; without one it is always 0. */
  readonly clock?: { readonly now: Instant } | undefined;
}

/** PERF: what all entries of tables have that count no hits; a load of entries is slowed down most by what it leaves behind. */
const UNCOUNTED: Count = { packets: 0, bytes: 0 };

/** A match-action table: the control plane writes entries, the pipeline looks them up. */
export class MatchTable implements TableControl, EntryResources {
  readonly name: string;
  readonly matchKinds: readonly MatchKind[];
  readonly keyWidths: readonly number[];
  readonly profile: ActionProfile | undefined;
  #options: MatchTableOptions;
  readonly #index: MatchIndex;
  readonly #entries = new EntryList<TableEntry, InstalledEntry>();
  readonly #handles = new EntryHandles<InstalledEntry>();
  readonly #needsPriority: boolean;
  #size: number;
  #isFixed: boolean;
  #defaultAction: ActionCall | undefined;
  #defaultMember: number | undefined;
  /** Called when the table gets an entry and has no other. */
  onFirstEntry: (() => void) | undefined;
  readonly #words = (): string => `table '${this.name}'`;
  /** The entry that was looked for last, and what there was. */
  #soughtKey: readonly KeyField[] | undefined;
  #soughtPriority = 0;
  #soughtEntry: InstalledEntry | undefined;

  constructor(options: MatchTableOptions) {
    this.#options = options;
    this.name = options.name;
    this.matchKinds = options.key.map((part) => part.matchKind);
    this.keyWidths = options.key.map((part) => part.width);
    this.#size = options.size;
    this.#isFixed = options.constantEntries !== undefined;
    this.profile = options.profile;
    this.#needsPriority = options.matchKind !== 'exact' && options.matchKind !== 'lpm';
    this.#index = createIndex(options.matchKind, options.key);
    this.#defaultAction = options.defaultCall;
    for (const entry of options.constantEntries ?? []) this.#install(entry);
  }

  /**
   * Goes on with all entries in another program that declares the table alike. Its actions may have
   * other numbers there. PERF: a million entries take 30 ms, and nothing when numbers are the same.
   */
  continueIn(options: MatchTableOptions): void {
    const numbers = renumbering(this.#options.actions, options.actions);
    const isOriginal = this.#defaultAction === this.#options.defaultCall;
    this.#options = options;
    if (isOriginal) this.#defaultAction = options.defaultCall;
    if ([...numbers].every(([old, next]) => old === next)) return;
    const renumbered = (call: ActionCall): ActionCall => renumber(call, numbers);
    if (!isOriginal) this.#defaultAction = this.#defaultAction && renumbered(this.#defaultAction);
    for (const installed of this.#entries) {
      const { key, priority, action } = installed;
      if (action.kind !== 'call') continue;
      installed.action = { kind: 'call', call: renumbered(action.call) };
      installed.prepared = undefined;
      this.#entries.show(installed, { key, priority, action: installed.action });
    }
  }

  get actionProfile(): string | undefined {
    return this.profile?.name;
  }

  get size(): number {
    return this.#size;
  }

  get entryCount(): number {
    return this.#entries.size;
  }

  get direct(): DirectResources {
    const { withCounters = false, directMeter, withIdleTimeout = false } = this.#options;
    return { counter: withCounters, meter: directMeter !== undefined, timeToLive: withIdleTimeout };
  }

  get isFixed(): boolean {
    return this.#isFixed;
  }

  get defaultAction(): ActionCall | undefined {
    const member = this.#defaultMember;
    return member === undefined ? this.#defaultAction : this.profile?.memberCall(member);
  }

  get defaultMember(): number | undefined {
    return this.#defaultMember;
  }

  /** The entry that the values hit. PERF: keyless and empty tables cost one comparison. */
  lookup(values: readonly bigint[]): InstalledEntry | undefined {
    return this.#entries.size === 0 ? undefined : this.#index.find(values);
  }

  /** As {@link lookup}, for keys whose fields have at most 52 bits each. */
  lookupNumbers(values: Float64Array): InstalledEntry | undefined {
    return this.#entries.size === 0 ? undefined : this.#index.findNumbers(values);
  }

  openForWrites(size: number): void {
    this.#isFixed = false;
    this.#size = Math.max(size, this.#entries.size);
  }

  insert(entry: TableEntry): void {
    this.#checkWritable(entry.key, entry.priority);
    this.#checkAction(entry.action);
    if (this.#found(entry.key, entry.priority) !== undefined) {
      this.#fail('already-exists', 'it has an entry with that key');
    }
    if (this.#entries.size >= this.#size) this.#fail('exhausted', `it holds ${this.#size} entries`);
    this.profile?.retain(entry.action);
    this.#install(entry);
  }

  modify(entry: TableEntry): void {
    this.#checkWritable(entry.key, entry.priority);
    this.#checkAction(entry.action);
    const installed = this.#installed(entry.key, entry.priority);
    // PERF: entries of one member or group may have one object for that.
    if (installed.action !== entry.action) this.#act(installed, entry.action);
    installed.lastHit = this.#now();
  }

  delete(key: readonly KeyField[], priority: number): void {
    this.#checkWritable(key, priority);
    const installed = this.#installed(key, priority);
    this.profile?.release(installed.action);
    this.#index.remove(installed);
    this.#handles.release(installed.handle);
    this.#entries.remove(installed);
    this.#soughtKey = undefined;
    this.#soughtEntry = undefined;
  }

  clear(): void {
    if (this.#isFixed) this.#fail('permission-denied', 'its entries are constant');
    for (const installed of this.#entries) {
      this.profile?.release(installed.action);
      this.#index.remove(installed);
    }
    this.#entries.clear();
    this.#handles.clear();
    this.#soughtKey = undefined;
    this.#soughtEntry = undefined;
  }

  setDefault(call: ActionCall): void {
    if (this.profile !== undefined)
      this.#fail('invalid', 'an indirect table has no default action');
    if (this.#options.defaultIsConstant) {
      this.#fail('permission-denied', 'its default action is constant');
    }
    checkCall(this.#words, this.#options.actions, call);
    this.#defaultAction = call;
  }

  setDefaultMember(memberId: number): void {
    if (this.profile === undefined) this.#fail('invalid', 'it has no action profile');
    if (this.#options.defaultIsConstant) {
      this.#fail('permission-denied', 'its default action is constant');
    }
    this.profile.retain({ kind: 'member', memberId });
    this.#releaseDefault();
    this.#defaultMember = memberId;
  }

  resetDefault(): void {
    this.#releaseDefault();
    this.#defaultAction = this.#options.defaultCall;
  }

  *entries(): Iterable<TableEntry> {
    for (const { written } of this.#entries) yield written;
  }

  snapshot(): Iterable<TableEntry> {
    return this.#entries.snapshot();
  }

  find(key: readonly KeyField[], priority: number): TableEntry | undefined {
    return this.#found(key, priority)?.written;
  }

  handleOf(key: readonly KeyField[], priority: number): number | undefined {
    return this.#found(key, priority)?.handle;
  }

  byHandle(handle: number): HandledEntry {
    const found = this.#handles.find(handle);
    if (typeof found === 'string') return found;
    return { key: found.key, priority: found.priority, action: found.action };
  }

  /** Packets and bytes that have hit the entry. */
  directCounter(key: readonly KeyField[], priority: number): Readonly<Count> {
    return this.#installed(key, priority).counter;
  }

  count(entry: EntryId): CountData {
    return { ...this.#installed(entry.key, entry.priority).counter };
  }

  setCount(entry: EntryId, { packets, bytes }: CountData): void {
    assert(this.#options.withCounters === true, `${this.#words()} counts its hits`);
    const { counter } = this.#installed(entry.key, entry.priority);
    counter.packets = packets;
    counter.bytes = bytes;
  }

  meterSettings(entry: EntryId): MeterSettings | undefined {
    return this.#installed(entry.key, entry.priority).meter?.settings;
  }

  configureMeter(entry: EntryId, settings: MeterSettings | undefined): void {
    const installed = this.#installed(entry.key, entry.priority);
    installed.meter ??= new Meter();
    installed.meter.configure(settings);
  }

  idleNs(entry: EntryId): bigint {
    const { lastHit } = this.#installed(entry.key, entry.priority);
    return BigInt(Math.max(0, Math.floor((this.#now() - lastHit) / PS_PER_NS)));
  }

  timeToLiveMs(entry: EntryId): number {
    return this.#installed(entry.key, entry.priority).timeToLiveMs;
  }

  setTimeToLive(entry: EntryId, ms: number): void {
    this.#installed(entry.key, entry.priority).timeToLiveMs = ms;
  }

  /** Signature of an action that entries of this table may call. */
  action(name: string): ActionSignature | undefined {
    for (const action of this.#options.actions.values()) if (action.name === name) return action;
    return undefined;
  }

  #install(written: TableEntry): void {
    if (this.#entries.size === 0) this.onFirstEntry?.();
    const { key, priority, action } = written;
    const counter = this.#options.withCounters === true ? { packets: 0, bytes: 0 } : UNCOUNTED;
    const installed: InstalledEntry = {
      key,
      priority,
      action,
      written,
      place: 0,
      handle: 0,
      counter,
      meter: undefined,
      timeToLiveMs: 0,
      choice: undefined,
      prepared: undefined,
      preparedIn: 0,
      lastHit: this.#now(),
    };
    installed.handle = this.#handles.take(installed);
    this.#entries.add(installed);
    this.#index.add(installed);
    this.#soughtKey = undefined;
  }

  /** An entry that is there has another action. */
  #act(installed: InstalledEntry, action: EntryAction): void {
    this.profile?.retain(action);
    this.profile?.release(installed.action);
    installed.action = action;
    installed.choice = undefined;
    installed.prepared = undefined;
    const { key, priority } = installed;
    this.#entries.show(installed, { key, priority, action });
  }

  #releaseDefault(): void {
    const memberId = this.#defaultMember;
    if (memberId !== undefined) this.profile?.release({ kind: 'member', memberId });
    this.#defaultMember = undefined;
  }

  #now(): Instant {
    return this.#options.clock?.now ?? 0;
  }

  /** PERF: a write asks for its entry two or three times, by the same key; the hash of a large table is not in a cache. */
  #found(key: readonly KeyField[], priority: number): InstalledEntry | undefined {
    if (key === this.#soughtKey && priority === this.#soughtPriority) return this.#soughtEntry;
    const candidate = this.#index.candidate(key, priority);
    const isIt = candidate?.priority === priority && sameKey(candidate.key, key);
    this.#soughtKey = key;
    this.#soughtPriority = priority;
    this.#soughtEntry = isIt ? candidate : undefined;
    return this.#soughtEntry;
  }

  #installed(key: readonly KeyField[], priority: number): InstalledEntry {
    return this.#found(key, priority) ?? this.#fail('not-found', 'it has no entry with that key');
  }

  #checkWritable(key: readonly KeyField[], priority: number): void {
    if (this.#isFixed) {
      this.#fail('permission-denied', 'its entries are constant');
    }
    if (this.matchKinds.length === 0) this.#fail('invalid', 'it has no key, so it has no entries');
    checkKey(this.name, this.#options.key, key);
    if (!Number.isSafeInteger(priority)) this.#fail('invalid', 'wanted an integer priority');
    if (this.#needsPriority && priority <= 0) {
      this.#fail('invalid', `wanted a priority above 0, found ${priority}`);
    }
    if (!this.#needsPriority && priority !== 0) {
      this.#fail('invalid', `exact and lpm keys want priority 0, found ${priority}`);
    }
  }

  #checkAction(action: EntryAction): void {
    if (this.profile === undefined) {
      if (action.kind !== 'call') this.#fail('invalid', `wanted an action, found a ${action.kind}`);
      checkCall(this.#words, this.#options.actions, action.call);
    } else if (action.kind === 'call') {
      this.#fail('invalid', 'wanted a member or group of its action profile, found an action');
    }
  }

  #fail(code: StateErrorCode, message: string): never {
    throw new StateError(code, `table '${this.name}': ${message}`);
  }
}

function createIndex(kind: MatchKind, key: readonly KeySpec[]): MatchIndex {
  const widths = key.map((part) => part.width);
  switch (kind) {
    case 'exact':
      return createExactIndex(widths);
    case 'lpm':
      return createLpmIndex(key);
    case 'ternary':
    case 'range':
    case 'optional':
      return new PriorityIndex(widths);
  }
}

function createExactIndex(widths: readonly number[]): MatchIndex {
  const [first, ...others] = widths;
  const isDense = first !== undefined && others.length === 0 && first <= DENSE_WIDTH_MAX;
  return isDense ? new DenseIndex(first) : new ExactIndex(widths);
}

/** Addresses of IPv4 have a structure of their own; it needs one field that is narrow enough. */
function createLpmIndex(key: readonly KeySpec[]): MatchIndex {
  const [first, ...others] = key;
  if (first?.matchKind === 'lpm' && others.length === 0 && first.width <= TRIE_WIDTH_MAX) {
    return new TrieIndex(first.width);
  }
  return new LpmIndex(
    key.map(({ width, matchKind }) => {
      assert(matchKind === 'exact' || matchKind === 'lpm', 'lpm tables mix in exact keys only');
      return { width, matchKind };
    }),
  );
}
