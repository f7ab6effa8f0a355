import * as net from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { NamedEntity } from '../../../../controller/entities/named-entity';
import { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import {
  NotPrimaryError,
  SwitchError,
  SwitchUnreachableError,
} from '../../../../controller/p4runtime/session/errors';
import type { ReadFilter } from '../../../../controller/p4runtime/requests/read';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { sampleConfig, sampleP4Info } from '../../../conformance/p4runtime-target';
import { StateSwitch } from '../../../support/p4runtime/state-switch';

/** Long enough for a busy machine; no test waits for it to pass but those of silence. */
const DEADLINE = 20_000;

describe('the P4Runtime client', () => {
  let server: P4RuntimeServer;
  let control: StateSwitch;
  let opened: P4RuntimeClient[];

  beforeEach(async () => {
    opened = [];
    control = new StateSwitch();
    server = await startP4RuntimeServer({
      devices: new Map([[1, control]]),
      address: '127.0.0.1:0',
    });
  });

  afterEach(async () => {
    for (const client of opened) client.close();
    await server.stop();
  });

  const connect = async (electionId = 1n, deviceId = 1n): Promise<P4RuntimeClient> => {
    const address = `127.0.0.1:${server.port}`;
    const options = { name: 's1', address, deviceId, electionId, deadline: DEADLINE };
    const client = await P4RuntimeClient.connect(options);
    opened.push(client);
    return client;
  };

  const pipeline = (cookie: bigint) => ({
    p4info: sampleP4Info(),
    deviceConfig: sampleConfig().p4DeviceConfig,
    cookie,
  });

  const ready = async (): Promise<P4RuntimeClient> => {
    const client = await connect();
    await client.becomePrimary();
    await client.pushPipeline(pipeline(1n));
    return client;
  };

  const record = (port: number, capacity: number): NamedEntity => ({
    kind: 'table-entry',
    table: 'egress.port_record',
    match: { 'standard_metadata.egress_port': { exact: String(port) } },
    priority: 0,
    action: {
      kind: 'action',
      action: { name: 'egress.set_record', arguments: { capacity: `0.0.0.${capacity}` } },
    },
  });

  const readAll = async (client: P4RuntimeClient, ...filters: ReadFilter[]) => {
    const found: NamedEntity[] = [];
    for await (const entity of client.read(...filters)) found.push(entity);
    return found;
  };

  test('it learns the version and the running program with all bits of the cookie', async () => {
    const client = await connect();
    expect(await client.capabilities()).toEqual({ apiVersion: '1.5.0' });
    expect(await client.getPipeline()).toEqual({});
    await client.becomePrimary();
    await client.verifyPipeline(pipeline(7n));
    expect(control.loads).toBe(0);
    await client.pushPipeline(pipeline(2n ** 64n - 1n));
    const running = await client.getPipeline();
    expect(running.cookie).toBe(2n ** 64n - 1n);
    expect(running.p4info?.serialize()).toEqual(sampleP4Info().serialize());
    expect(running.deviceConfig?.length).toBe(sampleConfig().p4DeviceConfig.length);
  });

  test('what it writes it reads back by name', async () => {
    const client = await ready();
    const entities = [record(1, 10), record(2, 20)];
    const { failures } = await client.write(entities.map((entity) => ({ type: 'insert', entity })));
    expect(failures).toEqual([]);
    expect(await readAll(client, { kind: 'table-entries', table: 'port_record' })).toEqual(
      entities,
    );
    const defaults = await readAll(client, { kind: 'default-entries', table: 'ecmp_seed' });
    expect(defaults).toEqual([
      {
        kind: 'default-entry',
        table: 'ingress.route.ecmp_seed',
        action: { name: 'ingress.route.set_seed', arguments: { seed: '0' } },
      },
    ]);
    expect(await readAll(client, { kind: 'members' }, { kind: 'groups' })).toEqual([]);
    const all = await readAll(client, { kind: 'table-entries' }, { kind: 'default-entries' });
    expect(all).toEqual(expect.arrayContaining([...entities, ...defaults]));
  });

  test('a reader may stop early', async () => {
    const client = await ready();
    const updates = Array.from({ length: 300 }, (_, i) => record(i, 1));
    await client.write(updates.map((entity) => ({ type: 'insert', entity })));
    for await (const entity of client.read({ kind: 'table-entries', table: 'port_record' })) {
      expect(entity).toEqual(record(0, 1));
      break;
    }
    expect(await readAll(client, { kind: 'table-entries', table: 'port_record' })).toHaveLength(
      300,
    );
  });

  test('failures are values with one outcome per update, over all batches', async () => {
    const client = await ready();
    const ports = [...Array.from({ length: 250 }, (_, i) => i), 7, 111];
    const { outcomes, failures } = await client.write(
      ports.map((port) => ({ type: 'insert', entity: record(port, 1) })),
    );
    expect(outcomes).toHaveLength(252);
    expect(outcomes.slice(0, 250).every((each) => each.kind === 'done')).toBe(true);
    expect(failures).toEqual([
      {
        kind: 'failed',
        update: { type: 'insert', entity: record(7, 1) },
        codeName: 'ALREADY_EXISTS',
        reason:
          "table 'egress.port_record', entry standard_metadata.egress_port = 7 already exists",
      },
      expect.objectContaining({ update: { type: 'insert', entity: record(111, 1) } }),
    ]);
  });

  test('an update that does not fit the P4Info stops the write before anything is sent', async () => {
    const client = await ready();
    const bad: NamedEntity = { kind: 'default-entry', table: 'nowhere' };
    const write = client.write([
      { type: 'insert', entity: record(1, 1) },
      { type: 'modify', entity: bad },
    ]);
    await expect(write).rejects.toThrow("no table 'nowhere'");
    expect(await readAll(client, { kind: 'table-entries', table: 'port_record' })).toEqual([]);
  });

  test('names need a P4Info', async () => {
    const client = await connect();
    await expect(client.write([])).rejects.toThrow(
      `${client.place}: no P4Info yet: push a pipeline or name a P4Info first`,
    );
    client.useP4Info(sampleP4Info());
    await expect(client.write([])).resolves.toEqual({ outcomes: [], failures: [] });
  });

  test('the loser of an election says against which id', async () => {
    const [winner, loser] = [await connect(2n), await connect(1n)];
    await winner.becomePrimary();
    const error: unknown = await loser.becomePrimary().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NotPrimaryError);
    expect((error as Error).message).toBe(
      `switch s1 at 127.0.0.1:${server.port}: not primary: election id 1 lost against 2`,
    );
    expect(loser.standing).toEqual({ kind: 'backup', highest: 2n });
  });

  test('a primary hears that it has lost its role, and its writes are refused', async () => {
    const old = await ready();
    const lost = new Promise((resolve) => old.watch(resolve));
    const young = await connect(2n ** 100n);
    await young.becomePrimary();
    expect(await lost).toEqual({ kind: 'backup', highest: 2n ** 100n });
    const write = old.write([{ type: 'insert', entity: record(1, 1) }]);
    await expect(write).rejects.toThrow(
      'write of updates 0 to 0: PERMISSION_DENIED: device 1: not primary (election id 1)',
    );
  });

  test('the end of the stream is reported once, though gRPC tells it twice', async () => {
    const client = await ready();
    const changes: unknown[] = [];
    const ended = new Promise<void>((resolve) => {
      client.watch((change) => {
        changes.push(change);
        resolve();
      });
    });
    await server.stop();
    await ended;
    await new Promise((resolve) => setImmediate(resolve));
    expect(changes).toHaveLength(1);
    expect(changes[0]).toBeInstanceOf(SwitchError);
    expect(client.standing).toBeUndefined();
    await expect(client.becomePrimary()).rejects.toThrow('the stream has ended');
  });

  test('a refused pipeline is an error with the reason of the switch', async () => {
    const client = await connect();
    await client.becomePrimary();
    const broken = { ...pipeline(1n), deviceConfig: Uint8Array.of(0x7b) };
    await expect(client.pushPipeline(broken)).rejects.toThrow(
      /^switch s1 at .*: pipeline configuration \(verify-and-commit\): INVALID_ARGUMENT: /,
    );
    await expect(client.setPipeline('commit')).rejects.toThrow('NOT_FOUND');
  });

  test('an unknown device is told by every call', async () => {
    const client = await connect(1n, 9n);
    await expect(client.capabilities()).rejects.toThrow('no device 9; this server has: 1');
    await expect(client.becomePrimary()).rejects.toThrow('NOT_FOUND: no device 9');
    await expect(client.getPipeline()).rejects.toThrow('NOT_FOUND: no device 9');
    client.useP4Info(sampleP4Info());
    await expect(readAll(client, { kind: 'members' })).rejects.toThrow('read: NOT_FOUND');
  });
});

