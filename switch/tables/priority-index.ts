import { scattered } from './keys/bit-cells';
import { conditionOf, matches, matchesNumbers, toNumbers } from './keys/conditions';
import type { Condition, NumberCondition } from './keys/conditions';
import { HashCells } from './keys/hash-cells';
import { keyIdentity } from './keys/key-fields';
import { KeyWords } from './keys/key-words';
import type { WordMask } from './keys/key-words';
import type { InstalledEntry, MatchIndex } from './match-index';
import { TupleGroup } from './keys/tuple-group';
import type { KeyField } from '../../common/p4runtime/key-field';

interface Rule {
  readonly entry: InstalledEntry;
  /** The lower number came first. */
  readonly sequence: number;
  readonly conditions: readonly Condition[];
  readonly numberConditions: readonly NumberCondition[];
}

/** The entries that look at the same bits, by a hash of those bits. */
interface Tuple {
  readonly signature: string;
  readonly masks: readonly WordMask[];
  readonly buckets: HashCells<Rule[]>;
  readonly group: TupleGroup<Tuple>;
  /** Its own within the group. */
  bit: number;
  size: number;
  /** No entry has a larger priority; after removals all may have smaller ones. */
  priorityMax: number;
  removals: number;
}

/** True if a rule matches the key that is looked up. */
type Test = (rule: Rule) => boolean;

/**
 * Ternary, range and mixed keys by tuple space search: entries that compare the same bits lie in
 * one hash table, a tuple. Of 32 tuples at a time, those are searched that can hold the key at all,
 * until no other can hold a better entry than the one found (Srinivasan, Suri and Varghese, "Packet
 * classification using tuple space search", 1999). The larger priority wins; among equals, the
 * entry that came first. A range counts as wildcard bits, and a found entry is checked in full.
 */
export class PriorityIndex implements MatchIndex {
  readonly #widths: readonly number[];
  readonly #words: KeyWords;
  readonly #bySignature = new Map<string, Tuple>();
  readonly #byIdentity = new Map<string, InstalledEntry>();
  /** In descending order of their highest priorities. */
  readonly #groups: TupleGroup<Tuple>[] = [];
  #sequence = 0;
  #values: readonly bigint[] = [];
  #numbers: Float64Array = new Float64Array(0);

  constructor(widths: readonly number[]) {
    this.#widths = widths;
    this.#words = new KeyWords(widths);
  }

