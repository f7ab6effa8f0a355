import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeTraits } from '../support/p4runtime/departures';
import {
  action,
  bytes,
  group,
  groupOf,
  ID,
  insert,
  member,
  modify,
  remove,
  route,
} from '../support/p4runtime/sample-updates';
import { configured } from './p4runtime-configured';
import type { StartTarget } from './p4runtime-target';

/** P4Runtime 1.5.0, section "ActionProfileMember & ActionProfileGroup". */
export function p4RuntimeActionProfiles(start: StartTarget, traits: P4RuntimeTraits): void {
  describe('action profiles', () => {
    const { write, outcome, read } = configured(start);

    test('members, groups and routes depend on each other in both directions', async () => {
      const memberless = traits.answer('a route to a missing member', 'NOT_FOUND');
      expect(await outcome(insert(route(1, { member: 1 })))).toBe(memberless);
      expect((await write(insert(member(1, 1)), insert(member(2, 2)))).code).toBe('OK');
      expect(await outcome(insert(member(1, 1)))).toBe('ALREADY_EXISTS');
      expect(await outcome(insert(group(1, 1, 2)))).toBe('OK');
      expect(await outcome(insert(route(1, { member: 1 })))).toBe('OK');
      expect(await outcome(insert(route(2, { group: 1 })))).toBe('OK');
      const used = traits.answer('the deletion of a member in use', 'FAILED_PRECONDITION');
      expect(await outcome(remove(member(2, 0)))).toBe(used);
      const routed = traits.answer('the deletion of a group in use', 'FAILED_PRECONDITION');
      expect(await outcome(remove(group(1)))).toBe(routed);
      expect(await outcome(remove(route(2, { group: 1 })))).toBe('OK');
      expect(await outcome(remove(group(1)))).toBe('OK');
      expect(await outcome(remove(member(2, 0)))).toBe('OK');
      expect(await outcome(remove(member(1, 0)))).toBe(used);
      expect(await outcome(remove(member(7, 0)))).toBe('NOT_FOUND');
      expect(await outcome(remove(group(7)))).toBe('NOT_FOUND');
    });

    test('a group of missing members is refused, and leaves nothing behind', async () => {
      expect(await outcome(insert(group(1, 1, 2)))).toBe('NOT_FOUND');
      await write(insert(member(1, 1)), insert(member(2, 2)));
      const again = traits.answer('a group whose members were missing', 'OK');
      expect(await outcome(insert(group(1, 1, 2)))).toBe(again);
      expect(await outcome(modify(group(1, 1, 2)))).toBe('OK');
    });

    test('members and groups are read by number and by wildcard', async () => {
      await write(insert(member(1, 1)), insert(member(2, 2)));
      await write(insert(group(5, 1, 2)), insert(group(6, 2)));
      const all = new p4.Entity({ actionProfileMember: new p4.ActionProfileMember({}) });
      expect((await read(all)).map((each) => each.actionProfileMember.memberId)).toEqual([1, 2]);
      const groups = await read(
        new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({}) }),
      );
      expect(groups.map((each) => each.actionProfileGroup.groupId)).toEqual([5, 6]);
      const [one] = await read(group(6));
      expect(one?.actionProfileGroup.members.map((each) => each.memberId)).toEqual([2]);
    });

    test('a member is modified under the feet of its groups, and a group keeps its maximum', async () => {
      await write(insert(member(1, 1)), insert(member(2, 2)));
      const members = [new p4.ActionProfileGroupMember({ memberId: 1, weight: 2 })];
      expect(await outcome(insert(groupOf({ groupId: 1, members, maxSize: 3 })))).toBe('OK');
      expect(await outcome(modify(member(1, 3)))).toBe('OK');
      expect(await outcome(modify(member(9, 3)))).toBe('NOT_FOUND');
      expect(await outcome(modify(groupOf({ groupId: 1, members, maxSize: 4 })))).toBe(
        'INVALID_ARGUMENT',
      );
      const more = [...members, new p4.ActionProfileGroupMember({ memberId: 2, weight: 2 })];
      expect(await outcome(modify(groupOf({ groupId: 1, members: more, maxSize: 3 })))).toBe(
        'RESOURCE_EXHAUSTED',
      );
    });

    test.each([
      ['a weight of 0', [new p4.ActionProfileGroupMember({ memberId: 1 })]],
      [
        'a member twice',
        [1, 1].map((memberId) => new p4.ActionProfileGroupMember({ memberId, weight: 1 })),
      ],
    ])('a group with %s is invalid', async (_, members) => {
      await write(insert(member(1, 1)));
      expect(await outcome(insert(groupOf({ groupId: 1, members })))).toBe('INVALID_ARGUMENT');
    });

    test('a profile without selector has no groups, and no more members than its size', async () => {
      const sample = (memberId: number): p4.Entity =>
        new p4.Entity({
          actionProfileMember: new p4.ActionProfileMember({
            actionProfileId: ID.samples,
            memberId,
            action: action(ID.sample, bytes(255, 255, 255, 255, 255, 255, 255, memberId)),
          }),
        });
      expect((await write(...[1, 2, 3, 4].map((id) => insert(sample(id))))).code).toBe('OK');
      const full = traits.answer('a member too many', 'RESOURCE_EXHAUSTED');
      expect(await outcome(insert(sample(5)))).toBe(full);
      const plain = group(1);
      plain.actionProfileGroup.actionProfileId = ID.samples;
      const code = traits.answer('a group of a plain profile', 'INVALID_ARGUMENT');
      expect(await outcome(insert(plain))).toBe(code);
      const [found] = await read(sample(3));
      expect([...(found?.actionProfileMember.action.params[0]?.value ?? [])]).toEqual([
        255, 255, 255, 255, 255, 255, 255, 3,
      ]);
    });

    test('an indirect table takes members, not actions', async () => {
      const direct = route(1, { member: 1 });
      direct.tableEntry.action = new p4.TableAction({ action: action(ID.forward) });
      expect(await outcome(insert(direct))).toBe('INVALID_ARGUMENT');
    });
  });
}
