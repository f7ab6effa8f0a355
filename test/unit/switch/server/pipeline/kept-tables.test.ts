import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../../../support/p4runtime/externs-program';
import * as ext from '../../../../support/p4runtime/externs-updates';
import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import { fullState } from '../../../../support/p4runtime/full-state';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { renumberedActions } from '../../../../support/p4runtime/renumbered-actions';
import {
  action,
  bytes,
  entry,
  insert,
  modify,
  remove,
} from '../../../../support/p4runtime/sample-updates';
import { ServedV1Model } from '../../../../support/p4runtime/served-v1model';

const { RECONCILE_AND_COMMIT, VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
/** Its destination is 2; the program sends it by table dmac. */
const FRAME = Uint8Array.from([0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0x08, 0x00]);

describe('a program that declares the tables alike', () => {
  let device: ServedV1Model;
  let server: P4RuntimeServer;
  let controller: RawController;

  beforeEach(async () => {
    device = new ServedV1Model();
    server = await startP4RuntimeServer({
      devices: new Map([[1, device]]),
      address: '127.0.0.1:0',
    });
    controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, ext.externsConfig());
    expect(await controller.write(1n, state())).toEqual({ code: 'OK', message: '' });
  });

  afterEach(async () => {
    controller.close();
    await server.stop();
  });

  const state = (): p4.Update[] => [
    modify(ext.trusted([8, 0])),
    insert(ext.digest({ maxListSize: 7 })),
    modify(ext.register({ index: ext.index(1), data: ext.bitstring(5) })),
    insert(ext.smac(1, { idleTimeoutNs: '5', metadata: bytes(1) })),
    insert(ext.dmac(2, action(ext.EXT.forward, bytes(1)), {})),
    modify(
      entry({
        tableId: ext.EXT.dmac,
        isDefaultAction: true,
        metadata: bytes(9),
        action: new p4.TableAction({ action: action(ext.EXT.forward, bytes(3)) }),
      }),
    ),
    insert(ext.multicast({ multicastGroupId: 1, replicas: [ext.replica(1, 1)] })),
    insert(ext.clone({ sessionId: 2, replicas: [ext.replica(2, 1)] })),
  ];
  const reconcile = async (json: string): Promise<string> => {
    const { code } = await controller.setPipeline(
      1n,
      RECONCILE_AND_COMMIT,
      ext.externsConfig(json),
    );
    return code;
  };

  test('takes them over as they are, with all that packets have counted', async () => {
    device.arrive(0, FRAME);
    const before = await fullState(controller);
    const table = device.pipeline?.tables.get('ingress.dmac');
    expect(await reconcile(renumberedActions(EXTERNS_PROGRAM))).toBe('OK');
    expect(device.pipeline?.tables.get('ingress.dmac')).toBe(table);
    expect(table).toBeDefined();
    expect(await fullState(controller)).toEqual(before);
    expect([...device.multicast.groups()]).toHaveLength(1);
    expect(device.cloneSessions.session(2)).toBeDefined();
  });

  test('runs their entries and default actions by its own actions', async () => {
    device.arrive(0, FRAME);
    const other = FRAME.slice();
    other[5] = 77;
    device.arrive(0, other);
    const before = device.sent.splice(0);
    expect(before.map(({ port }) => port)).toEqual([1, 3]);
    await reconcile(renumberedActions(EXTERNS_PROGRAM));
    device.arrive(0, FRAME);
    device.arrive(0, other);
    expect(device.sent).toEqual(before);
  });

  test('takes writes to them as before', async () => {
    await reconcile(renumberedActions(EXTERNS_PROGRAM));
    const forward = action(ext.EXT.forward, bytes(4));
    expect(await controller.write(1n, [modify(ext.dmac(2, forward, {}))])).toMatchObject({
      code: 'OK',
    });
    device.arrive(0, FRAME);
    expect(device.sent.at(-1)?.port).toBe(4);
    const updates = [remove(ext.dmac(2, forward, {})), insert(ext.dmac(5, forward, {}))];
    expect(await controller.write(1n, updates)).toMatchObject({ code: 'OK' });
  });

  test('with another size of a table the state is made again', async () => {
    const before = await fullState(controller);
    const table = device.pipeline?.tables.get('ingress.dmac');
    const config = ext.externsConfig(
      EXTERNS_PROGRAM.replaceAll('"max_size":64', '"max_size":1024'),
    );
    const p4info = EXTERNS_P4INFO.replaceAll('size: 64', 'size: 1024');
    config.p4info = parseP4Info(Buffer.from(p4info), 'text');
    const { code, message } = await controller.setPipeline(1n, RECONCILE_AND_COMMIT, config);
    expect([code, message]).toEqual(['OK', '']);
    expect(device.pipeline?.tables.get('ingress.dmac')).not.toBe(table);
    expect(device.pipeline?.tables.get('ingress.dmac')?.size).toBe(1024);
    expect(await fullState(controller)).toEqual(before);
  });
});
