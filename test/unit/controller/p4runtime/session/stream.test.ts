import { isDeepStrictEqual } from 'node:util';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import type { NamedEntity } from '../../../../../controller/entities/named-entity';
import { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import type { ClientOptions } from '../../../../../controller/p4runtime/client';
import { SwitchError } from '../../../../../controller/p4runtime/session/errors';
import type { Pipeline } from '../../../../../controller/p4runtime/requests/pipeline';
import { decodeStreamMessage } from '../../../../../controller/p4runtime/session/stream-event';
import type { StreamEvent } from '../../../../../controller/p4runtime/session/stream-event';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../../../support/p4runtime/externs-program';
import { ServedV1Model } from '../../../../support/p4runtime/served-v1model';
import { ENTITIES_INDEX } from '../support/entities-p4info';

const PIPELINE: Pipeline = {
  p4info: parseP4Info(Buffer.from(EXTERNS_P4INFO), 'text'),
  deviceConfig: Uint8Array.from(Buffer.from(EXTERNS_PROGRAM)),
};
const FRAME = Uint8Array.from([0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 8, 0, 1, 2]);
const TO_CPU: NamedEntity = {
  kind: 'table-entry',
  table: 'dmac',
  match: { dst_addr: '00:00:00:00:00:09' },
  priority: 1,
  action: { kind: 'action', action: { name: 'to_cpu', arguments: {} } },
};

describe('the stream of a client', () => {
  let device: ServedV1Model;
  let server: P4RuntimeServer;
  let opened: P4RuntimeClient[];

  beforeEach(async () => {
    opened = [];
    device = new ServedV1Model();
    const options = { devices: new Map([[1, device]]), address: '127.0.0.1:0' };
    server = await startP4RuntimeServer(options);
  });

  afterEach(async () => {
    for (const client of opened) client.close();
    await server.stop();
  });

  const connect = async (options: Partial<ClientOptions> = {}): Promise<P4RuntimeClient> => {
    const client = await P4RuntimeClient.connect({
      name: 's1',
      address: `127.0.0.1:${server.port}`,
      deviceId: 1n,
      electionId: 1n,
      deadline: 20_000,
      ...options,
    });
    opened.push(client);
    return client;
  };

  const ready = async (options: Partial<ClientOptions> = {}): Promise<P4RuntimeClient> => {
    const client = await connect(options);
    await client.becomePrimary();
    await client.ensurePipeline(PIPELINE);
    return client;
  };

  const first = async (events: AsyncIterable<StreamEvent>): Promise<StreamEvent> => {
    for await (const event of events) return event;
    throw new Error('the stream has ended without an event');
  };

  test('digest lists wait for the acknowledgement where the client wants it so', async () => {
    const client = await ready({ manualDigestAck: true });
    const config = { maxTimeoutNs: 0n, maxListSize: 1, ackTimeoutNs: 3_600_000_000_000n };
    await client.writeAll('insert', [{ kind: 'digest', digest: 'learnt_t', config }]);
    const events = client.events({ kinds: ['digest'] });
    const next = async () => (await events.next()).value as StreamEvent & { kind: 'digest' };
    device.arrive(3, FRAME);
    const list = await next();
    device.arrive(3, FRAME);
    device.arrive(4, FRAME);
    expect((await next()).samples).toEqual([{ source: '00:00:00:00:00:01', port: '4' }]);
    await client.acknowledge(list);
    // The switch takes the acknowledgement some time later; then the same sample comes again.
    for (let source = 100; ; source++) {
      device.arrive(3, FRAME);
      device.arrive(1, Uint8Array.from([...FRAME.slice(0, 11), source, 8, 0, 1, 2]));
      if (isDeepStrictEqual((await next()).samples, list.samples)) break;
    }
  });

  test('an acknowledgement that nothing waits for is a stream error that names the digest', async () => {
    const client = await ready();
    const events = client.events({ kinds: ['stream-error'] });
    await client.acknowledge({ digest: 'learnt_t', listId: 2n ** 64n - 1n });
    expect(await first(events)).toMatchObject({
      kind: 'stream-error',
      digestAck: { digest: 'learnt_t', listId: 2n ** 64n - 1n },
    });
  });

  test('a packet-out of a backup comes back as a stream error with the packet', async () => {
    const primary = await ready({ electionId: 2n });
    const backup = await connect({ electionId: 1n });
    expect(await backup.bid()).toEqual({ kind: 'backup', highest: 2n });
    backup.useP4Info(PIPELINE.p4info);
    const events = backup.events({ kinds: ['stream-error'] });
    await backup.packetOut({ payload: FRAME, metadata: { egress_port: 2 } });
    expect(await first(events)).toMatchObject({
      codeName: 'PERMISSION_DENIED',
      packetOut: { payload: FRAME, metadata: { egress_port: '2' } },
    });
    await primary.packetOut({ payload: FRAME, metadata: { egress_port: 2 } });
    expect(device.sent.filter(({ port }) => port === 2).length).toBeLessThanOrEqual(1);
  });

  test('each role has a primary of its own, and writes only what it covers', async () => {
    const all = await ready();
    all.close();
    const config = { exclusive: ['ingress.smac'], shared: ['dmac'], canPushPipeline: false };
    const learner = await connect({ role: { name: 'learner', config } });
    learner.useP4Info(PIPELINE.p4info);
    await learner.becomePrimary();
    await learner.writeAll('insert', [TO_CPU]);
    await expect(
      learner.writeAll('insert', [{ kind: 'digest', digest: 'learnt_t' }]),
    ).rejects.toThrow("PERMISSION_DENIED: the role 'learner' does not cover");
    await expect(learner.pushPipeline(PIPELINE)).rejects.toThrow('PERMISSION_DENIED');
    const other = await connect({ role: { name: 'other', config: {} } });
    other.useP4Info(PIPELINE.p4info);
    await other.becomePrimary();
    expect(learner.standing).toEqual({ kind: 'primary' });
  });

  test('a role gets only the packets that its filter lets through', async () => {
    (await ready()).close();
    const only = (port: number) => ({
      shared: ['dmac'],
      packetInFilter: { field: 'ingress_port', value: port },
    });
    const client = await connect({ role: { name: 'third', config: only(3) } });
    client.useP4Info(PIPELINE.p4info);
    await client.becomePrimary();
    await client.writeAll('insert', [TO_CPU]);
    const events = client.events({ kinds: ['packet-in'] });
    device.arrive(1, FRAME);
    device.arrive(3, FRAME);
    expect(await first(events)).toMatchObject({ metadata: { ingress_port: '3' } });
  });

  test.each<[string, object, string]>([
    ['an unknown name', { exclusive: ['x'] }, "role config: P4Info has nothing called 'x'"],
    [
      'a name of two things',
      { shared: ['ingress.smac', 'smac_hits', 'learnt_t', 'rx', 'police', 'y'] },
      "role config: P4Info has nothing called 'y'",
    ],
  ])('a role with %s is refused before the bid', async (_, config, message) => {
    const client = await connect({ role: { name: 'r', config } });
    client.useP4Info(PIPELINE.p4info);
    await expect(client.bid()).rejects.toThrow(message);
    expect(client.standing).toBeUndefined();
  });

  test('names of a role need a P4Info', async () => {
    const client = await connect({ role: { name: 'r', config: { shared: ['smac'] } } });
    await expect(client.bid()).rejects.toThrow('role config: names need a P4Info');
  });

  test('the end of the stream is the last event, and nothing can be sent after it', async () => {
    const client = await ready();
    const events = client.events();
    await server.stop();
    const found: StreamEvent[] = [];
    for await (const event of events) found.push(event);
    expect(found.map(({ kind }) => kind)).toEqual(['ended']);
    const packet = { payload: FRAME, metadata: { egress_port: 1 } };
    await expect(client.packetOut(packet)).rejects.toBeInstanceOf(SwitchError);
  });

  test('nothing can be sent on the stream before the first bid', async () => {
    const client = await connect();
    client.useP4Info(PIPELINE.p4info);
    const packet = { payload: FRAME, metadata: { egress_port: 1 } };
    await expect(client.packetOut(packet)).rejects.toThrow('before the first bid');
  });

  test('after closing, every call fails with the name of the switch', async () => {
    const client = await ready();
    client.close();
    const closed = `${client.place}: `;
    await expect(client.bid()).rejects.toThrow(`${closed}the session was closed`);
    await expect(client.capabilities()).rejects.toThrow(`${closed}capabilities: the connection`);
    await expect(client.getPipeline()).rejects.toThrow(closed);
    await expect(client.setPipeline('commit')).rejects.toThrow(closed);
    await expect(client.writeAll('insert', [TO_CPU])).rejects.toThrow(closed);
    await expect(client.readAll({ kind: 'digests' })).rejects.toThrow(closed);
  });

  test('messages above the limits of a client are refused, in either direction', async () => {
    await ready();
    const small = await connect({ receiveBytesMax: 1000, keepAlive: 1000 });
    await expect(small.getPipeline()).rejects.toThrow('RESOURCE_EXHAUSTED');
    const short = await connect({ sendBytesMax: 1000 });
    await expect(short.verifyPipeline(PIPELINE)).rejects.toThrow('RESOURCE_EXHAUSTED');
  });

  test('a reconciled pipeline keeps the entries that fit it', async () => {
    const client = await ready();
    await client.writeAll('insert', [TO_CPU]);
    await client.reconcilePipeline({ ...PIPELINE, cookie: 7n });
    expect(await client.readAll({ kind: 'table-entries', table: 'dmac' })).toHaveLength(1);
    expect(await client.getPipeline('cookie')).toEqual({ cookie: 7n });
  });

  test('batches may be smaller, several at once, and of another atomicity if the switch has it', async () => {
    const client = await ready();
    const updates = Array.from({ length: 60 }, (_, i) => ({
      type: 'insert' as const,
      entity: { ...TO_CPU, match: { dst_addr: i % 50 } },
    }));
    const { failures } = await client.write(updates, { batchSize: 7, requestsMax: 3 });
    expect(failures).toHaveLength(10);
    const [some] = updates;
    if (some === undefined) throw new Error('there are updates');
    await expect(client.write([some], { atomicity: 'dataplane-atomic' })).rejects.toThrow(
      'write of updates 0 to 0: UNIMPLEMENTED: only CONTINUE_ON_ERROR',
    );
  });
});

describe('messages of the stream', () => {
  test.each<[string, p4.StreamMessageResponse, string]>([
    [
      'a packet with an unknown field',
      new p4.StreamMessageResponse({
        packet: new p4.PacketIn({ metadata: [new p4.PacketMetadata({ metadataId: 9 })] }),
      }),
      'from the switch: packet_in has no metadata field 9',
    ],
    [
      'an unknown digest',
      new p4.StreamMessageResponse({ digest: new p4.DigestList({ digestId: 1 }) }),
      'from the switch: P4Info has no digest 1',
    ],
    [
      'nothing',
      new p4.StreamMessageResponse({}),
      'from the switch: a stream message that P4Runtime 1.5 does not define',
    ],
  ])('%s is an event that says so', (_, message, reason) => {
    expect(decodeStreamMessage(ENTITIES_INDEX, message)).toEqual({ kind: 'unreadable', reason });
  });

  test('without a P4Info only arbitration can be read', () => {
    const packet = new p4.PacketIn({ payload: FRAME });
    expect(decodeStreamMessage(undefined, new p4.StreamMessageResponse({ packet }))).toEqual({
      kind: 'unreadable',
      reason: 'no P4Info yet to read a message of the stream by',
    });
  });
});
