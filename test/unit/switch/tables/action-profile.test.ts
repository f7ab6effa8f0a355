import { ActionProfile } from '../../../../switch/tables/action-profile';
import { refused } from '../support/refused';
import type {
  ActionSignature,
  GroupMember,
  StateErrorCode,
} from '../../../../switch/control/table-control';

const ACTIONS = new Map<number, ActionSignature>([
  [1, { id: 1, name: 'forward', parameters: [{ name: 'port', width: 9 }] }],
]);

const call = (port: number): { actionId: number; arguments: bigint[] } => ({
  actionId: 1,
  arguments: [BigInt(port)],
});

/** A profile with the members 1, 2 and 3, which forward to the ports 10, 20 and 30. */
function profile(withSelector = true): ActionProfile {
  const made = new ActionProfile({ name: 'p', size: 4, withSelector, actions: ACTIONS });
  [2, 3, 1].forEach((id) => made.insertMember(id, call(id * 10)));
  return made;
}

const members = (...pairs: [memberId: number, weight: number][]): GroupMember[] =>
  pairs.map(([memberId, weight]) => ({ memberId, weight }));

const portOf = (p: ActionProfile, groupId: number, hash: bigint): number | undefined => {
  const argument = p.groupCall(groupId, hash)?.arguments[0];
  return argument === undefined ? undefined : Number(argument);
};

describe('members', () => {
  test('are listed in the order of insertion', () => {
    expect([...profile().members()].map((member) => member.memberId)).toEqual([2, 3, 1]);
  });

  test('can be modified and deleted', () => {
    const p = profile();
    p.modifyMember(1, call(11));
    expect(p.memberCall(1)).toEqual(call(11));
    p.deleteMember(1);
    expect(p.memberCall(1)).toBeUndefined();
  });

  test('are refused when they exist, are missing, are too many or do not fit', () => {
    const p = profile();
    refused('already-exists', 'member 1', () => p.insertMember(1, call(1)));
    refused('not-found', 'member 9', () => p.modifyMember(9, call(1)));
    refused('not-found', 'member 9', () => p.deleteMember(9));
    refused('invalid', "parameter 'port'", () => p.modifyMember(1, call(512)));
    refused('invalid', 'no action', () => p.insertMember(4, { actionId: 8, arguments: [] }));
    p.insertMember(4, call(1));
    refused('exhausted', '4 members', () => p.insertMember(5, call(1)));
  });
});