test('a server without the call for its version is taken for version 1.0', async () => {
  const old = new Server();
  const port = await new Promise<number>((resolve) => {
    old.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, bound) => resolve(bound));
  });
  const options = { name: 's1', address: `127.0.0.1:${port}`, deviceId: 1n, electionId: 1n };
  const client = await P4RuntimeClient.connect({ ...options, deadline: DEADLINE });
  expect(await client.capabilities()).toEqual({ apiVersion: '1.0.0' });
  client.close();
  old.forceShutdown();
});

describe('an unreachable switch', () => {
  const options = { name: 's1', deviceId: 1n, electionId: 1n, deadline: 300 };

  test('a closed port is a refused connection', async () => {
    const probe = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as net.AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const address = `127.0.0.1:${port}`;
    const error: unknown = await P4RuntimeClient.connect({ ...options, address }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(SwitchUnreachableError);
    expect((error as Error).message).toBe(
      `switch s1 at ${address}: connection refused within 0.3 s`,
    );
  });

  test('a server that says nothing gives no answer', async () => {
    const sockets: net.Socket[] = [];
    const silent = net.createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const connecting = P4RuntimeClient.connect({ ...options, address: `127.0.0.1:${port}` });
    await expect(connecting).rejects.toThrow(
      `switch s1 at 127.0.0.1:${port}: no answer within 0.3 s`,
    );
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
});
