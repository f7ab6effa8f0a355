import { describeUpdate } from '../../../../controller/entities/describe';
import type { NamedEntity } from '../../../../controller/entities/named-entity';

describe('an update in one line', () => {
  const action = { name: 'forward', arguments: {} };
  test.each<[NamedEntity, string]>([
    [
      {
        kind: 'table-entry',
        table: 'acl',
        match: {
          a: { exact: 1 },
          b: { ternary: [2, '0xff'] },
          c: { range: [1, 9] },
          d: { optional: 'x' },
          e: { lpm: ['10.0.0.0', 8] },
        },
        priority: 5,
        action: { kind: 'action', action },
      },
      'insert acl (a = 1, b = 2&&&0xff, c = 1..9, d = x, e = 10.0.0.0/8) at priority 5',
    ],
    [
      {
        kind: 'table-entry',
        table: 'acl',
        match: {},
        priority: 0,
        action: { kind: 'member', memberId: 1 },
      },
      'insert acl (any)',
    ],
    [{ kind: 'default-entry', table: 'seed' }, 'insert seed (default)'],
    [{ kind: 'member', actionProfile: 'ecmp', memberId: 3, action }, 'insert ecmp member 3'],
    [
      { kind: 'group', actionProfile: 'ecmp', groupId: 4, members: [], maxSize: 0 },
      'insert ecmp group 4',
    ],
  ])('names what it is about', (entity, text) => {
    expect(describeUpdate({ type: 'insert', entity })).toBe(text);
  });
});
