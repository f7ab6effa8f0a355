import * as fc from 'fast-check';
import { changesOf, difference } from '../../../../controller/plan/diff';
import { contentOf, identityOf } from '../../../../controller/entities/identity';
import type { KeptEntity } from '../../../../controller/entities/identity';

const member = (memberId: number, port = memberId): KeptEntity => ({
  kind: 'member',
  actionProfile: 'ecmp',
  memberId,
  action: { name: 'forward', arguments: { port: String(port) } },
});

const group = (groupId: number, ...memberIds: readonly number[]): KeptEntity => ({
  kind: 'group',
  actionProfile: 'ecmp',
  groupId,
  members: memberIds.map((memberId) => ({ memberId, weight: 1 })),
  maxSize: 0,
});

const route = (address: string, groupId: number): KeptEntity => ({
  kind: 'table-entry',
  table: 'route',
  match: { dst: { lpm: [address, 32] } },
  priority: 0,
  action: { kind: 'group', groupId },
});

const seed = (value: number): KeptEntity => ({
  kind: 'default-entry',
  table: 'seed',
  action: { name: 'set', arguments: { seed: String(value) } },
});

const session = (sessionId: number, ...ports: readonly number[]): KeptEntity => ({
  kind: 'clone-session',
  sessionId,
  replicas: ports.map((port) => ({ port, instance: 0 })),
  classOfService: 0,
  packetLengthBytes: 0,
});

const kinds = (desired: KeptEntity[], actual: KeptEntity[]): string[][] =>
  difference(desired, actual).map((stage) =>
    stage.map(({ type, entity }) => `${type} ${identityOf(entity)}`),
  );

describe('the difference of two states', () => {
  test('of equal ones is nothing', () => {
    const state = [member(1), group(1, 1), route('10.0.0.1', 1), seed(5), session(1, 2)];
    expect(difference(state, state)).toEqual([]);
  });

  test('inserts members before groups before entries', () => {
    expect(kinds([route('10.0.0.1', 1), group(1, 1), member(1)], [])).toEqual([
      ['insert member ecmp 1'],
      ['insert group ecmp 1'],
      ['insert entry route [["dst",{"lpm":["10.0.0.1",32]}]] 0'],
    ]);
  });

  test('deletes entries before groups before members', () => {
    expect(kinds([], [member(1), group(1, 1), route('10.0.0.1', 1)])).toEqual([
      ['delete entry route [["dst",{"lpm":["10.0.0.1",32]}]] 0'],
      ['delete group ecmp 1'],
      ['delete member ecmp 1'],
    ]);
  });

  test('moves an entry to a new group before the old one goes, and makes room first', () => {
    const before = [member(1), group(1, 1), route('10.0.0.1', 1), route('10.0.0.9', 1)];
    const after = [member(2), group(2, 2), route('10.0.0.1', 2), route('10.0.0.2', 2)];
    expect(kinds(after, before).map((stage) => stage.map((each) => each.slice(0, 12)))).toEqual([
      ['delete entry'],
      ['insert membe'],
      ['insert group'],
      ['modify entry', 'insert entry'],
      ['delete group'],
      ['delete membe'],
    ]);
  });

  test('modifies default actions and never deletes them', () => {
    expect(kinds([seed(1)], [seed(2)])).toEqual([['modify default seed']]);
    expect(kinds([seed(1)], [])).toEqual([['modify default seed']]);
    expect(kinds([], [seed(2)])).toEqual([]);
  });

  test('a program that is not loaded yet has its defaults, which are modified and not inserted', () => {
    expect(kinds([seed(1), route('10.0.0.1', 1)], [])).toEqual([
      ['modify default seed', 'insert entry route [["dst",{"lpm":["10.0.0.1",32]}]] 0'],
    ]);
  });

  test('clone sessions and multicast groups come with the members and go with them', () => {
    const copies: KeptEntity = {
      kind: 'multicast-group',
      groupId: 7,
      replicas: [{ port: 1, instance: 0 }],
    };
    const stages = kinds([copies, group(1, 1), route('10.0.0.1', 1)], [session(2, 1), group(3, 1)]);
    expect(stages).toEqual([
      ['insert multicast 7'],
      ['insert group ecmp 1'],
      ['insert entry route [["dst",{"lpm":["10.0.0.1",32]}]] 0'],
      ['delete group ecmp 3'],
      ['delete session 2'],
    ]);
  });

  test('does not mind in which order a switch returns members and replicas', () => {
    expect(kinds([group(1, 2, 1), session(1, 3, 2)], [group(1, 1, 2), session(1, 2, 3)])).toEqual(
      [],
    );
  });

  test('takes a member that comes twice for one of twice the weight', () => {
    const weighty = { ...group(1), members: [{ memberId: 1, weight: 2 }] } as KeptEntity;
    expect(difference([weighty], [group(1, 1, 1)])).toEqual([]);
    expect(difference([weighty], [group(1, 1)])).toHaveLength(1);
  });

  test('keeps the size that a group was made with', () => {
    const made = { ...group(1, 1), maxSize: 8 } as KeptEntity;
    expect(difference([group(1, 1)], [made])).toEqual([]);
    const [change] = changesOf(difference([group(1, 1, 2)], [made]));
    expect(change?.entity).toStrictEqual({ ...group(1, 1, 2), maxSize: 8 });
  });

  test('tells what was there before', () => {
    const [change] = changesOf(difference([member(1, 5)], [member(1, 4)]));
    expect(change).toStrictEqual({
      type: 'modify',
      entity: member(1, 5),
      before: member(1, 4),
    });
  });

  const states = fc
    .uniqueArray(
      fc.oneof(
        fc
          .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 }))
          .map(([id, port]) => member(id, port)),
        fc
          .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 }))
          .map(([id, m]) => group(id, m)),
        fc
          .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }))
          .map(([a, g]) => route(`10.0.0.${a}`, g)),
        fc.integer({ min: 1, max: 4 }).map((id) => session(id, id)),
      ),
      { selector: identityOf, maxLength: 16 },
    )
    .map((entities) => [...entities]);

  test('carried out on one state gives the other, and nothing is left to do', () => {
    fc.assert(
      fc.property(states, states, (desired, actual) => {
        const held = new Map(actual.map((each) => [identityOf(each), each]));
        for (const { type, entity } of changesOf(difference(desired, actual))) {
          const key = identityOf(entity);
          // A switch refuses an insert of what is there, and anything else of what is not.
          expect(held.has(key)).toBe(type !== 'insert');
          if (type === 'delete') held.delete(key);
          else held.set(key, entity);
        }
        const text = (each: KeptEntity): string => `${identityOf(each)} ${contentOf(each)}`;
        expect([...held.values()].map(text).sort()).toEqual(desired.map(text).sort());
        expect(difference(desired, [...held.values()])).toEqual([]);
      }),
    );
  });
});
