import type { MatchTable } from '../../../../switch/tables/match-table';
import { ActionProfile } from '../../../../switch/tables/action-profile';
import { refused } from '../support/refused';
import { ACTIONS, entry, exact, lpm, portOf, table, ternary } from './support/small-tables';

describe('a table tells', () => {
  test('how it was declared, and what it holds', () => {
    const t = table('lpm', [
      ['exact', 4],
      ['lpm', 8],
    ]);
    expect(t.matchKinds).toEqual(['exact', 'lpm']);
    expect(t.keyWidths).toEqual([4, 8]);
    expect([t.size, t.entryCount, t.isFixed]).toEqual([4, 0, false]);
    expect([t.actionProfile, t.defaultMember]).toEqual([undefined, undefined]);
    expect(t.action('drop')?.id).toBe(2);
    expect(t.action('forward')?.id).toBe(1);
    expect(t.action('mark')).toBeUndefined();
    t.insert(entry([exact(1), lpm(0, 0)], 1));
    expect(t.entryCount).toBe(1);
  });

  test('what its entries have besides their actions', () => {
    expect(table('exact', [['exact', 8]]).direct).toEqual({
      counter: false,
      meter: false,
      timeToLive: false,
    });
    const over = { withCounters: true, directMeter: {}, withIdleTimeout: true };
    expect(table('exact', [['exact', 8]], over).direct).toEqual({
      counter: true,
      meter: true,
      timeToLive: true,
    });
  });

  test('the entry of a handle, as long as it is there', () => {
    const t = table('exact', [['exact', 8]]);
    t.insert(entry([exact(1)], 1));
    t.insert(entry([exact(2)], 2));
    const handle = t.handleOf([exact(2)], 0);
    expect(handle).toBe(1);
    expect(t.handleOf([exact(3)], 0)).toBeUndefined();
    expect(t.byHandle(1)).toEqual(entry([exact(2)], 2));
    expect(t.byHandle(7)).toBe('unknown');
    t.delete([exact(2)], 0);
    t.insert(entry([exact(3)], 3));
    expect(t.byHandle(1)).toBe('expired');
  });

  test('how long its entries live', () => {
    const t = table('exact', [['exact', 8]]);
    t.insert(entry([exact(1)], 1));
    const id = { key: [exact(1)], priority: 0 };
    expect(t.timeToLiveMs(id)).toBe(0);
    t.setTimeToLive(id, 250);
    expect(t.timeToLiveMs(id)).toBe(250);
  });
});

describe('a table with constant entries', () => {
  const constant = (): MatchTable =>
    table('exact', [['exact', 8]], {
      size: 2,
      constantEntries: [entry([exact(1)], 1), entry([exact(2)], 2), entry([exact(3)], 3)],
    });

  test('finds them, and takes no others', () => {
    const t = constant();
    expect([portOf(t, 1), portOf(t, 3), t.isFixed]).toEqual([1, 3, true]);
    refused('permission-denied', 'its entries are constant', () => t.insert(entry([exact(4)], 4)));
    refused('permission-denied', "table 't': its entries are constant", () => t.clear());
    expect(t.entryCount).toBe(3);
  });

  test('takes others once it is opened, but no fewer than it has', () => {
    const t = constant();
    t.openForWrites(2);
    expect([t.isFixed, t.size]).toEqual([false, 3]);
    refused('exhausted', 'it holds 3 entries', () => t.insert(entry([exact(4)], 4)));
    t.openForWrites(5);
    t.insert(entry([exact(4)], 4));
    expect([t.size, portOf(t, 4)]).toEqual([5, 4]);
  });
});

describe('clearing a table', () => {
  test('takes its entries, their handles, and what they use', () => {
    const profile = new ActionProfile({ name: 'p', size: 4, withSelector: true, actions: ACTIONS });
    profile.insertMember(1, { actionId: 2, arguments: [] });
    const t = table('exact', [['exact', 8]], { profile });
    const action = { kind: 'member', memberId: 1 } as const;
    t.insert({ key: [exact(1)], priority: 0, action });
    t.insert({ key: [exact(2)], priority: 0, action });
    t.clear();
    expect([t.entryCount, [...t.entries()], [...t.snapshot()]]).toEqual([0, [], []]);
    expect([t.lookup([1n]), t.byHandle(0), profile.isUsed(action)]).toEqual([
      undefined,
      'unknown',
      false,
    ]);
    t.insert({ key: [exact(2)], priority: 0, action });
    expect(t.handleOf([exact(2)], 0)).toBe(0);
    const direct = table('exact', [['exact', 8]]);
    direct.insert(entry([exact(1)], 1));
    direct.clear();
    expect(portOf(direct, 1)).toBeUndefined();
  });
});

