import { multicastTypes, simpleSwitchTypes } from '../../../../../common/thrift/generated-code';
import { startThriftServer } from '../../../../../switch/server/thrift/server';
import { connectThrift } from '../../../../support/thrift-clients';
import { fakeSwitch } from '../../../../support/thrift-target';
import type { ThriftServer } from '../../../../../switch/server/thrift/server';
import type { ThriftClients } from '../../../../support/thrift-clients';
import type { FakeSwitch } from '../../../../support/thrift-target';

let server: ThriftServer;
let clients: ThriftClients;
let fake: FakeSwitch;

beforeEach(async () => {
  fake = fakeSwitch();
  server = await startThriftServer(fake.target, 0);
  clients = connectThrift(server.port);
});

afterEach(async () => {
  clients.close();
  await server.stop();
});

const code = (value: number): object => expect.objectContaining({ code: value }) as object;

describe('mirroring over Thrift', () => {
  const { MirroringTarget } = simpleSwitchTypes;

  test('has sessions with a port, a multicast group or both', async () => {
    const { simpleSwitch } = clients;
    await simpleSwitch.mirroring_session_add(5, new MirroringTarget({ port: 3 }));
    await simpleSwitch.mirroring_session_add(6, new MirroringTarget({ multicastGroup: 2 }));
    expect(fake.cloneSessions.session(5)).toEqual({
      replicas: [{ port: 3, instance: 0 }],
      packetLengthMax: undefined,
    });
    expect(fake.cloneSessions.session(6)).toMatchObject({ replicas: [], multicastGroup: 2 });
    const found = await simpleSwitch.mirroring_session_get(6);
    expect([found.port, found.multicastGroup]).toEqual([null, 2]);
    await simpleSwitch.mirroring_session_delete(5);
    expect(fake.cloneSessions.session(5)).toBeUndefined();
  });

  test('refuses unknown sessions', async () => {
    const unknown = code(simpleSwitchTypes.MirroringError.UNKNOWN_SESSION);
    const { simpleSwitch } = clients;
    await expect(simpleSwitch.mirroring_session_get(5)).rejects.toEqual(unknown);
    await expect(simpleSwitch.mirroring_session_delete(5)).rejects.toEqual(unknown);
    const tooFar = simpleSwitch.mirroring_session_add(0x8000, new MirroringTarget({ port: 3 }));
    await expect(tooFar).rejects.toEqual(unknown);
    expect(await simpleSwitch.mirroring_mapping_add(-1, 3)).not.toBe(0);
  });

  test('answers the older calls by number', async () => {
    const { simpleSwitch } = clients;
    expect(await simpleSwitch.mirroring_mapping_get_egress_port(5)).toBe(-1);
    expect(await simpleSwitch.mirroring_mapping_add(5, 3)).toBe(0);
    expect(await simpleSwitch.mirroring_mapping_get_egress_port(5)).toBe(3);
    expect(await simpleSwitch.mirroring_mapping_delete(5)).toBe(0);
    expect(await simpleSwitch.mirroring_mapping_delete(5)).not.toBe(0);
  });
});

describe('multicast over Thrift', () => {
  test('gives groups the ports of their nodes', async () => {
    const { multicast } = clients;
    expect(await multicast.bm_mc_mgrp_create(0, 10)).toBe(10);
    const node = await multicast.bm_mc_node_create(0, 77, '1010', '');
    await multicast.bm_mc_node_associate(0, 10, node);
    expect(fake.multicast.replicas(10)).toEqual([
      { port: 1, instance: 77 },
      { port: 3, instance: 77 },
    ]);
    await multicast.bm_mc_node_update(0, node, '100', '');
    expect(fake.multicast.replicas(10)).toEqual([{ port: 2, instance: 77 }]);
    await multicast.bm_mc_node_dissociate(0, 10, node);
    expect(fake.multicast.replicas(10)).toEqual([]);
    await multicast.bm_mc_mgrp_destroy(0, 10);
    expect([...fake.multicast.groups()]).toEqual([]);
  });

  test('tells all of it in the form that the command line prints', async () => {
    const { multicast } = clients;
    await multicast.bm_mc_mgrp_create(0, 10);
    await multicast.bm_mc_set_lag_membership(0, 2, '110');
    const node = await multicast.bm_mc_node_create(0, 77, '1010', '100');
    await multicast.bm_mc_node_associate(0, 10, node);
    expect(JSON.parse(await multicast.bm_mc_get_entries(0))).toEqual({
      mgrps: [{ id: 10, l1_handles: [node] }],
      l1_handles: [{ handle: node, rid: 77, l2_handle: node }],
      l2_handles: [{ handle: node, ports: [1, 3], lags: [2] }],
      lags: [{ id: 2, ports: [1, 2] }],
    });
  });

  test('keeps a group that is made a second time', async () => {
    const { multicast } = clients;
    await multicast.bm_mc_mgrp_create(0, 10);
    const node = await multicast.bm_mc_node_create(0, 1, '1', '');
    await multicast.bm_mc_node_associate(0, 10, node);
    await multicast.bm_mc_mgrp_create(0, 10);
    expect(fake.multicast.replicas(10)).toEqual([{ port: 0, instance: 1 }]);
  });

  test('takes a destroyed node out of its group', async () => {
    const { multicast } = clients;
    await multicast.bm_mc_mgrp_create(0, 10);
    const node = await multicast.bm_mc_node_create(0, 1, '1', '');
    await multicast.bm_mc_node_associate(0, 10, node);
    await multicast.bm_mc_node_destroy(0, node);
    expect(fake.multicast.replicas(10)).toEqual([]);
  });

  test('refuses by code what does not exist or is taken', async () => {
    const { UNKNOWN_GROUP, UNKNOWN_NODE, FAILED } = multicastTypes.MulticastError;
    const { multicast } = clients;
    await expect(multicast.bm_mc_node_destroy(0, 1)).rejects.toEqual(code(UNKNOWN_NODE));
    await expect(multicast.bm_mc_node_update(0, 1, '', '')).rejects.toEqual(code(UNKNOWN_NODE));
    await expect(multicast.bm_mc_node_create(0, 1, 'x', '')).rejects.toEqual(code(FAILED));
    const node = await multicast.bm_mc_node_create(0, 1, '1', '');
    await expect(multicast.bm_mc_node_associate(0, 1, node)).rejects.toEqual(code(UNKNOWN_GROUP));
    await multicast.bm_mc_mgrp_create(0, 1);
    await multicast.bm_mc_mgrp_create(0, 2);
    await expect(multicast.bm_mc_node_dissociate(0, 1, node)).rejects.toEqual(code(FAILED));
    await multicast.bm_mc_node_associate(0, 1, node);
    await expect(multicast.bm_mc_node_associate(0, 2, node)).rejects.toEqual(code(FAILED));
  });
});
