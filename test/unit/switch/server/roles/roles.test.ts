import { BinaryWriter } from 'google-protobuf';
import { codeName } from '../../../../../common/p4runtime/rpc-code';
import { Any } from '../../../../../common/p4runtime/generated/google/protobuf/any';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { decodeRoleConfig } from '../../../../../common/p4runtime/role-config';
import { idOfEntity, inScope, Roles } from '../../../../../switch/server/roles/roles';
import { Limits } from '../../../../../switch/server/limits/limits';
import type { Controller } from '../../../../../switch/server/roles/roles';
import { refusedBy } from '../support/refused';

const TYPE_URL = 'type.googleapis.com/stratum.P4RoleConfig';

function roleConfig(fill: (writer: BinaryWriter) => void): Any {
  const writer = new BinaryWriter();
  fill(writer);
  return new Any({ typeUrl: TYPE_URL, value: writer.getResultBuffer() });
}

const owning = (...ids: number[]): Any => roleConfig((writer) => writer.writePackedUint32(1, ids));

class Listener implements Controller {
  readonly heard: string[] = [];
  hasRoomForPacketIn = true;
  send(response: p4.StreamMessageResponse): void {
    this.heard.push(response.update ?? '');
  }
  end(): void {
    this.heard.push('end');
  }
}

describe('role configurations', () => {
  test('say what a role may write, receive and push', () => {
    const scope = decodeRoleConfig(
      roleConfig((writer) => {
        writer.writePackedUint32(1, [10, 11]);
        writer.writeUint32(2, 12);
        writer.writeMessage(3, {}, (_: object, filter: BinaryWriter) => {
          filter.writeUint32(1, 5);
          filter.writeBytes(2, Uint8Array.of(9));
        });
        writer.writeBool(4, true);
        writer.writeBool(5, true);
        writer.writeString(99, 'of a later version');
      }),
    );
    expect([10, 11, 12, 13, undefined].map((id) => inScope(scope, id))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(scope.packetInFilter).toEqual({ metadataId: 5, value: Uint8Array.of(9) });
    expect([scope.receivesPacketIns, scope.canPushPipeline]).toEqual([true, true]);
  });

  test('are unlimited when unset', () => {
    expect(inScope(undefined, 4711)).toBe(true);
    expect(inScope(undefined, undefined)).toBe(true);
  });

  test('of another scheme or of unreadable bytes are refused', () => {
    const other = new Any({ typeUrl: 'type.googleapis.com/other', value: new Uint8Array(0) });
    expect(refusedBy(() => decodeRoleConfig(other))).toBe('INVALID_ARGUMENT');
    const broken = new Any({ typeUrl: TYPE_URL, value: Uint8Array.of(0x0a, 0xff) });
    expect(refusedBy(() => decodeRoleConfig(broken))).toBe('INVALID_ARGUMENT');
  });

  test('name the object of P4Info that an entity belongs to', () => {
    const tableEntry = new p4.TableEntry({ tableId: 3 });
    const entities = [
      new p4.Entity({ tableEntry }),
      new p4.Entity({ directCounterEntry: new p4.DirectCounterEntry({ tableEntry }) }),
      new p4.Entity({ directMeterEntry: new p4.DirectMeterEntry({ tableEntry }) }),
      new p4.Entity({ counterEntry: new p4.CounterEntry({ counterId: 4 }) }),
      new p4.Entity({ meterEntry: new p4.MeterEntry({ meterId: 5 }) }),
      new p4.Entity({ registerEntry: new p4.RegisterEntry({ registerId: 6 }) }),
      new p4.Entity({ digestEntry: new p4.DigestEntry({ digestId: 7 }) }),
      new p4.Entity({ valueSetEntry: new p4.ValueSetEntry({ valueSetId: 8 }) }),
      new p4.Entity({ actionProfileMember: new p4.ActionProfileMember({ actionProfileId: 9 }) }),
      new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({ actionProfileId: 9 }) }),
      new p4.Entity({ packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry({}) }),
    ];
    expect(entities.map(idOfEntity)).toEqual([3, 3, 3, 4, 5, 6, 7, 8, 9, 9, undefined]);
  });
});

