import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { credentials } from '@grpc/grpc-js';
import type { ChannelCredentials } from '@grpc/grpc-js';
import { p4ArtifactFolder } from '../../../../common/io/p4-profiles';
import { codeName } from '../../../../common/p4runtime/rpc-code';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { Bmv2Dataplane } from '../../../support/bmv2-dataplane';
import { hasOpenssl, makeCertificate } from '../../../support/certificates';
import { toHex } from '../../../support/hex';
import { startLive } from '../../../support/live-network';
import { PROGRAM } from '../../../support/own-command';
import { CPU_PORT } from '../../../support/p4runtime/externs-program';
import { dmac, EXT, externsConfig } from '../../../support/p4runtime/externs-updates';
import { RawController } from '../../../support/p4runtime/raw-controller';
import { action, insert } from '../../../support/p4runtime/sample-updates';
import { ROOT } from '../../../support/paths';
import { describeIf } from '../../../support/requires';
import { connectThrift } from '../../../support/thrift-clients';
import type { LiveProcess } from '../../../support/live-network';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const PATIENCE_MS = 20_000;
const CLIENT_PACKETS = ['--dp-grpc-server-addr', '127.0.0.1:0'];
const WITH_CPU_PORT = ['--device-id', '1', '--cpu-port', String(CPU_PORT), ...CLIENT_PACKETS];

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-run-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

async function dataplanePort(device: LiveProcess): Promise<number> {
  const [, port] = await device.logged(/Packets come over gRPC on port (\d+)/);
  return Number(port);
}

/** The primary of the switch, which runs the externs program and sends frames to :09 to it. */
async function controllerOf({ grpcAddress }: LiveProcess): Promise<RawController> {
  const controller = new RawController(grpcAddress, 1n);
  await controller.bidAndWait(1n);
  await controller.setPipeline(1n, VERIFY_AND_COMMIT, externsConfig());
  const { code } = await controller.write(1n, [insert(dmac(9, action(EXT.toCpu)))]);
  expect(code).toBe('OK');
  return controller;
}

/** A frame to 00:00:00:00:00:09. */
function frame(): Uint8Array {
  const bytes = new Uint8Array(60);
  bytes.set([0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 1, 0x12, 0x34, 0xab]);
  return bytes;
}

test('hpcc switch says when it is ready, and on what', async () => {
  const program = path.join(p4ArtifactFolder(), 'hpcc.json');
  const addresses = ['--', '--grpc-server-addr', '127.0.0.1:0'];
  const argv = ['switch', '--thrift-port', '0', ...CLIENT_PACKETS, program, ...addresses];
  const child = spawn(process.execPath, [PROGRAM, ...argv]);
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  child.kill();
  await once(child, 'exit');
  expect(line).toMatch(
    /^hpcc switch: ready: P4Runtime on port \d+, Thrift on port \d+, packets over gRPC on port \d+; 0 interfaces; runs .*hpcc\.json\n$/,
  );
});

function packetOut(port: number): p4.StreamMessageRequest {
  const metadata = [new p4.PacketMetadata({ metadataId: 1, value: Uint8Array.of(port) })];
  const packet = new p4.PacketOut({ payload: frame(), metadata });
  return new p4.StreamMessageRequest({ packet });
}

describe('packets to and from the controller', () => {
  let device: LiveProcess;
  let controller: RawController;
  let dataplane: Bmv2Dataplane;

  beforeEach(async () => {
    device = await startLive(['--no-p4', ...WITH_CPU_PORT]);
    controller = await controllerOf(device);
    dataplane = new Bmv2Dataplane(`127.0.0.1:${await dataplanePort(device)}`, 1);
  });

  afterEach(async () => {
    controller.close();
    dataplane.close();
    await device.stop();
  });

  test('go in with the port that they came from, and out to the port that it names', async () => {
    dataplane.send({ port: 3, bytes: frame() });
    const { packet } = await controller.next();
    const metadata = packet.metadata.map(({ metadataId, value }) => [metadataId, ...value]);
    // The second field is padding.
    expect(metadata).toEqual([
      [1, 3],
      [2, 0],
    ]);
    expect(toHex(packet.payload)).toBe(toHex(frame()));
    controller.send(packetOut(4));
    const sent = await dataplane.receive(PATIENCE_MS);
    expect([sent?.port, toHex(sent?.bytes ?? new Uint8Array())]).toEqual([4, toHex(frame())]);
    controller.send(packetOut(5));
    expect((await dataplane.receive(PATIENCE_MS))?.port).toBe(5);
    const { code, lastLine } = await device.stop();
    expect([code, lastLine]).toEqual([0, '{"received":1,"sent":2,"dropped":{}}']);
  });
});

