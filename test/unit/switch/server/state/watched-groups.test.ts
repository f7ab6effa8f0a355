import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import {
  bytes,
  forward,
  groupOf,
  ID,
  insert,
  member,
  modify,
  remove,
  route,
} from '../../../../support/p4runtime/sample-updates';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

describe('members that watch ports', () => {
  let control: StateSwitch;
  let server: P4RuntimeServer;
  let controller: RawController;

  beforeEach(async () => {
    control = new StateSwitch();
    const devices = new Map([[1, control]]);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    await controller.write(1n, [insert(member(1, 1)), insert(member(2, 2))]);
  });

  afterEach(async () => {
    controller.close();
    await server.stop();
  });

  const watching = (groupId: number): p4.Entity => {
    const members = [1, 2].map((memberId) => {
      const watchPort = bytes(0, memberId);
      return new p4.ActionProfileGroupMember({ memberId, weight: memberId, watchPort });
    });
    return groupOf({ groupId, members });
  };
  const outcome = async (update: p4.Update): Promise<string> => {
    const status = await controller.write(1n, [update]);
    return status.elements?.[0]?.code ?? status.code;
  };
  /** The members that packets can go to, as `member*weight`. */
  const live = (): string[] =>
    [...(control.pipeline?.actionProfiles.get('ingress.route.ecmp')?.groups() ?? [])].flatMap(
      ({ members }) => members.map(({ memberId, weight }) => `${memberId}*${weight}`),
    );
  const readBack = async (): Promise<readonly (readonly number[])[]> => {
    const filter = new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({}) });
    const { responses } = await controller.read([filter]);
    return responses
      .flatMap(({ entities }) => entities)
      .flatMap(({ actionProfileGroup }) => actionProfileGroup.members)
      .map((each) => [each.memberId, ...each.watchPort]);
  };

  test('take packets only while their ports are up, and read back as written', async () => {
    expect(await outcome(insert(watching(1)))).toBe('OK');
    expect(live()).toEqual(['1*1', '2*2']);
    server.setPortUp(1, 2, false);
    expect(live()).toEqual(['1*1']);
    server.setPortUp(1, 1, false);
    expect(live()).toEqual([]);
    expect(await readBack()).toEqual([
      [1, 0, 1],
      [2, 0, 2],
    ]);
    server.setPortUp(1, 2, true);
    expect(live()).toEqual(['2*2']);
  });

  test('are left out when their ports are down already, and are members all the same', async () => {
    server.setPortUp(1, 1, false);
    expect(await outcome(insert(watching(1)))).toBe('OK');
    expect(live()).toEqual(['2*2']);
    expect(await outcome(modify(watching(1)))).toBe('OK');
    expect(await outcome(remove(member(1, 1)))).toBe('FAILED_PRECONDITION');
    expect(await outcome(remove(watching(1)))).toBe('OK');
    expect(await outcome(remove(member(1, 1)))).toBe('OK');
    expect(await outcome(insert(watching(2)))).toBe('NOT_FOUND');
  });

  test('are watched in one-shot sets too', async () => {
    await controller.write(1n, [remove(member(1, 1)), remove(member(2, 2))]);
    const actionProfileActions = [1, 2].map((port) => {
      return new p4.ActionProfileAction({
        action: forward(port),
        weight: port,
        watchPort: bytes(port),
      });
    });
    const shot = route(1, { member: 1 });
    const set = new p4.ActionProfileActionSet({ actionProfileActions });
    shot.tableEntry.action = new p4.TableAction({ actionProfileActionSet: set });
    expect(await outcome(insert(shot))).toBe('OK');
    server.setPortUp(1, 2, false);
    expect(live()).toHaveLength(1);
    expect(await outcome(remove(shot))).toBe('OK');
    server.setPortUp(1, 2, true);
    expect(live()).toEqual([]);
  });

  test.each([
    ['the older form', new p4.ActionProfileGroupMember(older(1)), 'UNIMPLEMENTED'],
    ['the drop port', watch(bytes(1, 255)), 'INVALID_ARGUMENT'],
  ])('are refused with %s', async (_, refused, code) => {
    expect(await outcome(insert(groupOf({ groupId: 1, members: [refused] })))).toBe(code);
  });

  test('have no more weight than the data plane keeps', async () => {
    const heavy = new p4.ActionProfileGroupMember({ memberId: 1, weight: 2 ** 31 - 1 });
    const update = insert(groupOf({ groupId: 1, members: [heavy] }));
    expect(await outcome(update)).toBe('RESOURCE_EXHAUSTED');
    expect(update.entity.actionProfileGroup.actionProfileId).toBe(ID.ecmp);
  });
});

function watch(watchPort: Uint8Array): p4.ActionProfileGroupMember {
  return new p4.ActionProfileGroupMember({ memberId: 1, weight: 1, watchPort });
}

function older(port: number): { memberId: number; weight: number; watch: number } {
  return { memberId: 1, weight: 1, watch: port };
}