describe('the roles of a device', () => {
  test('have elections of their own, and are known once a controller has named them', () => {
    const roles = new Roles(1n, 'specification');
    expect(refusedBy(() => roles.find('part'))).toBe('NOT_FOUND');
    roles.bid(new Listener(), 'part', { electionId: 5n, config: undefined });
    expect(roles.requirePrimary('part', 5n).name).toBe('part');
    expect(refusedBy(() => roles.requirePrimary('', 5n))).toBe('PERMISSION_DENIED');
  });

  test('keep the configuration of the primary, not of a backup', () => {
    const roles = new Roles(1n, 'specification');
    roles.bid(new Listener(), 'part', { electionId: 5n, config: owning(1) });
    roles.bid(new Listener(), 'part', { electionId: 4n, config: owning(2) });
    expect(inScope(roles.of('part').scope, 1)).toBe(true);
    expect(inScope(roles.of('part').scope, 2)).toBe(false);
  });

  test('cannot own the same object, unless the other role has gone', () => {
    const roles = new Roles(1n, 'specification');
    const first = new Listener();
    roles.bid(first, 'a', { electionId: 1n, config: owning(1, 2) });
    const second = (): unknown =>
      roles.bid(new Listener(), 'b', { electionId: 1n, config: owning(2) });
    expect(refusedBy(second)).toBe('INVALID_ARGUMENT');
    const sharing = roleConfig((writer) => writer.writePackedUint32(2, [2]));
    expect(
      refusedBy(() => roles.bid(new Listener(), 'b', { electionId: 1n, config: sharing })),
    ).toBe('INVALID_ARGUMENT');
    roles.of('a').election.leave(first);
    expect(refusedBy(second)).toBe('OK');
  });

  test('a primary may change what its own role owns', () => {
    const roles = new Roles(1n, 'specification');
    const primary = new Listener();
    roles.bid(primary, 'a', { electionId: 1n, config: owning(1, 2) });
    roles.bid(primary, 'a', { electionId: 1n, config: owning(2, 3) });
    expect([1, 2, 3].map((id) => inScope(roles.of('a').scope, id))).toEqual([false, true, true]);
  });

  test('row 13: a packet-in is lost before it is made when no primary has room, and is counted', () => {
    const limits = new Limits();
    const roles = new Roles(1n, 'specification', limits);
    const lost = (): number => limits.counts()['packet-in-queue'] ?? 0;
    const wanting = (filter?: number): Any =>
      roleConfig((writer) => {
        writer.writePackedUint32(1, [filter ?? 0]);
        if (filter !== undefined) {
          writer.writeMessage(3, {}, (_: object, each: BinaryWriter) =>
            each.writeUint32(1, filter),
          );
        }
        writer.writeBool(4, true);
      });
    const [one, two, three] = [new Listener(), new Listener(), new Listener()];
    expect([roles.losesPacketIn(), lost()]).toEqual([true, 0]);
    roles.bid(one, '', { electionId: 1n, config: undefined });
    expect([roles.losesPacketIn(), lost()]).toEqual([false, 0]);
    one.hasRoomForPacketIn = false;
    expect([roles.losesPacketIn(), lost()]).toEqual([true, 1]);
    roles.bid(two, 'deaf', { electionId: 1n, config: owning(7) });
    expect([roles.losesPacketIn(), lost()]).toEqual([true, 2]);
    roles.bid(two, 'a', { electionId: 1n, config: wanting() });
    expect([roles.losesPacketIn(), lost()]).toEqual([false, 2]);
    two.hasRoomForPacketIn = false;
    expect([roles.losesPacketIn(), lost()]).toEqual([true, 4]);
    // Only the packet shows which packets it wants.
    three.hasRoomForPacketIn = false;
    roles.bid(three, 'b', { electionId: 1n, config: wanting(5) });
    expect([roles.losesPacketIn(), lost()]).toEqual([false, 4]);
  });

  test('the role without a name covers everything, so it takes no configuration', () => {
    const roles = new Roles(1n, 'specification');
    const bid = (): unknown => roles.bid(new Listener(), '', { electionId: 1n, config: owning(1) });
    expect(refusedBy(bid)).toBe('INVALID_ARGUMENT');
  });

  test('messages go to the primaries that want them', () => {
    const roles = new Roles(1n, 'specification');
    const [whole, part, backup] = [new Listener(), new Listener(), new Listener()];
    roles.bid(whole, '', { electionId: 2n, config: undefined });
    roles.bid(backup, '', { electionId: 1n, config: undefined });
    roles.bid(part, 'part', { electionId: 1n, config: owning(1) });
    const message = new p4.StreamMessageResponse({ packet: new p4.PacketIn({}) });
    roles.sendToPrimaries(message, (scope) => inScope(scope, 1));
    roles.sendToPrimaries(message, (scope) => inScope(scope, 2));
    expect([whole, part, backup].map((each) => each.heard.length)).toEqual([2, 1, 0]);
  });

  test('are one under the rule of bmv2, where the next highest follows by itself', () => {
    const roles = new Roles(1n, 'bmv2');
    expect(roles.requirePrimary('any', undefined).name).toBe('');
    expect(refusedBy(() => roles.requirePrimary('any', 1n))).toBe('PERMISSION_DENIED');
    const [first, second] = [new Listener(), new Listener()];
    roles.bid(first, roles.nameOf('x'), { electionId: 9n, config: owning(1) });
    const [told] = roles.bid(second, roles.nameOf('y'), { electionId: 3n, config: undefined });
    expect(told && codeName(told.code)).toBe('ALREADY_EXISTS');
    const notices = roles.of('').election.leave(first);
    expect(notices.map(({ highest, code }) => [highest, codeName(code)])).toEqual([[3n, 'OK']]);
    expect(roles.requirePrimary('z', 3n).scope).toBeUndefined();
    expect(refusedBy(() => roles.requirePrimary('z', undefined))).toBe('PERMISSION_DENIED');
  });
});