describeIf(hasOpenssl(), 'P4Runtime over TLS', 'openssl is not on PATH', () => {
  /** End of a call of the live process. */
  function call({ grpcAddress }: LiveProcess, client: ChannelCredentials): Promise<string> {
    const address = grpcAddress.replace('127.0.0.1', 'localhost');
    const stub = new P4RuntimeClient(address, client);
    return new Promise((resolve) => {
      stub.Capabilities(new p4.CapabilitiesRequest({}), (error, response) => {
        resolve(error === null ? (response?.p4runtimeApiVersion ?? '') : codeName(error.code));
        stub.close();
      });
    });
  }

  test('answers those who trust the server, and nobody in the clear', async () => {
    const server = makeCertificate(folder, 'server');
    const device = await startLive([
      '--no-p4',
      '--grpc-server-ssl',
      '--grpc-server-cert',
      server.certificate,
      '--grpc-server-key',
      server.key,
    ]);
    const authority = fs.readFileSync(server.certificate);
    expect(await call(device, credentials.createSsl(authority))).toBe('1.5.0');
    expect(await call(device, credentials.createInsecure())).toBe('UNAVAILABLE');
    expect((await device.stop()).code).toBe(0);
  });

  test('answers only clients with the right certificate where it wants one', async () => {
    const [server, client, stranger] = ['server', 'client', 'stranger'].map((name) =>
      makeCertificate(folder, name),
    );
    const device = await startLive(
      [
        '--no-p4',
        '--grpc-server-ssl',
        '--grpc-server-cert',
        server?.certificate ?? '',
        '--grpc-server-key',
        server?.key ?? '',
        '--grpc-server-with-client-auth',
        '--grpc-server-cacert',
        client?.certificate ?? '',
      ],
      { thrift: false },
    );
    const authority = fs.readFileSync(server?.certificate ?? '');
    const outcomes: string[] = [];
    for (const each of [client, stranger]) {
      const [key, certificate] = [each?.key, each?.certificate].map((file) =>
        fs.readFileSync(file ?? ''),
      );
      const shown = credentials.createSsl(authority, key ?? null, certificate ?? null);
      outcomes.push(await call(device, shown));
    }
    outcomes.push(await call(device, credentials.createSsl(authority)));
    expect(outcomes).toEqual(['1.5.0', 'UNAVAILABLE', 'UNAVAILABLE']);
    expect((await device.stop()).code).toBe(0);
  });
});

describe('a signal', () => {
  const isListening = async (port: number): Promise<boolean> => {
    const socket = net.connect(port, '127.0.0.1');
    const outcome = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return outcome;
  };

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends the process though clients are connected, with its counters and nothing left behind',
    async (signal) => {
      const env = { ...process.env, TMPDIR: folder };
      const device = await startLive(['--no-p4', ...WITH_CPU_PORT], { cwd: folder, env });
      const ports = [Number(device.grpcAddress.split(':')[1]), device.thriftPort];
      ports.push(await dataplanePort(device));
      const controller = await controllerOf(device);
      const thrift = connectThrift(device.thriftPort);
      await thrift.standard.bm_dev_mgr_show_ports();
      const dataplane = new Bmv2Dataplane(`127.0.0.1:${ports[2] ?? 0}`, 1);
      dataplane.send({ port: 3, bytes: frame() });
      await controller.next();
      expect(await Promise.all(ports.map(isListening))).toEqual([true, true, true]);
      const { code, lastLine } = await device.stop(signal);
      expect([code, lastLine]).toEqual([0, '{"received":1,"sent":0,"dropped":{}}']);
      expect(await Promise.all(ports.map(isListening))).toEqual([false, false, false]);
      expect(fs.readdirSync(folder)).toEqual([]);
      controller.close();
      thrift.close();
      dataplane.close();
    },
  );
});

describe("bmv2's names", () => {
  /** A checkout with the launchers under test, whose `hpcc` is the build that runs this test. */
  function makeCheckout(): string {
    const bin = path.join(folder, 'switch', 'bin');
    fs.mkdirSync(bin, { recursive: true });
    for (const name of ['simple_switch_grpc', 'simple_switch']) {
      fs.copyFileSync(path.join(ROOT, 'switch', 'bin', name), path.join(bin, name));
    }
    const hpcc = `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`;
    fs.writeFileSync(path.join(folder, 'hpcc'), hpcc, { mode: 0o755 });
    return bin;
  }

  test('start the switch from another directory, with a program beside it', async () => {
    const bin = makeCheckout();
    const links = path.join(folder, 'links');
    const elsewhere = path.join(folder, 'else where');
    for (const each of [links, elsewhere]) fs.mkdirSync(each);
    fs.symlinkSync(path.join(bin, 'simple_switch'), path.join(links, 'simple_switch'));
    const program = path.join(elsewhere, 'program.json');
    fs.copyFileSync(path.join(p4ArtifactFolder(), 'hpcc.json'), program);
    const places = [
      [bin, 'simple_switch_grpc'],
      [links, 'simple_switch'],
    ] as const;
    for (const [place, name] of places) {
      const env = { ...process.env, PATH: `${place}:${process.env['PATH'] ?? ''}` };
      const command = [name];
      const device = await startLive(['program.json'], { command, cwd: elsewhere, env });
      const thrift = connectThrift(device.thriftPort);
      expect(await thrift.standard.bm_get_config()).toBe(fs.readFileSync(program, 'utf8'));
      thrift.close();
      expect((await device.stop()).code).toBe(0);
    }
  });
});
