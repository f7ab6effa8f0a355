import type { MatchTable } from '../../../../switch/tables/match-table';
import { ActionProfile } from '../../../../switch/tables/action-profile';
import type { TableEntry } from '../../../../switch/control/table-control';
import type { KeyField, MatchKind } from '../../../../common/p4runtime/key-field';
import { refused } from '../support/refused';
import {
  ACTIONS,
  entry,
  exact,
  forward,
  lpm,
  portOf,
  range,
  table,
  ternary,
} from './support/small-tables';

describe('an exact table', () => {
  const keys: readonly (readonly [string, readonly number[], readonly bigint[]])[] = [
    ['one narrow field', [9], [5n]],
    ['48 bits', [16, 32], [0xffffn, 0xffffffffn]],
    ['wide fields', [64, 64], [1n << 63n, 7n]],
  ];
  test.each(keys)('finds %s', (_name, widths, values) => {
    const t = table(
      'exact',
      widths.map((width) => ['exact', width]),
    );
    t.insert(entry(values.map(exact), 3));
    expect(portOf(t, ...values)).toBe(3);
    expect(portOf(t, ...values.map((value) => value - 1n))).toBeUndefined();
  });

  test('takes from a modified entry what an executor has made of its action', () => {
    const t = table('exact', [['exact', 8]]);
    const { key, priority } = entry([exact(1)], 3);
    t.insert(entry([exact(1)], 3));
    const installed = t.lookup([1n]);
    if (installed !== undefined) installed.prepared = {};
    t.modify({ ...entry([exact(1)], 4), key, priority });
    expect(t.lookup([1n])).toBe(installed);
    expect(installed?.prepared).toBeUndefined();
  });

  test('keeps fields of a packed key apart', () => {
    const t = table('exact', [
      ['exact', 8],
      ['exact', 8],
    ]);
    t.insert(entry([exact(1), exact(2)], 5));
    expect(portOf(t, 1, 2)).toBe(5);
    expect(portOf(t, 2, 1)).toBeUndefined();
    expect(portOf(t, 0, 0x102)).toBe(5);
  });
});

describe('an lpm table', () => {
  test.each([
    ['narrow', 32, 0n],
    ['wide', 128, 0x20010db8n << 96n],
  ] as const)('prefers the longest prefix (%s key)', (_name, width, base) => {
    const t = table('lpm', [['lpm', width]]);
    const at = (n: bigint): bigint => base + n;
    t.insert(entry([lpm(0, 0)], 1));
    t.insert(entry([lpm(at(0x40n), width - 6)], 2));
    t.insert(entry([lpm(at(0x41n), width)], 3));
    expect(portOf(t, at(0x41n))).toBe(3);
    expect(portOf(t, at(0x42n))).toBe(2);
    expect(portOf(t, at(0x7fn))).toBe(2);
    expect(portOf(t, at(0x80n))).toBe(1);
    t.delete([lpm(at(0x40n), width - 6)], 0);
    expect(portOf(t, at(0x42n))).toBe(1);
  });

  test.each([8, 32])('tells prefixes apart that begin with one address (%i bits)', (width) => {
    const t = table('lpm', [['lpm', width]]);
    const address = 1n << BigInt(width - 1);
    const lengths = [1, 4, width - 1, width];
    const kept = (): number[] =>
      lengths.filter((length) => t.find([lpm(address, length)], 0) !== undefined);
    for (const length of [4, width, 1, width - 1]) t.insert(entry([lpm(address, length)], length));
    expect(kept()).toEqual(lengths);
    t.modify(entry([lpm(address, 4)], 2));
    t.delete([lpm(address, width)], 0);
    expect(kept()).toEqual([1, 4, width - 1]);
    expect(portOf(t, address)).toBe(width - 1);
    t.delete([lpm(address, width - 1)], 0);
    expect(portOf(t, address)).toBe(2);
    expect(() => t.delete([lpm(address, width)], 0)).toThrow('no entry with that key');
    t.insert(entry([lpm(address, width)], 3));
    expect(kept()).toEqual([1, 4, width]);
    expect(portOf(t, address)).toBe(3);
  });

  test('matches its other fields exactly', () => {
    const t = table('lpm', [
      ['exact', 4],
      ['lpm', 8],
    ]);
    t.insert(entry([exact(1), lpm(0x80, 1)], 1));
    t.insert(entry([exact(2), lpm(0x80, 4)], 2));
    expect(portOf(t, 1, 0xff)).toBe(1);
    expect(portOf(t, 2, 0xff)).toBeUndefined();
    expect(portOf(t, 2, 0x8f)).toBe(2);
  });
});

