import * as surface from '../../../../controller/p4runtime';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../../support/p4runtime/externs-program';
import { ServedV1Model } from '../../../support/p4runtime/served-v1model';

const {
  ClientKeeper,
  describeEntity,
  InputError,
  NotPrimaryError,
  P4RuntimeClient,
  parseP4Info,
  SwitchUnreachableError,
  WriteFailedError,
} = surface;

const PIPELINE: surface.Pipeline = {
  p4info: parseP4Info(Buffer.from(EXTERNS_P4INFO), 'text'),
  deviceConfig: Uint8Array.from(Buffer.from(EXTERNS_PROGRAM)),
};

const frame = (destination: number, source: number): Uint8Array =>
  Uint8Array.from([0, 0, 0, 0, 0, destination, 0, 0, 0, 0, 0, source, 8, 0, 1, 2, 3, 4]);

const known = (source: surface.Value): surface.TableEntry => ({
  kind: 'table-entry',
  table: 'smac',
  match: { src_addr: source },
  priority: 0,
  action: { kind: 'action', action: { name: 'known', arguments: {} } },
});

/** Generous: a loaded machine is slow. */
describe('the client library, by its public surface alone', () => {
  let device: ServedV1Model;
  let server: P4RuntimeServer;
  let client: surface.P4RuntimeClient;

  const options = (electionId = 1n): surface.ClientOptions => ({
    name: 's1',
    address: `127.0.0.1:${server.port}`,
    deviceId: 1n,
    electionId,
    deadline: 20_000,
  });

  beforeEach(async () => {
    device = new ServedV1Model();
    const devices = new Map([[1, device]]);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    client = await P4RuntimeClient.connect(options());
    await client.becomePrimary();
    await client.ensurePipeline(PIPELINE);
  });

  afterEach(async () => {
    client.close();
    await server.stop();
  });

  test('entities are written and read by name, with values as text or numbers', async () => {
    await client.writeAll('insert', [known('00:00:00:00:00:01'), known(2)]);
    await client.writeAll('delete', [known(1n)]);
    const held = await client.readAll({ kind: 'table-entries', table: 'smac' });
    expect(held.map(describeEntity)).toEqual([
      'ingress.smac (hdr.ethernet.src_addr = 00:00:00:00:00:02): ingress.known()',
    ]);
  });

  test('refused updates are values or one error, and what does not fit is never sent', async () => {
    await client.writeAll('insert', [known(1)]);
    const { outcomes } = await client.write([{ type: 'insert', entity: known(1) }]);
    expect(outcomes).toMatchObject([{ kind: 'failed', codeName: 'ALREADY_EXISTS' }]);
    await expect(client.writeAll('insert', [known(1)])).rejects.toThrow(WriteFailedError);
    const stranger = { ...known(1), table: 'nosuch' };
    await expect(client.writeAll('insert', [stranger])).rejects.toThrow(InputError);
  });

  test('a refused read tells what was refused, and why', async () => {
    await expect(client.readAll({ kind: 'direct-meters', table: 'smac' })).rejects.toThrow(
      /: read: UNKNOWN: read: 1 of 1 refused: table 'ingress\.smac' has no direct /,
    );
  });

  test('the second of two controllers is told that it is not primary', async () => {
    const other = await P4RuntimeClient.connect({ ...options(0x1_0000_0000_0000_0000n) });
    await other.becomePrimary();
    await expect(client.becomePrimary()).rejects.toThrow(NotPrimaryError);
    expect(client.standing).toEqual({ kind: 'backup', highest: 0x1_0000_0000_0000_0000n });
    other.close();
  });

  test('becomes primary where a controller with a higher election id has gone', async () => {
    const other = await P4RuntimeClient.connect(options(7n));
    await other.becomePrimary();
    other.close();
    // The switch may take a moment to notice.
    for await (const { kind, ...event } of client.events({ kinds: ['arbitration'] })) {
      if (kind === 'arbitration' && 'standing' in event && event.standing.kind === 'no-primary') {
        break;
      }
    }
    await client.becomePrimary();
    expect([client.standing, client.electionId]).toEqual([{ kind: 'primary' }, 8n]);
  });

  test('packets go out, packets and digests come in', async () => {
    const toCpu: surface.TableEntry = {
      kind: 'table-entry',
      table: 'dmac',
      match: { dst_addr: '00:00:00:00:00:09&&&00:00:00:00:00:ff' },
      priority: 1,
      action: { kind: 'action', action: { name: 'to_cpu', arguments: {} } },
    };
    await client.writeAll('insert', [toCpu, { kind: 'digest', digest: 'learnt_t' }]);
    const kinds = new Set<string>();
    const events = client.events({ kinds: ['packet-in', 'digest'] });
    device.arrive(3, frame(9, 1));
    for await (const event of events) {
      kinds.add(event.kind);
      if (event.kind === 'packet-in') expect(event.metadata).toEqual({ ingress_port: '3' });
      if (event.kind === 'digest') expect(event.samples).toMatchObject([{ port: '3' }]);
      if (kinds.size === 2) break;
    }
    await client.packetOut({ payload: frame(8, 2), metadata: { egress_port: 2 } });
    await client.readAll({ kind: 'digests' });
    expect(device.sent.map(({ port }) => port)).toEqual([2]);
  });

  test('a keeper gives its handler a client that is primary and has the pipeline', async () => {
    client.close();
    const given = await new Promise<surface.P4RuntimeClient>((resolve) => {
      const keeper = new ClientKeeper({
        ...options(),
        pipeline: PIPELINE,
        backOff: { first: 5, factor: 2, max: 50 },
        ready: async (kept) => {
          await kept.writeAll('insert', [known(5)]);
          resolve(kept);
          void keeper.stop();
        },
      });
    });
    expect(given.place).toContain('switch s1 at 127.0.0.1:');
  });

  test('nobody at an address is an error that says so', async () => {
    const nowhere = { ...options(), address: '127.0.0.1:1', deadline: 300 };
    await expect(P4RuntimeClient.connect(nowhere)).rejects.toThrow(SwitchUnreachableError);
  });
});