describe('groups', () => {
  test('share the hash among members in ascending order of their ids', () => {
    const p = profile();
    p.insertGroup(1, members([3, 1], [1, 1], [2, 1]), 0);
    expect([0n, 1n, 2n, 3n].map((hash) => portOf(p, 1, hash))).toEqual([10, 20, 30, 10]);
  });

  test('give a member as many shares as its weight', () => {
    const p = profile();
    p.insertGroup(1, members([1, 1], [2, 3]), 0);
    expect([0n, 1n, 2n, 3n, 4n].map((h) => portOf(p, 1, h))).toEqual([10, 20, 20, 20, 10]);
  });

  test('follow a member that is modified', () => {
    const p = profile();
    p.insertGroup(1, members([1, 1]), 0);
    p.modifyMember(1, call(99));
    expect(portOf(p, 1, 5n)).toBe(99);
  });

  test('can be empty, changed and deleted', () => {
    const p = profile();
    p.insertGroup(1, [], 4);
    expect(portOf(p, 1, 5n)).toBeUndefined();
    p.modifyGroup(1, members([2, 1]));
    expect(portOf(p, 1, 5n)).toBe(20);
    const group = { groupId: 1, members: members([2, 1]), maxSize: 4 };
    expect([...p.groups()]).toEqual([expect.objectContaining(group)]);
    p.deleteGroup(1);
    expect([...p.groups()]).toEqual([]);
  });

  test('keep their members from being deleted', () => {
    const p = profile();
    p.insertGroup(1, members([2, 1]), 0);
    refused('invalid', 'group 1 uses member 2', () => p.deleteMember(2));
    p.modifyGroup(1, []);
    p.deleteMember(2);
  });

  const bad: readonly (readonly [string, StateErrorCode, GroupMember[], string])[] = [
    ['a member that does not exist', 'not-found', members([9, 1]), 'no member 9'],
    ['a member twice', 'invalid', members([1, 1], [1, 2]), 'listed twice'],
    ['a weight of 0', 'invalid', members([1, 0]), 'at least 1, found 0'],
    ['half a share', 'invalid', members([1, 1.5]), 'at least 1, found 1.5'],
    ['too many shares', 'exhausted', members([1, 2], [2, 2]), 'takes 3 shares, found 4'],
  ];
  test.each(bad)('refuse %s and stay as they are', (_name, code, list, words) => {
    const p = profile();
    refused(code, words, () => p.insertGroup(1, list, 3));
    expect([...p.groups()]).toEqual([]);
    p.insertGroup(1, members([1, 1]), 3);
    refused(code, words, () => p.modifyGroup(1, list));
    expect(portOf(p, 1, 7n)).toBe(10);
  });

  test('are refused when they exist, are missing or are in use', () => {
    const p = profile();
    p.insertGroup(1, [], 0);
    refused('already-exists', 'group 1', () => p.insertGroup(1, [], 0));
    refused('not-found', 'group 2', () => p.modifyGroup(2, []));
    refused('not-found', 'group 2', () => p.deleteGroup(2));
    p.retain({ kind: 'group', groupId: 1 });
    refused('invalid', 'table entries use group 1', () => p.deleteGroup(1));
    p.release({ kind: 'group', groupId: 1 });
    p.deleteGroup(1);
  });

  test('are refused by a profile without a selector', () => {
    refused('invalid', 'no selector', () => profile(false).insertGroup(1, [], 0));
  });
});

describe('what packets choose from', () => {
  test('is the call of a member, or the shares of a group, until something changes', () => {
    const p = profile();
    p.insertGroup(1, members([2, 2], [1, 1]), 0);
    const group = { kind: 'group', groupId: 1 } as const;
    const member = { kind: 'member', memberId: 3 } as const;
    expect(p.choiceOf(member).calls).toEqual([call(30)]);
    const chosen = p.choiceOf(group);
    expect(chosen.calls).toEqual([call(10), call(20), call(20)]);
    expect(chosen.version).toBe(p.version);
    expect(p.choiceOf(group)).toBe(chosen);
    const { version } = p;
    p.modifyMember(2, call(21));
    expect(p.version).toBe(version + 1);
    expect(p.choiceOf(group)).toEqual({
      version: version + 1,
      calls: [call(10), call(21), call(21)],
      prepared: [undefined, undefined, undefined],
    });
    p.modifyMember(3, call(31));
    expect(p.choiceOf(member).calls).toEqual([call(31)]);
  });

  test('is told apart by kind and number', () => {
    const p = profile();
    p.insertGroup(1, members([2, 1]), 0);
    p.insertGroup(2, members([3, 1]), 0);
    for (let i = 0; i < 2; i++) {
      for (const id of [1, 2]) {
        const group = p.choiceOf({ kind: 'group', groupId: id });
        expect(group.calls).toEqual([call(10 * (id + 1))]);
        expect(p.choiceOf({ kind: 'member', memberId: id }).calls).toEqual([call(10 * id)]);
      }
    }
  });

  test('may be as many shares as a group takes, and no more', () => {
    const p = profile();
    p.insertGroup(1, members([1, 2], [2, 1]), 3);
    expect(p.choiceOf({ kind: 'group', groupId: 1 }).calls).toHaveLength(3);
    refused('exhausted', 'the group takes 3 shares, found 4', () =>
      p.modifyGroup(1, members([1, 2], [2, 2])),
    );
  });

  test('is nothing where there is no such member or group', () => {
    const p = profile();
    expect(p.choiceOf({ kind: 'member', memberId: 9 }).calls).toEqual([]);
    expect(p.choiceOf({ kind: 'group', groupId: 9 }).calls).toEqual([]);
    expect(p.groupCall(9, 0)).toBeUndefined();
    expect(p.memberCall(9)).toBeUndefined();
  });

  test('is the same for a hash as number and as bigint', () => {
    const p = profile();
    p.insertGroup(1, members([1, 1], [2, 1], [3, 1]), 0);
    for (const hash of [0, 1, 2, 5]) {
      expect(p.groupCall(1, hash)).toEqual(p.groupCall(1, BigInt(hash)));
    }
    expect(p.groupCall(1, 5)).toEqual(call(30));
  });

  test('changes with every change of members and groups', () => {
    const p = profile();
    const versions = [
      () => p.insertMember(4, call(4)),
      () => p.deleteMember(4),
      () => p.insertGroup(1, members([1, 1]), 0),
      () => p.modifyGroup(1, members([2, 1])),
      () => p.deleteGroup(1),
    ].map((change) => {
      change();
      return p.version;
    });
    expect(new Set(versions).size).toBe(versions.length);
  });
});