describe('a ternary table', () => {
  test('lets the larger priority win', () => {
    const t = table('ternary', [['ternary', 8]]);
    t.insert(entry([ternary(0x10, 0xf0)], 1, 10));
    t.insert(entry([ternary(0x12, 0xff)], 2, 20));
    t.insert(entry([ternary(0, 0)], 3, 5));
    expect(portOf(t, 0x12)).toBe(2);
    expect(portOf(t, 0x13)).toBe(1);
    expect(portOf(t, 0x99)).toBe(3);
    t.delete([ternary(0x12, 0xff)], 20);
    expect(portOf(t, 0x12)).toBe(1);
  });

  test('lets the earlier entry win among equal priorities', () => {
    const t = table('ternary', [['ternary', 8]]);
    t.insert(entry([ternary(0x10, 0xf0)], 1, 7));
    t.insert(entry([ternary(0x01, 0x0f)], 2, 7));
    expect(portOf(t, 0x11)).toBe(1);
  });

  test('holds one key at several priorities', () => {
    const t = table('ternary', [['ternary', 8]]);
    t.insert(entry([ternary(1, 0xff)], 1, 7));
    t.insert(entry([ternary(1, 0xff)], 2, 8));
    expect(portOf(t, 1)).toBe(2);
    expect(t.find([ternary(1, 0xff)], 7)?.action).toEqual(forward(1));
  });

  test('mixes all kinds of fields', () => {
    const t = table('range', [
      ['exact', 4],
      ['lpm', 8],
      ['optional', 8],
      ['range', 16],
    ]);
    t.insert(entry([exact(1), lpm(0xa0, 4), ternary(7, 0xff), range(100, 200)], 5, 1));
    expect(portOf(t, 1, 0xab, 7, 100)).toBe(5);
    expect(portOf(t, 1, 0xab, 7, 200)).toBe(5);
    for (const miss of [
      [2, 0xab, 7, 150],
      [1, 0xbb, 7, 150],
      [1, 0xab, 8, 150],
    ]) {
      expect(portOf(t, ...miss)).toBeUndefined();
    }
    expect(portOf(t, 1, 0xab, 7, 99)).toBeUndefined();
    expect(portOf(t, 1, 0xab, 7, 201)).toBeUndefined();
  });
});

describe('writing', () => {
  const t = (): MatchTable => table('exact', [['exact', 8]]);

  test('insert, modify and delete act as their names say', () => {
    const one = t();
    one.insert(entry([exact(1)], 5));
    one.modify(entry([exact(1)], 6));
    expect(portOf(one, 1)).toBe(6);
    expect([...one.entries()]).toEqual([entry([exact(1)], 6)]);
    one.delete([exact(1)], 0);
    expect(portOf(one, 1)).toBeUndefined();
    expect([...one.entries()]).toEqual([]);
  });

  test('entries come in the order of insertion', () => {
    const one = t();
    [3, 1, 2].forEach((n) => one.insert(entry([exact(n)], n)));
    expect([...one.entries()].map((e) => e.key)).toEqual([3, 1, 2].map((n) => [exact(n)]));
  });

  test('refuses a second entry with the same key', () => {
    const one = t();
    one.insert(entry([exact(1)], 5));
    refused('already-exists', "table 't'", () => one.insert(entry([exact(1)], 6)));
    expect(portOf(one, 1)).toBe(5);
  });

  test('refuses to change what is not there', () => {
    refused('not-found', 'no entry', () => t().modify(entry([exact(1)], 5)));
    refused('not-found', 'no entry', () => t().delete([exact(1)], 0));
  });

  test('refuses more entries than its size', () => {
    const one = t();
    [1, 2, 3, 4].forEach((n) => one.insert(entry([exact(n)], n)));
    refused('exhausted', '4 entries', () => one.insert(entry([exact(5)], 5)));
  });

  const bad: readonly (readonly [string, TableEntry, string])[] = [
    ['too few fields', entry([], 1), 'wanted 1 key fields, found 0'],
    ['a field of another kind', entry([lpm(0, 8)], 1), 'wanted kind exact, found lpm'],
    ['a value that is too wide', entry([exact(256)], 1), "key field 'k0': wanted an unsigned"],
    ['a negative value', entry([exact(-1)], 1), 'wanted an unsigned number of 8 bits'],
    ['a priority', entry([exact(1)], 1, 5), 'want priority 0, found 5'],
    [
      'an unknown action',
      { ...entry([exact(1)], 1), action: { kind: 'call', call: { actionId: 9, arguments: [] } } },
      'no action with the id 9',
    ],
    [
      'too few arguments',
      { ...entry([exact(1)], 1), action: { kind: 'call', call: { actionId: 1, arguments: [] } } },
      "'forward' wants 1 values, found 0",
    ],
    ['an argument that is too wide', entry([exact(1)], 512), "parameter 'port' of 'forward'"],
    [
      'a member of a profile',
      { ...entry([exact(1)], 1), action: { kind: 'member', memberId: 1 } },
      'wanted an action, found a member',
    ],
  ];
  test.each(bad)('refuses %s', (_name, wrong, words) => {
    const one = t();
    refused('invalid', words, () => one.insert(wrong));
    expect([...one.entries()]).toEqual([]);
  });

  const badKeys: readonly (readonly [string, MatchKind, KeyField, string])[] = [
    ['bits behind a prefix', 'lpm', lpm(0x81, 4), 'has bits behind its prefix'],
    ['a prefix that is too long', 'lpm', lpm(0, 9), 'from 0 to 8, found 9'],
    ['bits outside a mask', 'ternary', ternary(3, 2), 'bits outside its mask'],
    ['a mask that is too wide', 'ternary', ternary(0, 256), 'wanted an unsigned'],
    ['a range that is empty', 'range', range(5, 4), 'is empty'],
    ['a range that is too wide', 'range', range(0, 256), 'wanted an unsigned'],
  ];
  test.each(badKeys)('refuses %s', (_name, kind, key, words) => {
    const priority = kind === 'lpm' ? 0 : 1;
    const one = table(kind, [[kind, 8]]);
    refused('invalid', words, () => one.insert(entry([key], 1, priority)));
  });

  test.each([0, -1, 1.5])('refuses priority %d where one is needed', (priority) => {
    const one = table('ternary', [['ternary', 8]]);
    refused('invalid', 'priority', () => one.insert(entry([ternary(0, 0)], 1, priority)));
  });

  test('refuses entries of a table without a key', () => {
    refused('invalid', 'it has no key', () => table('exact', []).insert(entry([], 1)));
  });
});

