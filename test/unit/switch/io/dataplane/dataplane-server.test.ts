import { once } from 'node:events';
import * as net from 'node:net';
import { credentials } from '@grpc/grpc-js';
import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import { codeName } from '../../../../../common/p4runtime/rpc-code';
import * as bm from '../../../../../common/p4runtime/generated/p4/bm/dataplane_interface';
import { DataplaneInterfaceClient } from '../../../../../common/p4runtime/generated/p4/bm/dataplane_interface-client';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { Bmv2Dataplane } from '../../../../support/bmv2-dataplane';
import { bmv2Available, startBmv2 } from '../../../../support/bmv2-process';
import { toHex } from '../../../../support/hex';
import { CPU_PORT } from '../../../../support/p4runtime/externs-program';
import {
  clone,
  dmac,
  EXT,
  externsConfig,
  multicast,
  replica,
} from '../../../../support/p4runtime/externs-updates';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { action, insert } from '../../../../support/p4runtime/sample-updates';
import { flow, spreadOverTwoPorts } from '../../../../support/p4runtime/watched-group';
import { describeIf } from '../../../../support/requires';
import { startedSwitch } from '../../../../support/started-switch';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const DEVICE = 1;
const PATIENCE_MS = 20_000;

interface Target {
  readonly p4runtime: string;
  readonly dataplane: string;
  stop(): Promise<unknown>;
}

async function startOurs(): Promise<Target> {
  const flags = ['--no-p4', '--device-id', String(DEVICE), '--dp-grpc-server-addr', '127.0.0.1:0'];
  const running = await startedSwitch([...flags, '--cpu-port', String(CPU_PORT)]);
  return {
    p4runtime: `127.0.0.1:${running.grpcPort}`,
    dataplane: `127.0.0.1:${running.dataplanePort ?? 0}`,
    stop: () => running.stop(),
  };
}

const startTheirs = (): Promise<Target> =>
  startBmv2(DEVICE, undefined, ['--cpu-port', String(CPU_PORT)]);

/** A frame to 00:00:00:00:00:<to> from :ff, with a last byte that tells frames apart. */
function frame(to: number, last = 0): Uint8Array {
  const bytes = new Uint8Array(60);
  bytes.set([0, 0, 0, 0, 0, to, 0, 0, 0, 0, 0, 0xff, 0x12, 0x34]);
  bytes[59] = last;
  return bytes;
}

/** The externs program: to :02 leaves by port 2, :03 by ports 2 and 3, :04 by 4 and by 5. */
async function configure(address: string): Promise<void> {
  const controller = new RawController(address, BigInt(DEVICE));
  await controller.bidAndWait(1n);
  const port = (number: number): Uint8Array => Uint8Array.of(number);
  await controller.setPipeline(1n, VERIFY_AND_COMMIT, externsConfig());
  const replicas = [replica(2, 1), replica(3, 1)];
  const { code, message } = await controller.write(1n, [
    insert(multicast({ multicastGroupId: 7, replicas })),
    insert(clone({ sessionId: 5, replicas: [replica(5, 1)] })),
    insert(dmac(2, action(EXT.forward, port(2)))),
    insert(dmac(3, action(EXT.flood, port(7)))),
    insert(dmac(4, action(EXT.mirror, port(4)))),
  ]);
  controller.close();
  expect([code, message]).toEqual(['OK', '']);
}

type Stream = ClientDuplexStream<bm.PacketStreamRequest, bm.PacketStreamResponse>;

/** The service, message by message. */
class RawDataplane {
  readonly #stub: DataplaneInterfaceClient;
  readonly received: bm.PacketStreamResponse[] = [];

  constructor(address: string) {
    this.#stub = new DataplaneInterfaceClient(address, credentials.createInsecure());
  }

  open(): Stream {
    const stream = this.#stub.PacketStream();
    stream.on('error', () => undefined);
    stream.on('data', (packet: bm.PacketStreamResponse) => this.received.push(packet));
    return stream;
  }

  setStatus(deviceId: number, port: number, operStatus: bm.PortOperStatus): Promise<string> {
    const fields = { deviceId: String(deviceId), port, operStatus };
    return new Promise((resolve) => {
      const done = (error: ServiceError | null): void =>
        resolve(error === null ? 'OK' : codeName(error.code));
      this.#stub.SetPortOperStatus(new bm.SetPortOperStatusRequest(fields), done);
    });
  }

  close(): void {
    this.#stub.close();
  }
}

const request = (id: string, packet: Uint8Array, device = DEVICE): bm.PacketStreamRequest =>
  new bm.PacketStreamRequest({ id, deviceId: String(device), port: 1, packet });

/** Sends packets, says that there are no more, and waits for the end of the stream. */
async function exchange(
  address: string,
  requests: readonly bm.PacketStreamRequest[],
): Promise<readonly string[]> {
  const client = new RawDataplane(address);
  const stream = client.open();
  requests.forEach((each) => stream.write(each));
  stream.end();
  await once(stream, 'end');
  client.close();
  return client.received.map(({ id, deviceId, port, packet }) =>
    [id, deviceId, port, packet[59]].join(' '),
  );
}

const UP = bm.PortOperStatus.OPER_STATUS_UP;
const DOWN = bm.PortOperStatus.OPER_STATUS_DOWN;
const UNKNOWN = bm.PortOperStatus.OPER_STATUS_UNKNOWN;

