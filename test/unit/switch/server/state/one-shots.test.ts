import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import {
  action,
  bytes,
  entry,
  forward,
  group,
  ID,
  insert,
  lpm,
  member,
  modify,
  remove,
  route,
} from '../../../../support/p4runtime/sample-updates';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';
import { sampleConfig } from '../../../../conformance/p4runtime-target';

describe('one-shot action sets', () => {
  let server: P4RuntimeServer;
  let controller: RawController;
  let control: StateSwitch;

  beforeEach(async () => {
    control = new StateSwitch();
    server = await startP4RuntimeServer({
      devices: new Map([[1, control]]),
      address: '127.0.0.1:0',
    });
    controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
    const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
  });

  afterEach(async () => {
    controller.close();
    await server.stop();
  });

  const outcome = async (update: p4.Update): Promise<string> => {
    const status = await controller.write(1n, [update]);
    return status.elements?.[0]?.code ?? status.code;
  };

  const set = (...weights: number[]): p4.ActionProfileActionSet =>
    new p4.ActionProfileActionSet({
      actionProfileActions: weights.map(
        (weight, i) => new p4.ActionProfileAction({ action: forward(i + 1), weight }),
      ),
    });

  const shot = (third: number, actions: p4.ActionProfileActionSet): p4.Entity =>
    entry({
      tableId: ID.route,
      match: [lpm(bytes(10, 0, third, 0), 24)],
      action: new p4.TableAction({ actionProfileActionSet: actions }),
    });

  const profile = () => control.pipeline?.actionProfiles.get('ingress.route.ecmp');
  const sizes = (): readonly [number, number] => [
    [...(profile()?.members() ?? [])].length,
    [...(profile()?.groups() ?? [])].length,
  ];

  test('a set makes a group of weighted members, and reads back as it was written', async () => {
    expect(await outcome(insert(shot(1, set(1, 3))))).toBe('OK');
    const [made] = profile()?.groups() ?? [];
    expect(made?.members.map((each) => each.weight)).toEqual([1, 3]);
    const { responses } = await controller.read([entry({ tableId: ID.route })]);
    const [found] = responses.flatMap((each) => each.entities);
    expect(found?.tableEntry.action.actionProfileActionSet.toObject()).toEqual(
      set(1, 3).toObject(),
    );
  });

  test('its members and groups are not visible', async () => {
    await outcome(insert(shot(1, set(1, 3))));
    const { responses } = await controller.read([
      new p4.Entity({ actionProfileMember: new p4.ActionProfileMember({}) }),
      new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({}) }),
    ]);
    expect(responses).toEqual([]);
  });

  test('modifying replaces the set, deleting leaves nothing behind', async () => {
    await outcome(insert(shot(1, set(1, 1))));
    await outcome(insert(shot(2, set(1))));
    expect(sizes()).toEqual([3, 2]);
    expect(await outcome(modify(shot(1, set(1, 1, 1))))).toBe('OK');
    expect(sizes()).toEqual([4, 2]);
    expect(await outcome(remove(shot(1, set())))).toBe('OK');
    expect(await outcome(remove(shot(2, set())))).toBe('OK');
    expect(sizes()).toEqual([0, 0]);
  });

  test('a refused entry leaves nothing behind', async () => {
    await outcome(insert(shot(1, set(1))));
    expect(await outcome(insert(shot(1, set(1, 1))))).toBe('ALREADY_EXISTS');
    expect(await outcome(insert(shot(2, set(1, 1, 1, 1, 1, 1, 1, 1))))).toBe('RESOURCE_EXHAUSTED');
    expect(await outcome(modify(shot(3, set(1))))).toBe('NOT_FOUND');
    expect(sizes()).toEqual([1, 1]);
  });

  test('a full table takes back the group of the entry that it refuses', async () => {
    for (let i = 0; i < 8; i++) expect(await outcome(insert(shot(i, set(1))))).toBe('OK');
    expect(await outcome(insert(shot(9, set(1))))).toBe('RESOURCE_EXHAUSTED');
    expect(sizes()).toEqual([8, 8]);
  });

  test('a profile is used in one way only', async () => {
    await outcome(insert(shot(1, set(1))));
    expect(await outcome(insert(member(1, 1)))).toBe('INVALID_ARGUMENT');
    expect(await outcome(insert(group(1)))).toBe('INVALID_ARGUMENT');
    expect(await outcome(insert(route(2, { member: 1 })))).toBe('INVALID_ARGUMENT');
    await outcome(remove(shot(1, set())));
    expect(await outcome(insert(member(1, 1)))).toBe('OK');
    expect(await outcome(insert(shot(1, set(1))))).toBe('INVALID_ARGUMENT');
  });

  test.each<[string, p4.ActionProfileActionSet, string]>([
    ['is empty', new p4.ActionProfileActionSet({}), 'INVALID_ARGUMENT'],
    [
      'has a weight of 0',
      new p4.ActionProfileActionSet({
        actionProfileActions: [new p4.ActionProfileAction({ action: forward(1) })],
      }),
      'INVALID_ARGUMENT',
    ],
    [
      'has an unknown action',
      new p4.ActionProfileActionSet({
        actionProfileActions: [new p4.ActionProfileAction({ action: action(4711), weight: 1 })],
      }),
      'INVALID_ARGUMENT',
    ],
    [
      'watches what is no port',
      new p4.ActionProfileActionSet({
        actionProfileActions: [
          new p4.ActionProfileAction({ action: forward(1), weight: 1, watchPort: bytes(1, 255) }),
        ],
      }),
      'INVALID_ARGUMENT',
    ],
    [
      'has more shares than the data plane keeps',
      new p4.ActionProfileActionSet({
        actionProfileActions: [new p4.ActionProfileAction({ action: forward(1), weight: 65_537 })],
      }),
      'RESOURCE_EXHAUSTED',
    ],
    [
      'has a group action',
      new p4.ActionProfileActionSet({
        groupAction: forward(1),
        actionProfileActions: [new p4.ActionProfileAction({ action: forward(1), weight: 1 })],
      }),
      'UNIMPLEMENTED',
    ],
    [
      'selects at random',
      new p4.ActionProfileActionSet({
        actionSelectionMode: p4.ActionProfileActionSetActionSelectionMode.RANDOM,
        actionProfileActions: [new p4.ActionProfileAction({ action: forward(1), weight: 1 })],
      }),
      'UNIMPLEMENTED',
    ],
  ])('a set that %s is refused', async (_, actions, code) => {
    expect(await outcome(insert(shot(1, actions)))).toBe(code);
    expect(sizes()).toEqual([0, 0]);
  });

  test('a profile without selector takes no sets', async () => {
    const entity = entry({
      tableId: ID.mirror,
      match: [
        new p4.FieldMatch({ fieldId: 1, exact: new p4.FieldMatchExact({ value: bytes(1) }) }),
      ],
      action: new p4.TableAction({ actionProfileActionSet: set(1) }),
    });
    expect(await outcome(insert(entity))).toBe('INVALID_ARGUMENT');
  });
});
