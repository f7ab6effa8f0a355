import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../../../support/p4runtime/externs-program';
import * as ext from '../../../../support/p4runtime/externs-updates';
import { fullState } from '../../../../support/p4runtime/full-state';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import {
  action,
  bytes,
  entry,
  exact,
  group,
  ID,
  insert,
  member,
  modify,
  portRecord,
  remove,
  route,
} from '../../../../support/p4runtime/sample-updates';
import { ServedStateSwitch } from '../../../../support/p4runtime/served-state-switch';

const { RECONCILE_AND_COMMIT, VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

describe('RECONCILE_AND_COMMIT', () => {
  let device: ServedStateSwitch;
  let server: P4RuntimeServer;
  let controller: RawController;

  beforeEach(async () => {
    device = new ServedStateSwitch();
    server = await startP4RuntimeServer({
      devices: new Map([[1, device]]),
      address: '127.0.0.1:0',
    });
    controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
  });

  afterEach(async () => {
    controller.close();
    await server.stop();
  });

  const push = async (config: p4.ForwardingPipelineConfig): Promise<string> => {
    return (await controller.setPipeline(1n, RECONCILE_AND_COMMIT, config)).code;
  };
  const prepare = async (
    config: p4.ForwardingPipelineConfig,
    updates: p4.Update[],
  ): Promise<readonly string[]> => {
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, config);
    expect(await controller.write(1n, updates)).toEqual({ code: 'OK', message: '' });
    return fullState(controller);
  };
  const externs = (): p4.Update[] => {
    const config = { maxListSize: 7 };
    const counted = { counterData: ext.count(5, 0), meterConfig: ext.rates(1, 2, 3, 4) };
    const learnt = { counterData: ext.count(6, 0), idleTimeoutNs: '5', metadata: bytes(1) };
    const deny = entry({
      tableId: ext.EXT.dmac,
      isDefaultAction: true,
      metadata: bytes(9),
      action: new p4.TableAction({ action: action(ext.EXT.forward, bytes(3)) }),
    });
    return [
      modify(ext.trusted([8, 0])),
      insert(ext.digest(config)),
      modify(ext.counter({ index: ext.index(3), data: ext.count(1, 64) })),
      modify(ext.meter({ index: ext.index(2), config: ext.rates(1, 1, 2, 2) })),
      modify(ext.register({ index: ext.index(1), data: ext.bitstring(5) })),
      insert(ext.smac(1, learnt)),
      insert(ext.dmac(2, action(ext.EXT.forward, bytes(1)), counted)),
      modify(deny),
      insert(ext.multicast({ multicastGroupId: 1, replicas: [ext.replica(1, 1)] })),
      insert(ext.clone({ sessionId: 2, replicas: [ext.replica(2, 1)], packetLengthBytes: 60 })),
    ];
  };

  test('before the first configuration there is nothing to keep', async () => {
    expect(await push(ext.externsConfig())).toBe('OK');
    expect((await controller.write(1n, [])).code).toBe('OK');
  });

  test('all kinds of state are kept', async () => {
    const before = await prepare(ext.externsConfig(), externs());
    const old = device.pipeline;
    expect(await push(ext.externsConfig())).toBe('OK');
    expect(device.pipeline).not.toBe(old);
    expect(await fullState(controller)).toEqual(before);
    expect([device.groups.size, device.sessions.size]).toEqual([1, 1]);
  });

  test('members, groups, the entries that use them, and default entries are kept', async () => {
    const seed = entry({
      tableId: ID.seed,
      isDefaultAction: true,
      action: new p4.TableAction({ action: action(ID.setSeed, bytes(7)) }),
    });
    const before = await prepare(sampleConfig(), [
      insert(member(1, 1)),
      insert(member(2, 2)),
      insert(group(4, 1, 2)),
      insert(route(1, { member: 1 })),
      insert(route(2, { group: 4 })),
      insert(portRecord(9, bytes(1))),
      modify(seed),
    ]);
    expect(await push(sampleConfig())).toBe('OK');
    expect(await fullState(controller)).toEqual(before);
  });

  test('one-shot groups are kept', async () => {
    const actionProfileActions = [1, 2].map((port) => {
      const forward = action(ID.forward, bytes(port), bytes(1), bytes(2));
      return new p4.ActionProfileAction({ action: forward, weight: port });
    });
    const set = new p4.ActionProfileActionSet({ actionProfileActions });
    const shot = route(1, { member: 1 });
    shot.tableEntry.action = new p4.TableAction({ actionProfileActionSet: set });
    const before = await prepare(sampleConfig(), [insert(shot)]);
    expect(await push(sampleConfig())).toBe('OK');
    expect(await fullState(controller)).toEqual(before);
  });

  test('a program without room for the state is refused, and nothing is lost', async () => {
    const before = await prepare(ext.externsConfig(), externs());
    const old = device.pipeline;
    const p4info = parseP4Info(
      Buffer.from(EXTERNS_P4INFO.replaceAll('size: 8', 'size: 2')),
      'text',
    );
    const small = ext.externsConfig(EXTERNS_PROGRAM.replaceAll('"size":8', '"size":2'));
    small.p4info = p4info;
    const status = await controller.setPipeline(1n, RECONCILE_AND_COMMIT, small);
    expect(status.code).toBe('INVALID_ARGUMENT');
    expect(status.message).toMatch(/^the state cannot be kept: counter 'ingress.rx'/);
    expect(device.pipeline).toBe(old);
    expect(await fullState(controller)).toEqual(before);
  });

  test('a program without the objects of the state is refused, and nothing is lost', async () => {
    const before = await prepare(ext.externsConfig(), externs());
    expect(await push(sampleConfig())).toBe('INVALID_ARGUMENT');
    expect(await fullState(controller)).toEqual(before);
  });

  test('initial entries that were changed or deleted stay so', async () => {
    const mark = (port: number, value: number): p4.Entity =>
      entry({
        tableId: ID.marks,
        match: [exact(1, bytes(port))],
        action: new p4.TableAction({ action: action(ID.mark, bytes(value)) }),
      });
    const updates = [modify(mark(7, 3)), remove(mark(9, 0))];
    const before = await prepare(sampleConfig(), updates);
    expect(await push(sampleConfig())).toBe('OK');
    expect(await fullState(controller)).toEqual(before);
  });
});