describe('the default action', () => {
  const drop = { actionId: 2, arguments: [] };
  const call = { actionId: 1, arguments: [7n] };

  test('can be set and restored', () => {
    const t = table('exact', [['exact', 8]]);
    t.setDefault(call);
    expect(t.defaultAction).toEqual(call);
    t.resetDefault();
    expect(t.defaultAction).toEqual(drop);
  });

  test('may be constant', () => {
    const t = table('exact', [['exact', 8]], { defaultIsConstant: true });
    refused('permission-denied', 'constant', () => t.setDefault(call));
    expect(t.defaultAction).toEqual(drop);
  });

  test('is checked like that of an entry', () => {
    const t = table('exact', [['exact', 8]]);
    refused('invalid', 'wants 1 values', () => t.setDefault({ actionId: 1, arguments: [] }));
  });
});

describe('constant entries', () => {
  const constant = (): MatchTable =>
    table('exact', [['exact', 8]], { constantEntries: [entry([exact(1)], 5)] });

  test('are looked up and listed', () => {
    expect(portOf(constant(), 1)).toBe(5);
    expect([...constant().entries()]).toHaveLength(1);
  });

  test('make the table read only', () => {
    const t = constant();
    refused('permission-denied', 'constant', () => t.insert(entry([exact(2)], 5)));
    refused('permission-denied', 'constant', () => t.modify(entry([exact(1)], 6)));
    refused('permission-denied', 'constant', () => t.delete([exact(1)], 0));
  });
});

describe('an indirect table', () => {
  const made = (): { t: MatchTable; profile: ActionProfile } => {
    const profile = new ActionProfile({ name: 'p', size: 4, withSelector: true, actions: ACTIONS });
    profile.insertMember(1, { actionId: 1, arguments: [3n] });
    profile.insertMember(2, { actionId: 2, arguments: [] });
    const over = { profile, defaultCall: undefined };
    return { t: table('exact', [['exact', 8]], over), profile };
  };
  const member = (id: number): TableEntry => ({
    key: [exact(1)],
    priority: 0,
    action: { kind: 'member', memberId: id },
  });

  test('names its profile', () => {
    expect(made().t.actionProfile).toBe('p');
    expect(table('exact', []).actionProfile).toBeUndefined();
  });

  test('takes members and groups that exist, and no actions', () => {
    const { t } = made();
    refused('not-found', 'no member 9', () => t.insert(member(9)));
    refused('invalid', 'found an action', () => t.insert(entry([exact(1)], 1)));
    const group = { ...member(1), action: { kind: 'group', groupId: 4 } as const };
    refused('not-found', 'no group 4', () => t.insert(group));
    t.insert(member(1));
  });

  test('keeps a member in use until its entry goes or points elsewhere', () => {
    const { t, profile } = made();
    t.insert(member(1));
    refused('invalid', 'table entries use member 1', () => profile.deleteMember(1));
    t.modify(member(2));
    profile.deleteMember(1);
    t.delete([exact(1)], 0);
    profile.deleteMember(2);
    expect([...profile.members()]).toEqual([]);
  });

  test('has no default action', () => {
    const { t } = made();
    refused('invalid', 'indirect', () => t.setDefault({ actionId: 2, arguments: [] }));
    expect(t.defaultAction).toBeUndefined();
  });
});