/** @param attempts how often more a change of a link is looked for. */
function suite(start: () => Promise<Target>, attempts: number): void {
  let target: Target;

  beforeAll(async () => {
    target = await start();
    await configure(target.p4runtime);
  });

  afterAll(() => target.stop());

  test('packets that enter a port leave another as the program says', async () => {
    const client = new Bmv2Dataplane(target.dataplane, DEVICE);
    client.send({ port: 1, bytes: frame(2, 7) });
    const packet = await client.receive(PATIENCE_MS);
    client.close();
    expect([packet?.port, toHex(packet?.bytes ?? frame(0))]).toEqual([2, toHex(frame(2, 7))]);
  });

  test('all that comes of a packet carries its id, and the stream ends behind it', async () => {
    const highest = '18446744073709551615';
    const requests = [request('0', frame(2, 1)), request('5', frame(3, 2))];
    requests.push(request(highest, frame(4, 3)));
    expect([...(await exchange(target.dataplane, requests))].sort()).toEqual([
      '0 1 2 1',
      `${highest} 1 4 3`,
      `${highest} 1 5 3`,
      '5 1 2 2',
      '5 1 3 2',
    ]);
  });

  test('packets for another device and empty ones are ignored', async () => {
    const requests = [request('1', frame(2, 1), 9), request('2', new Uint8Array())];
    requests.push(request('3', frame(2, 2)));
    expect(await exchange(target.dataplane, requests)).toEqual(['3 1 2 2']);
  });

  test('links go down and come up when told so, and wrong calls are refused', async () => {
    const client = new RawDataplane(target.dataplane);
    const answers = [
      await client.setStatus(DEVICE, 2, DOWN),
      await client.setStatus(DEVICE, 2, UP),
      await client.setStatus(DEVICE, 2, UNKNOWN),
      await client.setStatus(9, 2, UP),
    ];
    client.close();
    expect(answers).toEqual(['OK', 'OK', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT']);
  });

  test('a group sends nothing to a port whose link is down, and as before when it is up', async () => {
    await spreadOverTwoPorts(target.p4runtime);
    const client = new RawDataplane(target.dataplane);
    /** The ports by which flows leave, in their order. */
    const spread = async (): Promise<(string | undefined)[]> => {
      const flows = Array.from({ length: 16 }, (_, i) => request(String(i + 1), flow(i)));
      const sent = await exchange(target.dataplane, flows);
      const byId = new Map(sent.map((text) => [Number(text.split(' ')[0]), text.split(' ')[2]]));
      return flows.map((_, i) => byId.get(i + 1));
    };
    const before = await spread();
    expect([...new Set(before)].sort()).toEqual(['1', '2']);
    /** bmv2's groups hear of a link from another thread, a moment after the call has been answered. */
    const settled = async (isSo: (ports: readonly (string | undefined)[]) => boolean) => {
      let ports = await spread();
      for (let i = 0; i < attempts && !isSo(ports); i++) ports = await spread();
      return ports;
    };
    await client.setStatus(DEVICE, 1, DOWN);
    const left = await settled((ports) => !ports.includes('1'));
    expect([...new Set(left)]).toEqual(['2']);
    await client.setStatus(DEVICE, 1, UP);
    expect(await settled((ports) => ports.includes('1'))).toEqual(before);
    client.close();
  });
}

describe('packets over gRPC, of the embedded switch', () => {
  suite(startOurs, 0);

  test('serve one client at a time, and the next one when it has gone', async () => {
    const target = await startOurs();
    await configure(target.p4runtime);
    const [first, second] = [
      new RawDataplane(target.dataplane),
      new RawDataplane(target.dataplane),
    ];
    const stream = first.open();
    stream.write(request('1', frame(2, 1)));
    await once(stream, 'data');
    const refused = second.open();
    const [error] = (await once(refused, 'error')) as [ServiceError];
    expect(codeName(error.code)).toBe('RESOURCE_EXHAUSTED');
    stream.end();
    await once(stream, 'end');
    expect(await exchange(target.dataplane, [request('2', frame(2, 2))])).toEqual(['2 1 2 2']);
    [first, second].forEach((client) => client.close());
    expect(await target.stop()).toEqual({ received: 2, sent: 2, dropped: {} });
  });

  test('are lost, and counted, while nobody is there to take them', async () => {
    const target = await startOurs();
    await configure(target.p4runtime);
    const controller = new RawController(target.p4runtime, BigInt(DEVICE));
    await controller.bidAndWait(1n);
    const metadata = [new p4.PacketMetadata({ metadataId: 1, value: Uint8Array.of(2) })];
    const padding = new p4.PacketMetadata({ metadataId: 2, value: Uint8Array.of(0) });
    const packet = new p4.PacketOut({ payload: frame(2), metadata: [...metadata, padding] });
    controller.send(new p4.StreamMessageRequest({ packet }));
    await controller.settle();
    controller.close();
    const lost = { 'no-interface': 1 };
    expect(await target.stop()).toEqual({ received: 0, sent: 0, dropped: lost });
  });

  test('an address in use is an error of the input', async () => {
    const taken = net.createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as net.AddressInfo;
    const address = `127.0.0.1:${port}`;
    await expect(startedSwitch(['--no-p4', '--dp-grpc-server-addr', address])).rejects.toThrow(
      `the door for packets over gRPC cannot listen on ${address}`,
    );
    taken.close();
  });
});

describeIf(bmv2Available(), 'packets over gRPC, of bmv2', 'needs simple_switch_grpc on PATH', () =>
  suite(startTheirs, 20),
);
