import { InputError } from '../../../../common/errors';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { RawController } from '../../../support/p4runtime/raw-controller';
import { bytes, insert, portRecord } from '../../../support/p4runtime/sample-updates';
import { StateSwitch } from '../../../support/p4runtime/state-switch';
import { sampleConfig } from '../../../conformance/p4runtime-target';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

describe('the P4Runtime server', () => {
  const switches = [new StateSwitch(), new StateSwitch()] as const;
  const far = 2n ** 60n + 1n;
  let server: P4RuntimeServer;
  let controllers: RawController[];

  beforeEach(async () => {
    const devices = new Map<number | bigint, StateSwitch>([
      [1, switches[0]],
      [far, switches[1]],
    ]);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    controllers = [1n, far].map((id) => new RawController(`127.0.0.1:${server.port}`, id));
  });

  afterEach(async () => {
    for (const each of controllers) each.close();
    await server.stop();
  });

  test('devices have programs, state and elections of their own, with 64-bit ids', async () => {
    for (const each of controllers) {
      expect(await each.bidAndWait(1n)).toBe('OK');
      expect((await each.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig())).code).toBe('OK');
    }
    expect((await controllers[1]?.write(1n, [insert(portRecord(1, bytes(1)))]))?.code).toBe('OK');
    const counts = switches.map(({ pipeline }) => {
      return [...(pipeline?.tables.get('egress.port_record')?.entries() ?? [])].length;
    });
    expect(counts).toEqual([0, 1]);
  });

  test('errors name table, key and reason with the names of P4Info', async () => {
    const [controller] = controllers;
    await controller?.bidAndWait(1n);
    await controller?.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    const twice = insert(portRecord(7, bytes(1)));
    const wide = insert(portRecord(1, bytes(1, 0, 0, 0, 0)));
    const status = await controller?.write(1n, [twice, twice, wide]);
    expect(status?.message).toBe('write: 2 of 3 refused');
    expect(status?.elements?.map((each) => each.message)).toEqual([
      '',
      "table 'egress.port_record', entry standard_metadata.egress_port = 7 already exists",
      "table 'egress.port_record', action 'egress.set_record', parameter 'capacity': 0x100000000 does not fit in 32 bits",
    ]);
  });

  test('stopping ends the streams', async () => {
    const [controller] = controllers;
    await controller?.bidAndWait(1n);
    await server.stop();
    expect((await controller?.ended())?.code).not.toBe('OK');
  });

  test('a port in use is an error of the input', async () => {
    const address = `127.0.0.1:${server.port}`;
    const again = startP4RuntimeServer({ devices: new Map(), address });
    await expect(again).rejects.toThrow(InputError);
    await expect(again).rejects.toThrow(`P4Runtime cannot listen on ${address}`);
  });

  test('device 0 is a defect of the caller, because 0 means unset', async () => {
    const devices = new Map([[0, switches[0]]]);
    await expect(startP4RuntimeServer({ devices, address: '127.0.0.1:0' })).rejects.toThrow(
      'Internal error',
    );
  });
});
