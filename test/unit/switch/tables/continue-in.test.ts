import { ActionProfile } from '../../../../switch/tables/action-profile';
import { MatchTable } from '../../../../switch/tables/match-table';
import type { ActionCall, ActionSignature } from '../../../../switch/control/table-control';

/** A program that is loaded again, where tables are the same and actions may have other numbers. */

type Options = ConstructorParameters<typeof MatchTable>[0];

const signature = (id: number, name: string): ActionSignature => ({ id, name, parameters: [] });
const actions = (...names: string[]): ReadonlyMap<number, ActionSignature> =>
  new Map(names.map((name, id) => [id, signature(id, name)]));
const call = (actionId: number): ActionCall => ({ actionId, arguments: [] });
const exact = (value: number) => [{ kind: 'exact', value: BigInt(value) } as const];

const OLD = actions('deny', 'permit', 'mark');
const NEXT = actions('permit', 'count', 'deny');

function options(over: Partial<Options> = {}): Options {
  return {
    name: 't',
    matchKind: 'exact',
    size: 4,
    actions: OLD,
    profile: undefined,
    key: [{ name: 'k', matchKind: 'exact', width: 8 }],
    defaultCall: call(0),
    defaultIsConstant: false,
    constantEntries: undefined,
    ...over,
  };
}

function filled(): MatchTable {
  const table = new MatchTable(options());
  for (const id of [0, 1]) {
    table.insert({ key: exact(id), priority: 0, action: { kind: 'call', call: call(id) } });
  }
  return table;
}

const actionOf = (table: MatchTable, value: number): number | undefined => {
  const action = table.lookup([BigInt(value)])?.action;
  return action?.kind === 'call' ? action.call.actionId : undefined;
};

describe('a table in another program', () => {
  test('has its entries, which call the actions of the same names', () => {
    const table = filled();
    const hit = table.lookup([0n]);
    if (hit !== undefined) hit.prepared = {};
    table.continueIn(options({ actions: NEXT, defaultCall: call(2) }));
    expect(hit?.prepared).toBeUndefined();
    expect([0, 1].map((value) => actionOf(table, value))).toEqual([2, 0]);
    expect([...table.entries()]).toEqual(
      [2, 0].map((id, i) => ({
        key: exact(i),
        priority: 0,
        action: { kind: 'call', call: call(id) },
      })),
    );
    expect([...table.snapshot()]).toEqual([...table.entries()]);
  });

  test('leaves entries alone where every action keeps its number', () => {
    const table = filled();
    const before = [...table.entries()];
    table.continueIn(options({ actions: new Map(OLD) }));
    expect([...table.entries()].every((entry, i) => entry === before[i])).toBe(true);
  });

  test('keeps the number of an action that the other program lacks', () => {
    const table = filled();
    table.insert({ key: exact(2), priority: 0, action: { kind: 'call', call: call(2) } });
    table.continueIn(options({ actions: new Map([[1, signature(1, 'deny')]]) }));
    expect([0, 1, 2].map((value) => actionOf(table, value))).toEqual([1, 1, 2]);
  });

  test('takes the default action of that program, unless somebody has set another one', () => {
    const table = filled();
    table.continueIn(options({ actions: NEXT, defaultCall: call(1) }));
    expect(table.defaultAction).toEqual(call(1));
    const changed = filled();
    changed.setDefault(call(1));
    changed.continueIn(options({ actions: NEXT, defaultCall: call(1) }));
    expect(changed.defaultAction).toEqual(call(0));
    changed.resetDefault();
    expect(changed.defaultAction).toEqual(call(1));
  });

  test('a default action that somebody has set stays where no number changes', () => {
    const table = filled();
    table.setDefault(call(1));
    table.continueIn(options({ actions: new Map(OLD), defaultCall: call(2) }));
    expect(table.defaultAction).toEqual(call(1));
  });

  test('has no default action where none of the programs has one', () => {
    const table = new MatchTable(options({ defaultCall: undefined }));
    table.continueIn(options({ actions: NEXT, defaultCall: undefined }));
    expect(table.defaultAction).toBeUndefined();
  });

  test('entries that use members stay as they are', () => {
    const profile = new ActionProfile({ name: 'p', size: 4, withSelector: true, actions: OLD });
    profile.insertMember(7, call(1));
    const table = new MatchTable(options({ profile }));
    const entry = { key: exact(1), priority: 0, action: { kind: 'member', memberId: 7 } } as const;
    table.insert(entry);
    table.continueIn(options({ profile, actions: NEXT }));
    expect([...table.entries()]).toEqual([entry]);
  });
});

describe('an action profile in another program', () => {
  test('has its members, which call the actions of the same names', () => {
    const profile = new ActionProfile({ name: 'p', size: 4, withSelector: true, actions: OLD });
    profile.insertMember(1, call(0));
    profile.insertMember(2, call(1));
    profile.insertGroup(1, [{ memberId: 2, weight: 1 }], 0);
    const { version } = profile;
    profile.continueIn(NEXT);
    expect([profile.memberCall(1), profile.memberCall(2)]).toEqual([call(2), call(0)]);
    expect(profile.groupCall(1, 0)).toEqual(call(0));
    expect(profile.version).toBeGreaterThan(version);
    expect(profile.action('count')?.id).toBe(1);
    expect(profile.action('mark')).toBeUndefined();
  });
});
