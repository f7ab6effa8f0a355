import { EventEmitter, once } from 'node:events';
import * as http2 from 'node:http2';
import * as zlib from 'node:zlib';
import { credentials } from '@grpc/grpc-js';
import { codeName } from '../../../../../common/p4runtime/rpc-code';
import { electionIdMessage } from '../../../../../common/p4runtime/election-id';
import { ONLY_PLACE } from '../../../../../common/io/net/network-place';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../../../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import { P4InfoIndex } from '../../../../../common/p4runtime/p4info';
import { Device } from '../../../../../switch/server/device';
import { LIMITS, Limits } from '../../../../../switch/server/limits/limits';
import { answerRead } from '../../../../../switch/server/read-stream';
import type { ReadCall } from '../../../../../switch/server/read-stream';
import { ENTITIES } from '../../../../../switch/server/requests';
import { parted } from '../../../../../switch/server/turns/repeated-field';
import type { PartedRequest } from '../../../../../switch/server/turns/repeated-field';
import { listenOverTcp } from '../../../../../switch/server/listener';
import type { Listen } from '../../../../../switch/server/listener';
import { listenInThread } from '../../../../../switch/server/thread/door-thread-client';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { SYSTEM_CLOCK } from '../../../../../switch/server/streams/clock';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from '../../../../support/p4runtime/sample-program';
import {
  ID,
  bytes,
  entry,
  insert,
  lpm,
  member,
  remove,
} from '../../../../support/p4runtime/sample-updates';
import { ServedStateSwitch } from '../../../../support/p4runtime/served-state-switch';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';

/** Entries that the route table of {@link largeConfig} holds. */
const LARGE = 1_000_000;

/** The sample program with room for many routes and members. */
function largeConfig(): p4.ForwardingPipelineConfig {
  const program = SAMPLE_PROGRAM.replace('"max_size":16', `"max_size":${LARGE}`);
  const p4info = SAMPLE_P4INFO.replace(' size: 16 ', ` size: ${LARGE} `);
  return new p4.ForwardingPipelineConfig({
    p4info: parseP4Info(Buffer.from(p4info), 'text'),
    p4DeviceConfig: Uint8Array.from(Buffer.from(program)),
  });
}

/** The number as four bytes without leading zeros. */
const canonical = (value: number): Uint8Array => {
  const all = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const first = all.findIndex((byte) => byte > 0);
  return bytes(...(first < 0 ? [0] : all.slice(first)));
};

/** A host route whose member is number 1. */
const hostRoute = (host: number): p4.Entity =>
  entry({
    tableId: ID.route,
    match: [lpm(canonical(0x0a00_0000 + host), 32)],
    action: new p4.TableAction({ actionProfileMemberId: 1 }),
  });

/** Makes the updates that insert the member and so many routes, in requests of 1,000. */
function hostRoutes(count: number): p4.Update[][] {
  const batches: p4.Update[][] = [];
  for (let first = 0; first < count; first += 1000) {
    const size = Math.min(1000, count - first);
    batches.push(Array.from({ length: size }, (_, i) => insert(hostRoute(first + i))));
  }
  return batches;
}

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const ROUTES = 4000;
const LISTENERS: Readonly<Record<string, Listen>> = {
  'in this thread': listenOverTcp,
  'in a thread of its own': listenInThread(ONLY_PLACE),
};
const ALL_ROUTES = entry({ tableId: ID.route });

