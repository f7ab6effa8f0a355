import { ProfileReferences } from '../../../../switch/tables/profile-references';

const member = (memberId: number) => ({ kind: 'member', memberId }) as const;
const group = (groupId: number) => ({ kind: 'group', groupId }) as const;
const listed = (...ids: number[]) => ids.map((memberId) => ({ memberId, weight: 1 }));

describe('what an action profile is needed for', () => {
  test('a member is used until the last entry lets go of it; a group of that number is another', () => {
    const references = new ProfileReferences();
    references.retain(member(7));
    references.retain(member(7));
    expect([references.has(member(7)), references.has(group(7))]).toEqual([true, false]);
    references.release(member(7));
    expect(references.has(member(7))).toBe(true);
    references.release(member(7));
    expect(references.has(member(7))).toBe(false);
  });

  test('a member knows its groups as they change', () => {
    const references = new ProfileReferences();
    references.regroup(1, [], listed(5, 6));
    references.regroup(2, [], listed(6));
    expect([...references.groupsOf(6)]).toEqual([1, 2]);
    references.regroup(1, listed(5, 6), listed(5));
    expect([...references.groupsOf(6)]).toEqual([2]);
    references.regroup(2, listed(6), []);
    expect([...references.groupsOf(6)]).toEqual([]);
    expect([...references.groupsOf(5)]).toEqual([1]);
  });
});