describe('the default of a table', () => {
  const withProfile = (over: object = {}) => {
    const profile = new ActionProfile({ name: 'p', size: 4, withSelector: true, actions: ACTIONS });
    for (const id of [1, 2]) profile.insertMember(id, { actionId: 1, arguments: [BigInt(id)] });
    return { profile, t: table('exact', [['exact', 8]], { profile, ...over }) };
  };

  test('may be a member, which it uses until it has another one', () => {
    const { profile, t } = withProfile();
    t.setDefaultMember(1);
    expect([t.defaultMember, t.defaultAction]).toEqual([1, { actionId: 1, arguments: [1n] }]);
    expect(t.actionProfile).toBe('p');
    refused('invalid', 'table entries use member 1', () => profile.deleteMember(1));
    t.setDefaultMember(2);
    profile.deleteMember(1);
    t.resetDefault();
    profile.deleteMember(2);
    expect([t.defaultMember, t.defaultAction]).toEqual([undefined, { actionId: 2, arguments: [] }]);
  });

  test('is refused where it does not fit', () => {
    refused('invalid', 'an indirect table has no default action', () =>
      withProfile().t.setDefault({ actionId: 2, arguments: [] }),
    );
    refused('not-found', 'it has no member 9', () => withProfile().t.setDefaultMember(9));
    refused('permission-denied', 'its default action is constant', () =>
      withProfile({ defaultIsConstant: true }).t.setDefaultMember(1),
    );
    const direct = table('exact', [['exact', 8]]);
    refused('invalid', "table 't': it has no action profile", () => direct.setDefaultMember(1));
    refused('invalid', "table 't': it has no action with the id 8", () =>
      direct.setDefault({ actionId: 8, arguments: [] }),
    );
    const constant = table('exact', [['exact', 8]], { defaultIsConstant: true });
    refused('permission-denied', 'its default action is constant', () =>
      constant.setDefault({ actionId: 1, arguments: [1n] }),
    );
  });
});

describe('indices by what they are made for', () => {
  test.each([
    [16, 0xfffen],
    [17, 0x1fffen],
    [33, 0x1_ffff_fffen],
  ] as const)('exact keys of %i bits', (width, value) => {
    const t = table('exact', [['exact', width]]);
    t.insert(entry([exact(value)], 4));
    expect([portOf(t, value), portOf(t, value + 1n)]).toEqual([4, undefined]);
    refused('already-exists', 'it has an entry with that key', () =>
      t.insert(entry([exact(value)], 5)),
    );
  });

  test.each([31, 32, 33] as const)('prefixes of %i bits', (width) => {
    const t = table('lpm', [['lpm', width]]);
    const high = 1n << BigInt(width - 1);
    t.insert(entry([lpm(high, 1)], 1));
    t.insert(entry([lpm(high | 1n, width)], 2));
    expect([portOf(t, high), portOf(t, high | 1n), portOf(t, 1n)]).toEqual([1, 2, undefined]);
  });

  test('keys with an optional field', () => {
    const t = table('optional', [['optional', 8]]);
    t.insert(entry([ternary(7, 0xff)], 1, 2));
    t.insert(entry([ternary(0, 0)], 2, 1));
    expect([portOf(t, 7), portOf(t, 8)]).toEqual([1, 2]);
  });

  test('prefixes whose bits and lengths could be taken for each other', () => {
    const t = table('lpm', [['lpm', 32]]);
    t.insert(entry([lpm(64, 31)], 1));
    t.insert(entry([lpm(0, 32)], 2));
    t.delete([lpm(64, 31)], 0);
    expect([portOf(t, 64), portOf(t, 0)]).toEqual([undefined, 2]);
    t.delete([lpm(0, 32)], 0);
    expect(portOf(t, 0)).toBeUndefined();
  });

  test('a shorter prefix is hit again where the longer ones have gone', () => {
    const t = table('lpm', [['lpm', 32]], { size: 40 });
    for (let length = 0; length <= 32; length++) t.insert(entry([lpm(0, length)], length));
    for (let length = 32; length > 0; length--) {
      expect(portOf(t, 0)).toBe(length);
      t.delete([lpm(0, length)], 0);
      t.insert(entry([lpm(0, length)], 100 + length));
      t.delete([lpm(0, length)], 0);
    }
    expect(portOf(t, 0)).toBe(0);
  });
});
