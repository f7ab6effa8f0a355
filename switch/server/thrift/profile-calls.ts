import { StateError } from '../../control/table-control';
import { fitting } from './direct-table-calls';
import { standardTypes } from '../../../common/thrift/generated-code';
import { callMessage, profileNamed, failure, refusedBy } from './table-access';
import type { ActionProfileControl, GroupMember } from '../../control/table-control';
import type { ServiceCalls } from './service-calls';
import type { NamedProfile } from './table-access';
import type { ThriftTarget } from './target';

const { ProfileGroup, ProfileMember, TableError } = standardTypes;

type Code = (typeof TableError)[keyof typeof TableError];
type GroupState = ReturnType<ActionProfileControl['groups']> extends Iterable<infer T> ? T : never;
type MemberState =
  ReturnType<ActionProfileControl['members']> extends Iterable<infer T> ? T : never;

/** Members and groups of action profiles. */
export function profileCalls(target: ThriftTarget): ServiceCalls {
  /** A profile that may be changed: P4Runtime owns those that it uses in one shot. */
  const own = (name: string): NamedProfile => {
    const named = profileNamed(target, name);
    if (target.shared.ownsProfile(name)) throw failure(TableError.FAILED);
    return named;
  };
  return { ...memberCalls(own), ...groupCalls(own), ...profileReads(target) };
}

type Lookup = (name: string) => NamedProfile;

function memberCalls(own: Lookup): ServiceCalls {
  return {
    bm_mt_act_prof_add_member: (
      ...[, name, action, values]: [number, string, string, Buffer[]]
    ): number => {
      const { program, profile } = own(name);
      const call = fitting(program.profileAction(name, action), values);
      const memberId = freeId([...profile.members()].map((each) => each.memberId));
      changing({}, () => profile.insertMember(memberId, call));
      return handleOf(memberId);
    },
    bm_mt_act_prof_delete_member: (_context: number, name: string, handle: number): void => {
      const { profile } = own(name);
      const codes = { missing: TableError.UNKNOWN_MEMBER, used: TableError.MEMBER_IN_USE };
      changing(codes, () => profile.deleteMember(idOf(handle)));
    },
    bm_mt_act_prof_modify_member: (
      ...[, name, handle, action, values]: [number, string, number, string, Buffer[]]
    ): void => {
      const { program, profile } = own(name);
      const call = fitting(program.profileAction(name, action), values);
      const codes = { missing: TableError.UNKNOWN_MEMBER };
      changing(codes, () => profile.modifyMember(idOf(handle), call));
    },
  };
}

function groupCalls(own: Lookup): ServiceCalls {
  return {
    bm_mt_act_prof_create_group: (_context: number, name: string): number => {
      const { profile } = own(name);
      if (!profile.withSelector) throw failure(TableError.FAILED);
      const groupId = freeId([...profile.groups()].map((each) => each.groupId));
      changing({}, () => profile.insertGroup(groupId, [], 0));
      return handleOf(groupId);
    },
    bm_mt_act_prof_delete_group: (_context: number, name: string, handle: number): void => {
      const { profile } = own(name);
      const codes = { missing: TableError.UNKNOWN_GROUP, used: TableError.GROUP_IN_USE };
      changing(codes, () => profile.deleteGroup(idOf(handle)));
    },
    bm_mt_act_prof_add_member_to_group: (
      ...[, name, member, group]: [number, string, number, number]
    ): void =>
      changeGroup(own(name).profile, [member, group], (members, memberId) => {
        if (members.some((each) => each.memberId === memberId)) {
          throw failure(TableError.MEMBER_IN_GROUP);
        }
        return [...members, { memberId, weight: 1 }];
      }),
    bm_mt_act_prof_remove_member_from_group: (
      ...[, name, member, group]: [number, string, number, number]
    ): void =>
      changeGroup(own(name).profile, [member, group], (members, memberId) => {
        const others = members.filter((each) => each.memberId !== memberId);
        if (others.length === members.length) throw failure(TableError.MEMBER_NOT_IN_GROUP);
        return others;
      }),
  };
}

function profileReads(target: ThriftTarget): ServiceCalls {
  const named = (name: string): NamedProfile => profileNamed(target, name);
  return {
    bm_mt_act_prof_get_members: (_context: number, name: string) => {
      const { program, profile } = named(name);
      return byHandle([...profile.members()].map((each) => memberMessage(program, each)));
    },
    bm_mt_act_prof_get_member: (_context: number, name: string, handle: number) => {
      const { program, profile } = named(name);
      return memberMessage(program, requireMember(profile, handle));
    },
    bm_mt_act_prof_get_groups: (_context: number, name: string) =>
      byHandle([...named(name).profile.groups()].map(groupMessage)),
    bm_mt_act_prof_get_group: (_context: number, name: string, handle: number) =>
      groupMessage(requireGroup(named(name).profile, handle)),
  };
}

function memberMessage(
  program: NamedProfile['program'],
  { memberId, call }: MemberState,
): InstanceType<typeof ProfileMember> {
  return new ProfileMember({ handle: handleOf(memberId), ...callMessage(program, call) });
}

function groupMessage({ groupId, members }: GroupState): InstanceType<typeof ProfileGroup> {
  const handles = members.map(({ memberId }) => handleOf(memberId)).sort((a, b) => a - b);
  return new ProfileGroup({ handle: handleOf(groupId), members: handles });
}

const byHandle = <T extends { readonly handle: number }>(list: T[]): T[] =>
  list.sort((a, b) => a.handle - b.handle);

function changeGroup(
  profile: ActionProfileControl,
  [member, group]: readonly [number, number],
  change: (members: readonly GroupMember[], memberId: number) => readonly GroupMember[],
): void {
  const { memberId } = requireMember(profile, member);
  const { groupId, members } = requireGroup(profile, group);
  const changed = change(members, memberId);
  changing({}, () => profile.modifyGroup(groupId, changed));
}

function requireMember(profile: ActionProfileControl, handle: number): MemberState {
  for (const each of profile.members()) if (each.memberId === idOf(handle)) return each;
  throw failure(TableError.UNKNOWN_MEMBER);
}

function requireGroup(profile: ActionProfileControl, handle: number): GroupState {
  for (const each of profile.groups()) if (each.groupId === idOf(handle)) return each;
  throw failure(TableError.UNKNOWN_GROUP);
}

/** Runs a change; refusals get the codes that belong to the object. @throws TableFailure */
function changing(codes: { readonly missing?: Code; readonly used?: Code }, change: () => void) {
  try {
    change();
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    if (error.code === 'not-found' && codes.missing !== undefined) throw failure(codes.missing);
    if (error.code === 'invalid' && codes.used !== undefined) throw failure(codes.used);
    throw refusedBy(error);
  }
}

/**
 * Handles of members and groups count from 0 on bmv2; their numbers in P4Runtime count from 1,
 * where 0 means unset. Both interfaces name the same objects, one apart.
 */
export const handleOf = (id: number): number => (id - 1) | 0;

export const idOf = (handle: number): number => (handle >>> 0) + 1;

/** The lowest number that is free. */
export function freeId(taken: Iterable<number>): number {
  const ids = new Set(taken);
  let id = 1;
  while (ids.has(id)) id += 1;
  return id;
}
