import fc from 'fast-check';
import { MatchTable } from '../../../../switch/tables/match-table';
import type { EntryAction, TableEntry } from '../../../../switch/control/table-control';
import type { KeyField, MatchKind } from '../../../../common/p4runtime/key-field';

/**
 * Every index against the definition of matching, on random entries and random keys, whether a key
 * comes as bigints or as numbers. Only the first and the last bits of values differ, so that wide
 * fields agree as often as narrow ones, and in either word.
 */

const ENDS = 3;

type Kind = 'exact' | 'lpm' | 'ternary' | 'range';

const valueOf = (width: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.bigInt({ min: 0n, max: 7n }), fc.bigInt({ min: 0n, max: 7n }))
    .map(([first, last]) => (first << BigInt(width - ENDS)) | last);

function fieldOf(kind: Kind, width: number): fc.Arbitrary<KeyField> {
  const value = valueOf(width);
  switch (kind) {
    case 'exact':
      return value.map((v) => ({ kind, value: v }));
    case 'lpm': {
      const end = fc.integer({ min: 0, max: ENDS });
      const length = fc.oneof(
        end,
        end.map((n) => width - n),
      );
      return fc.tuple(value, length).map(([v, prefixLength]) => {
        const free = BigInt(width - prefixLength);
        return { kind, value: (v >> free) << free, prefixLength };
      });
    }
    case 'ternary':
      return fc.tuple(value, value).map(([v, mask]) => ({ kind, value: v & mask, mask }));
    case 'range':
      return fc
        .tuple(value, value)
        .map(([a, b]) => ({ kind, low: a < b ? a : b, high: a < b ? b : a }));
  }
}

function matches(field: KeyField, v: bigint, width: number): boolean {
  switch (field.kind) {
    case 'exact':
      return v === field.value;
    case 'lpm': {
      const free = BigInt(width - field.prefixLength);
      return v >> free === field.value >> free;
    }
    case 'ternary':
      return (v & field.mask) === field.value;
    case 'range':
      return v >= field.low && v <= field.high;
  }
}

/** Rank of an entry: the prefix length, or the priority. */
function rank({ key, priority }: TableEntry): number {
  if (priority > 0) return priority;
  return key.reduce((sum, f) => sum + (f.kind === 'lpm' ? f.prefixLength : 0), 0);
}

/** The action of the best entry that the values match; among equals the first. */
function definition(
  entries: readonly TableEntry[],
  values: readonly bigint[],
  width: number,
): EntryAction | undefined {
  const hits = entries.filter(({ key }) => key.every((f, i) => matches(f, values[i] ?? 0n, width)));
  const best = Math.max(...hits.map(rank));
  return hits.find((entry) => rank(entry) === best)?.action;
}

function fill(table: MatchTable, specs: readonly TableEntry[]): TableEntry[] {
  return specs.filter((entry) => {
    if (table.find(entry.key, entry.priority) !== undefined) return false;
    table.insert(entry);
    return true;
  });
}

function checkAgainstDefinition(matchKind: MatchKind, kinds: readonly Kind[], width: number): void {
  const prioritised = matchKind === 'ternary' || matchKind === 'range';
  const entryOf: fc.Arbitrary<TableEntry> = fc.record({
    key: fc.tuple(...kinds.map((kind) => fieldOf(kind, width))),
    priority: prioritised ? fc.integer({ min: 1, max: 5 }) : fc.constant(0),
    action: fc.bigInt({ min: 0n, max: 500n }).map((port) => ({
      kind: 'call' as const,
      call: { actionId: 1, arguments: [port] },
    })),
  });
  const key = fc.tuple(...kinds.map(() => valueOf(width)));
  const check = (table: MatchTable, entries: readonly TableEntry[], values: bigint[]): void => {
    const wanted = definition(entries, values, width);
    expect(table.lookup(values)?.action).toEqual(wanted);
    if (width > NUMBER_BITS) return;
    expect(table.lookupNumbers(Float64Array.from(values, Number))?.action).toEqual(wanted);
  };
  fc.assert(
    fc.property(fc.array(entryOf, { maxLength: 12 }), fc.array(key), (specs, keys) => {
      const table = createTable(matchKind, kinds, width);
      const entries = fill(table, specs);
      for (const values of keys) check(table, entries, values);
      const [gone, left] = [0, 1].map((rest) => entries.filter((_, i) => i % 2 === rest));
      for (const { key: fields, priority } of gone ?? []) table.delete(fields, priority);
      for (const values of keys) check(table, left ?? [], values);
    }),
    { numRuns: RUNS },
  );
}

function createTable(matchKind: MatchKind, kinds: readonly Kind[], width: number): MatchTable {
  const parameters = [{ name: 'port', width: 9 }];
  return new MatchTable({
    name: 't',
    matchKind,
    key: kinds.map((kind, i) => ({ name: `k${i}`, matchKind: kind, width })),
    size: 100,
    actions: new Map([[1, { id: 1, name: 'forward', parameters }]]),
    profile: undefined,
    defaultCall: undefined,
    defaultIsConstant: false,
    constantEntries: undefined,
  });
}

const RUNS = 40;

/** The widest field of a key that comes as numbers. */
const NUMBER_BITS = 52;

const TABLES: readonly (readonly [MatchKind, readonly Kind[]])[] = [
  ['exact', ['exact']],
  ['exact', ['exact', 'exact']],
  ['lpm', ['lpm']],
  ['lpm', ['exact', 'lpm']],
  ['lpm', ['lpm', 'exact']],
  ['ternary', ['ternary']],
  ['ternary', ['ternary', 'exact', 'lpm']],
  ['range', ['range']],
  ['range', ['range', 'ternary']],
];

describe.each([6, 24, 32, 33, NUMBER_BITS, 128])('fields of %d bits', (width) => {
  test.each(TABLES)('a table of kind %s with key %j matches by the definition', (kind, kinds) => {
    checkAgainstDefinition(kind, kinds, width);
  });
});