describe.each(Object.entries(LISTENERS))('large requests, %s', (_, listen) => {
  const limits = new Limits(
    new Map([
      ['controllers', 3],
      ['read-stall-seconds', 1],
    ]),
  );
  let device: ServedStateSwitch;
  let server: P4RuntimeServer;
  let controller: RawController;
  let stub: P4RuntimeClient;

  beforeAll(async () => {
    device = new ServedStateSwitch();
    const devices = new Map([[1, device]]);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0', limits, listen });
    const address = `127.0.0.1:${server.port}`;
    controller = new RawController(address, 1n);
    stub = new P4RuntimeClient(address, credentials.createInsecure());
    await controller.bidAndWait(1n);
    expect(await controller.setPipeline(1n, VERIFY_AND_COMMIT, largeConfig())).toMatchObject({
      code: 'OK',
    });
    await controller.write(1n, [insert(member(1, 1))]);
    for (const batch of hostRoutes(ROUTES)) {
      expect(await controller.write(1n, batch)).toEqual({ code: 'OK', message: '' });
    }
  });

  afterAll(async () => {
    controller.close();
    stub.close();
    await server.stop();
  });

  const count = (responses: readonly p4.ReadResponse[]): number =>
    responses.reduce((sum, { entities }) => sum + entities.length, 0);

  test('a Read of 20,000 equal filters is answered once', async () => {
    const { responses, status } = await controller.read(
      new Array<p4.Entity>(20_000).fill(ALL_ROUTES),
    );
    expect(status.code).toBe('OK');
    expect(count(responses)).toBe(ROUTES);
  });

  test('row 1: a Read of 20,000 filters, each for all entries, ends when its client leaves', async () => {
    const call = stub.Read(
      new p4.ReadRequest({ deviceId: '1', entities: differentFilters(20_000) }),
    );
    const first = new Promise((resolve) => call.once('data', resolve));
    call.on('error', () => undefined);
    await first;
    call.cancel();
    // Others are served as if nothing had been.
    const { responses } = await controller.read([hostRoute(1)]);
    expect(count(responses)).toBe(1);
  });

  test('a Read whose client takes nothing is ended, and holds up no write', async () => {
    const request = new p4.ReadRequest({ deviceId: '1', entities: differentFilters(100) });
    const call = new StalledCall(parted(request.serialize(), ENTITIES));
    const control = new StateSwitch();
    control.pipeline = device.pipeline;
    const fields = { id: 1n, control, compatible: 'specification', clock: SYSTEM_CLOCK } as const;
    const served = new Device({ ...fields, limits });
    const message = largeConfig();
    served.started({ message, info: new P4InfoIndex(message.p4info) });
    const answer = answerRead(new Map([[1n, served]]), call as unknown as ReadCall);
    await served.writing.serve(() => Promise.resolve());
    await expect(answer).rejects.toThrow(
      'the client has taken nothing for 1 s (limit read-stall-seconds)',
    );
    expect(call.taken).toBe(1);
    expect(limits.counts()).toMatchObject({ 'read-stall-seconds': 1 });
  });

  test('a Read sees the entries of one moment, whatever is written while it is sent', async () => {
    const reading = controller.read([ALL_ROUTES]);
    const half = Array.from({ length: ROUTES / 2 }, (_, i) => remove(hostRoute(2 * i)));
    const [{ responses }] = await Promise.all([reading, controller.write(1n, half)]);
    expect([ROUTES, ROUTES / 2]).toContain(count(responses));
    const again = Array.from({ length: ROUTES / 2 }, (_, i) => insert(hostRoute(2 * i)));
    expect(await controller.write(1n, again)).toMatchObject({ code: 'OK' });
  });

  test('row 6: a Write with 700 refused updates names the first of them and says how many more', async () => {
    const status = await controller.write(1n, new Array<p4.Update>(700).fill(insert(hostRoute(1))));
    const named = status.elements?.length ?? 0;
    // As many as the trailers of clients with small limits take.
    expect(named).toBeGreaterThan(40);
    expect(status.message).toBe(
      `write: 700 of 700 refused; details of the first ${named}; and ${700 - named} more refused`,
    );
    expect(new Set(status.elements?.map(({ code }) => code))).toEqual(new Set(['ALREADY_EXISTS']));
  });

  test('a Write of one update that is no message refuses that one alone', async () => {
    const head = new p4.WriteRequest({
      deviceId: '1',
      electionId: electionIdMessage(1n),
    }).serialize();
    const torn = Uint8Array.from([4 * 8 + 2, 2, 0x12, 0x7f]);
    const status = await controller.writeBytes(Buffer.concat([head, torn]));
    expect(status.elements?.map(({ code }) => code)).toEqual(['INVALID_ARGUMENT']);
  });

  test('attack 4: what takes long to decode is refused before it is, whoever sends it', async () => {
    const anybody = new RawController(`127.0.0.1:${server.port}`, 1n);
    const tooLong = LIMITS['small-message-bytes'].value + 1;
    const refused = { code: 'RESOURCE_EXHAUSTED' };
    // Fields that no message has, two bytes each.
    const fields = Buffer.alloc(2 * Math.ceil(tooLong / 2), Uint8Array.of(0x78, 1));
    expect(await anybody.writeBytes(fields)).toMatchObject(refused);
    expect(await anybody.callBytes('SetForwardingPipelineConfig', fields)).toMatchObject(refused);
    expect(await anybody.callBytes('GetForwardingPipelineConfig', fields)).toMatchObject(refused);
    expect(await anybody.callBytes('Capabilities', fields)).toMatchObject(refused);
    const match = Array.from({ length: tooLong / 2 }, () => new p4.FieldMatch());
    const filter = entry({ tableId: ID.route, match });
    expect((await anybody.read([filter])).status).toMatchObject(refused);
    const metadata = Array.from({ length: tooLong / 2 }, () => new p4.PacketMetadata());
    anybody.send(new p4.StreamMessageRequest({ packet: new p4.PacketOut({ metadata }) }));
    expect(await anybody.ended()).toMatchObject(refused);
    anybody.close();
  });

  test('attack 4: a configuration is decoded when its sender may push it, and not before', async () => {
    const head = new p4.SetForwardingPipelineConfigRequest({ deviceId: '1' }).serialize();
    const torn = Buffer.concat([head, Uint8Array.of(5 * 8 + 2, 2, 0x0a, 0x7f)]);
    const method = 'SetForwardingPipelineConfig';
    const anybody = new RawController(`127.0.0.1:${server.port}`, 1n);
    expect(await anybody.callBytes(method, torn)).toMatchObject({ code: 'PERMISSION_DENIED' });
    anybody.close();
    const own = new p4.SetForwardingPipelineConfigRequest({
      deviceId: '1',
      electionId: electionIdMessage(1n),
    }).serialize();
    const pushed = Buffer.concat([own, torn.subarray(head.length)]);
    expect(await controller.callBytes(method, pushed)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test('row 9: a compressed message is refused when it takes more room than others may', async () => {
    const most = LIMITS['compressed-message-bytes'].value;
    const bomb = zlib.gzipSync(Buffer.alloc(most + 1));
    expect(bomb.length).toBeLessThan(most / 500);
    expect(await compressed(server.port, bomb)).toEqual([
      'RESOURCE_EXHAUSTED',
      `Received message that decompresses to a size larger than ${most}`,
    ]);
    const request = new p4.WriteRequest({ deviceId: '7' }).serialize();
    expect((await compressed(server.port, zlib.gzipSync(request)))[0]).toBe('NOT_FOUND');
  });

  test('row 11: a connection without a call ends after the time that it may be idle', async () => {
    const idle = new Limits(new Map([['idle-connection-seconds', 1]]));
    const devices = new Map([[1, new ServedStateSwitch()]]);
    const address = '127.0.0.1:0';
    const brief = await startP4RuntimeServer({ devices, address, limits: idle, listen });
    try {
      const session = http2.connect(`http://127.0.0.1:${brief.port}`);
      const [code] = (await once(session, 'goaway')) as [number];
      await once(session, 'close');
      expect(code).toBe(http2.constants.NGHTTP2_NO_ERROR);
    } finally {
      await brief.stop();
    }
  });

  test('row 12: backups without an election id give way to a controller that has one', async () => {
    const address = `127.0.0.1:${server.port}`;
    const idle = [1, 2].map(() => new RawController(address, 1n));
    const next = new RawController(address, 1n);
    for (const each of idle) expect(await each.bidAndWait(undefined)).toBe('ALREADY_EXISTS');
    expect(await next.bidAndWait(9n)).toBe('OK');
    expect(await idle[0]?.ended()).toEqual({
      code: 'RESOURCE_EXHAUSTED',
      message: 'a controller with an election id took the place of this one, which has none',
    });
    expect(limits.counts()).toMatchObject({ controllers: 1 });
    for (const each of [...idle, next]) each.close();
    await controller.bidAndWait(9n + 1n);
    controller.bid(9n + 1n);
  });

  test('row 13: a primary that does not read its packet-ins loses those that it has no room for', async () => {
    const reader = new P4RuntimeClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const stream = reader.StreamChannel();
    stream.on('error', () => undefined);
    const arbitration = new p4.MasterArbitrationUpdate({
      deviceId: '1',
      electionId: electionIdMessage(99n),
    });
    stream.write(new p4.StreamMessageRequest({ arbitration }));
    await new Promise((resolve) => stream.once('data', resolve));
    stream.pause();
    for (let i = 0; i < 20_000; i++) device.packetIn(...new Array<number>(200).fill(i & 255));
    const lost = limits.counts()['packet-in-queue'] ?? 0;
    expect(lost).toBeGreaterThan(20_000 - 2 * LIMITS['packet-in-queue'].value);
    const received = await drainedOf(stream, 20_000 - lost);
    expect(received).toBe(20_000 - lost);
    stream.cancel();
    reader.close();
  });
});

/** Each asks for all routes: a filter's timeout plays no part. */
const differentFilters = (count: number): p4.Entity[] =>
  Array.from({ length: count }, (_, i) => {
    return entry({ tableId: ID.route, idleTimeoutNs: String(i + 1) });
  });

/** Number of messages that a stream still gives. */
function drainedOf(
  stream: ReturnType<P4RuntimeClient['StreamChannel']>,
  wanted: number,
): Promise<number> {
  return new Promise((resolve) => {
    let received = 0;
    stream.on('data', () => {
      received += 1;
      if (received === wanted) setTimeout(() => resolve(received), 50);
    });
    stream.resume();
  });
}

/** A client of a Read that takes one message and no more. */
class StalledCall extends EventEmitter {
  readonly cancelled = false;
  taken = 0;

  constructor(readonly request: PartedRequest) {
    super();
  }

  write(): boolean {
    this.taken += 1;
    return false;
  }
}

/** Calls Write with a body that is gzip already. @returns code and message of the status. */
async function compressed(port: number, body: Buffer): Promise<readonly [string, string]> {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const call = session.request({
    ':method': 'POST',
    ':path': '/p4.v1.P4Runtime/Write',
    te: 'trailers',
    'content-type': 'application/grpc',
    'grpc-encoding': 'gzip',
  });
  const frame = Buffer.alloc(5);
  frame.writeUInt8(1, 0);
  frame.writeUInt32BE(body.length, 1);
  call.end(Buffer.concat([frame, body]));
  call.resume();
  const headers = await new Promise<http2.IncomingHttpHeaders>((resolve) => {
    call.on('response', (found) => found['grpc-status'] !== undefined && resolve(found));
    call.on('trailers', resolve);
  });
  session.close();
  const message = decodeURIComponent(String(headers['grpc-message']));
  return [codeName(Number(headers['grpc-status'])), message];
}