  add(entry: InstalledEntry): void {
    this.#byIdentity.set(keyIdentity(entry.key, entry.priority), entry);
    const conditions = this.#conditionsOf(entry);
    const numberConditions = conditions.map(toNumbers);
    const rule = { entry, sequence: this.#sequence++, conditions, numberConditions };
    const tuple = this.#tupleOf(conditions);
    const hash = this.#hashOf(tuple, rule);
    const bucket = tuple.buckets.get(hash);
    if (bucket === undefined) tuple.buckets.add(hash, [rule]);
    else insertInOrder(bucket, rule);
    tuple.group.note(tuple.bit, this.#words.words);
    tuple.size += 1;
    if (entry.priority <= tuple.priorityMax) return;
    tuple.priorityMax = entry.priority;
    this.#rank(tuple.group);
  }

  remove(entry: InstalledEntry): void {
    this.#byIdentity.delete(keyIdentity(entry.key, entry.priority));
    const conditions = this.#conditionsOf(entry);
    const tuple = this.#tupleOf(conditions);
    const hash = this.#hashOf(tuple, { conditions });
    const bucket = tuple.buckets.get(hash) ?? [];
    const position = bucket.findIndex((rule) => rule.entry === entry);
    if (position < 0) return;
    bucket.splice(position, 1);
    if (bucket.length === 0) tuple.buckets.delete(hash);
    tuple.size -= 1;
    tuple.removals += 1;
    this.#tidy(tuple);
  }

  candidate(key: readonly KeyField[], priority: number): InstalledEntry | undefined {
    return this.#byIdentity.get(keyIdentity(key, priority));
  }

  find(values: readonly bigint[]): InstalledEntry | undefined {
    this.#values = values;
    return this.#best(this.#words.cut(values), this.#holds);
  }

  findNumbers(values: Float64Array): InstalledEntry | undefined {
    this.#numbers = values;
    return this.#best(this.#words.cutNumbers(values), this.#holdsNumbers);
  }

  readonly #holds: Test = ({ conditions }) => matches(conditions, this.#values);
  readonly #holdsNumbers: Test = (rule) => matchesNumbers(rule.numberConditions, this.#numbers);

  #best(words: Int32Array, test: Test): InstalledEntry | undefined {
    let best: Rule | undefined;
    const groups = this.#groups;
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i] as TupleGroup<Tuple>;
      if (best !== undefined && best.entry.priority > group.priorityMax) break;
      for (let left = group.candidates(words); left !== 0; left &= left - 1) {
        const tuple = group.tuples[31 - Math.clz32(left & -left)] as Tuple;
        if (best !== undefined && best.entry.priority > tuple.priorityMax) continue;
        const bucket = tuple.buckets.get(hashOf(tuple.masks, words));
        if (bucket === undefined) continue;
        const found = firstIn(bucket, test);
        if (found !== undefined && precedes(found, best)) best = found;
      }
    }
    return best?.entry;
  }

  #conditionsOf(entry: InstalledEntry): Condition[] {
    return entry.key.map((field, i) => conditionOf(field, this.#widths[i] ?? 0));
  }

  /** Leaves the words that the rule wants in `#words`. */
  #hashOf({ masks }: Tuple, { conditions }: Pick<Rule, 'conditions'>): number {
    return hashOf(masks, this.#words.cut(conditions.map(({ low }) => low)));
  }

  #tupleOf(conditions: readonly Condition[]): Tuple {
    const masks = conditions.map(({ mask, high }) => (high === undefined ? mask : 0n));
    const signature = masks.join(' ');
    const known = this.#bySignature.get(signature);
    if (known !== undefined) return known;
    const group = this.#roomyGroup();
    const tuple: Tuple = {
      signature,
      masks: this.#words.masks(masks),
      buckets: new HashCells<Rule[]>(),
      group,
      bit: 0,
      size: 0,
      priorityMax: -Infinity,
      removals: 0,
    };
    tuple.bit = group.add(tuple);
    this.#bySignature.set(signature, tuple);
    return tuple;
  }

  #roomyGroup(): TupleGroup<Tuple> {
    const roomy = this.#groups.find((group) => !group.isFull);
    if (roomy !== undefined) return roomy;
    const group = new TupleGroup<Tuple>();
    this.#groups.push(group);
    return group;
  }

  /** Forgets an empty tuple; looks at the others anew when many entries have gone. */
  #tidy(tuple: Tuple): void {
    const { group, bit } = tuple;
    if (tuple.size === 0) {
      this.#bySignature.delete(tuple.signature);
      group.remove(bit);
      if (group.isEmpty) this.#groups.splice(this.#groups.indexOf(group), 1);
      return;
    }
    if (tuple.removals <= tuple.size) return;
    tuple.removals = 0;
    tuple.priorityMax = -Infinity;
    group.forget(bit);
    for (const bucket of tuple.buckets.values()) {
      const [first] = bucket;
      if (first === undefined) continue;
      tuple.priorityMax = Math.max(tuple.priorityMax, first.entry.priority);
      this.#hashOf(tuple, first);
      group.note(bit, this.#words.words);
    }
    this.#rank(group);
  }

  /** A tuple of the group has another highest priority. */
  #rank(group: TupleGroup<Tuple>): void {
    group.priorityMax = -Infinity;
    for (const tuple of group.tuples) {
      group.priorityMax = Math.max(group.priorityMax, tuple?.priorityMax ?? -Infinity);
    }
    this.#groups.sort((a, b) => b.priorityMax - a.priorityMax);
  }
}

function firstIn(bucket: readonly Rule[], test: Test): Rule | undefined {
  for (let i = 0; i < bucket.length; i++) if (test(bucket[i] as Rule)) return bucket[i];
  return undefined;
}

function precedes(rule: Rule, other: Rule | undefined): boolean {
  if (other === undefined) return true;
  const { priority } = rule.entry;
  return priority === other.entry.priority
    ? rule.sequence < other.sequence
    : priority > other.entry.priority;
}

function insertInOrder(bucket: Rule[], rule: Rule): void {
  const behind = bucket.findIndex((other) => precedes(rule, other));
  bucket.splice(behind < 0 ? bucket.length : behind, 0, rule);
}

/** Hash of the bits of a key that a tuple compares. */
function hashOf(masks: readonly WordMask[], words: Int32Array): number {
  let hash = 0;
  for (let i = 0; i < masks.length; i++) {
    const { slot, mask } = masks[i] as WordMask;
    hash = scattered(Math.imul(hash, 31) ^ ((words[slot] as number) & mask));
  }
  return hash;
}
