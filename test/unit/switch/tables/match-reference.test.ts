import fc from 'fast-check';

import { MatchTable } from '../../../../switch/tables/match-table';
import type { KeyField, MatchKind, TableEntry } from '../../../../switch/control/table-control';

/** Every index against the definition of matching, on random entries and random keys. */

const WIDTH = 6;
const value = fc.bigInt({ min: 0n, max: 63n });
const FIELDS = {
  exact: value.map((v): KeyField => ({ kind: 'exact', value: v })),
  lpm: fc.tuple(value, fc.integer({ min: 0, max: WIDTH })).map(([v, length]): KeyField => {
    const free = BigInt(WIDTH - length);
    return { kind: 'lpm', value: (v >> free) << free, prefixLength: length };
  }),
  ternary: fc
    .tuple(value, value)
    .map(([v, mask]): KeyField => ({ kind: 'ternary', value: v & mask, mask })),
  range: fc
    .tuple(value, value)
    .map(([a, b]): KeyField => ({ kind: 'range', low: a < b ? a : b, high: a < b ? b : a })),
};

function matches(field: KeyField, v: bigint): boolean {
  switch (field.kind) {
    case 'exact':
      return v === field.value;
    case 'lpm':
      return (
        v >> BigInt(WIDTH - field.prefixLength) ===
        field.value >> BigInt(WIDTH - field.prefixLength)
      );
    case 'ternary':
      return (v & field.mask) === field.value;
    case 'range':
      return v >= field.low && v <= field.high;
  }
}

/** How specific or important an entry is: the prefix length, or the priority. */
const rank = ({ key, priority }: TableEntry): number =>
  priority + key.reduce((sum, f) => sum + (f.kind === 'lpm' ? f.prefixLength : 0), 0);

type Kind = keyof typeof FIELDS;

function checkAgainstDefinition(matchKind: MatchKind, kinds: readonly Kind[]): void {
  const prioritised = matchKind === 'ternary' || matchKind === 'range';
  const entryOf = fc.record({
    key: fc.tuple(...kinds.map((kind) => FIELDS[kind])),
    priority: prioritised ? fc.integer({ min: 1, max: 5 }) : fc.constant(0),
    port: fc.integer({ min: 0, max: 500 }),
  });
  const key = fc.tuple(...kinds.map(() => value));
  fc.assert(
    fc.property(fc.array(entryOf, { maxLength: 12 }), fc.array(key), (specs, keys) => {
      const table = createTable(matchKind, kinds);
      const inserted: TableEntry[] = [];
      for (const spec of specs) {
        const action = { kind: 'call', call: { actionId: 1, arguments: [BigInt(spec.port)] } };
        const entry = { key: spec.key, priority: spec.priority, action } as TableEntry;
        if (table.find(entry.key, entry.priority) !== undefined) continue;
        table.insert(entry);
        inserted.push(entry);
      }
      for (const values of keys) {
        const hits = inserted.filter((e) => e.key.every((f, i) => matches(f, values[i] ?? 0n)));
        const best = Math.max(...hits.map((e) => (prioritised ? e.priority : rank(e))));
        const wanted = hits.find((e) => (prioritised ? e.priority : rank(e)) === best);
        expect(table.lookup(values)?.action).toEqual(wanted?.action);
      }
    }),
  );
}

function createTable(matchKind: MatchKind, kinds: readonly Kind[]): MatchTable {
  const parameters = [{ name: 'port', width: 9 }];
  return new MatchTable({
    name: 't',
    matchKind,
    key: kinds.map((kind, i) => ({ name: `k${i}`, matchKind: kind, width: WIDTH })),
    size: 100,
    actions: new Map([[1, { id: 1, name: 'forward', parameters }]]),
    profile: undefined,
    defaultCall: undefined,
    defaultIsConstant: false,
    constantEntries: undefined,
  });
}

const TABLES: readonly (readonly [MatchKind, readonly Kind[]])[] = [
  ['exact', ['exact']],
  ['exact', ['exact', 'exact']],
  ['lpm', ['lpm']],
  ['lpm', ['exact', 'lpm']],
  ['lpm', ['lpm', 'exact']],
  ['ternary', ['ternary', 'exact', 'lpm']],
  ['range', ['range', 'ternary']],
];

test.each(TABLES)('a table of kind %s with key %j matches by the definition', (kind, kinds) => {
  checkAgainstDefinition(kind, kinds);
});