describe('a profile tells', () => {
  test('its groups, and which of them use a member', () => {
    const p = profile();
    p.insertGroup(7, members([1, 1], [2, 1]), 3);
    p.insertGroup(8, members([2, 1]), 0);
    expect([...p.groups()].map(({ groupId }) => groupId)).toEqual([7, 8]);
    expect(p.group(7)).toMatchObject({ groupId: 7, maxSize: 3, members: members([1, 1], [2, 1]) });
    expect(p.group(9)).toBeUndefined();
    expect([...p.groupsOf(2)]).toEqual([7, 8]);
    expect([...p.groupsOf(3)]).toEqual([]);
    p.modifyGroup(7, members([1, 1]));
    expect([...p.groupsOf(2)]).toEqual([8]);
    p.deleteGroup(8);
    expect([...p.groupsOf(2)]).toEqual([]);
    expect(p.member(2)).toMatchObject({ memberId: 2, call: call(20) });
  });

  test('whether an entry uses a member or group', () => {
    const p = profile();
    p.insertGroup(1, members([1, 1]), 0);
    const uses = [
      { kind: 'member', memberId: 1 },
      { kind: 'group', groupId: 1 },
    ] as const;
    for (const use of uses) {
      expect(p.isUsed(use)).toBe(false);
      p.retain(use);
      p.retain(use);
      p.release(use);
      expect(p.isUsed(use)).toBe(true);
    }
    refused('invalid', 'table entries use member 1', () => p.deleteMember(1));
    refused('invalid', 'table entries use group 1', () => p.deleteGroup(1));
    for (const use of uses) {
      p.release(use);
      expect(p.isUsed(use)).toBe(false);
    }
    const own = { kind: 'call', call: call(1) } as const;
    p.retain(own);
    expect(p.isUsed(own)).toBe(false);
    p.release(own);
  });

  test('the actions of its members by name, and where a refused value stands', () => {
    const p = profile();
    expect(p.action('forward')?.id).toBe(1);
    expect(p.action('drop')).toBeUndefined();
    const wide = "parameter 'port' of 'forward' wants an unsigned number of 9 bits, found 512";
    refused('invalid', `action profile 'p': ${wide}`, () => p.insertMember(4, call(512)));
    refused('invalid', "action profile 'p': it has no action with the id 8", () =>
      p.modifyMember(1, { actionId: 8, arguments: [] }),
    );
    refused('invalid', "action 'forward' wants 1 values, found 0", () =>
      p.modifyMember(1, { actionId: 1, arguments: [] }),
    );
  });
});
