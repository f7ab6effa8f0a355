import * as dgram from 'node:dgram';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as http from 'node:http';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { Registry } from 'prom-client';
import { freePort } from '../../common/io/net/free-port';
import { serveMetrics } from '../../common/io/metrics-server';
import { serveSite } from '../../common/io/site-server';
import { craftFrame } from '../../common/telemetry/craft/kinds';
import { finishedRun } from '../../emulator/view/server/finished-run';
import { serveView } from '../../emulator/view/server/view-server';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { startDataplaneServer } from '../../switch/io/dataplane/dataplane-server';
import type { DataplaneOptions } from '../../switch/io/dataplane/dataplane-server';
import { startP4RuntimeServer } from '../../switch/server/server';
import { startThriftServer } from '../../switch/server/thrift/server';
import { DOORS, LIMITS_PAGE, limitsPage } from '../package/doors-page';
import { hpccHere } from '../support/command-line';
import { RawController } from '../support/p4runtime/raw-controller';
import { StateSwitch } from '../support/p4runtime/state-switch';
import { connectThrift } from '../support/thrift-clients';
import { fakeSwitch } from '../support/thrift-target';

/** An open door: its port, how to shut it, and a user who is in earnest. */
interface Opened {
  readonly port: number;
  readonly close: () => unknown;
  readonly use: () => Promise<unknown>;
}

function statusOf(port: number, at: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http
      .get({ port, path: at, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
}

const OPEN: Readonly<Record<keyof typeof DOORS, () => Promise<Opened>>> = {
  p4runtime: async () => {
    const devices = new Map([[1, new StateSwitch()]]);
    const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    return { port: server.port, close: () => server.stop(), use: () => bid(server.port) };
  },
  packets: async () => {
    const live = { carryBy: () => undefined } as unknown as DataplaneOptions['live'];
    const options = { address: '127.0.0.1:0', deviceId: 1, live, setPortUp: () => undefined };
    const server = await startDataplaneServer(options);
    const { port } = server;
    // Another service of gRPC than that of the controller: it says so, which is an answer.
    return {
      port,
      close: () => server.stop(),
      use: async () => expect(await bid(port)).toBe('UNIMPLEMENTED'),
    };
  },
  thrift: async () => {
    const server = await startThriftServer(fakeSwitch().target, 0);
    const { port } = server;
    return {
      port,
      close: () => server.stop(),
      use: async () => {
        const clients = connectThrift(port);
        await clients.standard.bm_register_read_all(0, 'it');
        clients.close();
      },
    };
  },
  metrics: async () => {
    const server = await serveMetrics('127.0.0.1:0', new Registry());
    const use = async (): Promise<void> =>
      expect(await statusOf(server.port, '/metrics')).toBe(200);
    return { port: server.port, close: () => server.close(), use };
  },
  view: async () => {
    const scenario = loadScenario('single-flow');
    const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
    const server = await serveView(finishedRun({ name: 'one', result }, {}), 0);
    const port = Number(new URL(server.url).port);
    const use = async (): Promise<void> => expect(await statusOf(port, '/')).toBe(200);
    return { port, close: () => server.close(), use };
  },
  site: async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
    fs.writeFileSync(path.join(folder, 'index.html'), 'home');
    const server = await serveSite(folder, 0);
    const use = async (): Promise<void> => expect(await statusOf(server.port, '/')).toBe(200);
    const close = async (): Promise<void> => {
      await server.close();
      fs.rmSync(folder, { recursive: true });
    };
    return { port: server.port, close, use };
  },
};

async function bid(port: number): Promise<string | undefined> {
  const controller = new RawController(`127.0.0.1:${port}`, 1n);
  try {
    return await Promise.race([
      controller.bidAndWait(1n),
      controller.ended().then(({ code }) => code),
    ]);
  } finally {
    controller.close();
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('attack 5: the doors of docs/limits.md', () => {
  test('are the ones that the code has; otherwise npm run api writes them again', () => {
    expect(limitsPage()).toBe(fs.readFileSync(LIMITS_PAGE, 'utf8'));
  });

  // At the same time, as they wait for silent connections to end.
  test.concurrent.each(Object.keys(DOORS) as (keyof typeof DOORS)[])(
    '%s holds no more connections than its row says, lets its users in, and ends silent ones',
    async (name) => {
      const { connections, silentSeconds } = DOORS[name];
      const { port, close, use } = await OPEN[name]();
      let open = 0;
      const sockets = await Promise.all(
        Array.from({ length: connections + 20 }, async () => {
          const socket = net.connect(port, '127.0.0.1');
          socket.on('error', () => undefined).resume();
          await once(socket, 'connect');
          open++;
          socket.once('close', () => open--);
          return socket;
        }),
      );
      while (open > connections) await wait(20);
      await use();
      expect(open).toBeLessThanOrEqual(connections);
      if (silentSeconds <= 10) while (open > 0) await wait(100);
      for (const socket of sockets) socket.destroy();
      await close();
    },
    60_000,
  );
});

const UDP_HEADERS = 42;

/** A telemetry report of a node without metadata, as the payload of a datagram. */
function reportOf(nodeId: number): Uint8Array {
  const reports = [{ trackedFlow: true, layers: ['ipv4', 'udp'] }];
  const report = { kind: 'report', nodeId, reports };
  return craftFrame(['ethernet', 'ipv4', 'udp', report]).subarray(UDP_HEADERS);
}

/** Nodes whose reports a collector takes first, of one that sends to 127.0.0.2 and one to 127.0.0.1 after it. */
async function collectedNodes(...flags: readonly string[]): Promise<readonly number[]> {
  const port = await freePort();
  const socket = dgram.createSocket('udp4');
  const sending = setInterval(() => {
    socket.send(reportOf(2), port, '127.0.0.2');
    socket.send(reportOf(1), port, '127.0.0.1');
  }, 20);
  const { stdout } = await hpccHere('int', 'collect', '--port', `${port}`, '-c', '8', ...flags);
  clearInterval(sending);
  socket.close();
  const lines = stdout.trim().split('\n');
  const nodes = lines.map((line) => (JSON.parse(line) as { nodeId: number }).nodeId);
  return [...new Set(nodes)].sort();
}

describe('telemetry reports', () => {
  test('come in at the loopback address, and at others when one says so', async () => {
    expect(await collectedNodes()).toEqual([1]);
    expect(await collectedNodes('--address', '127.0.0.2')).toEqual([2]);
    expect(await collectedNodes('--address', '0.0.0.0')).toEqual([1, 2]);
    expect(await collectedNodes('--address', '::')).toEqual([1, 2]);
  });

  test.each([
    [['--address', 'localhost'], 'must be an IPv4 or IPv6 address'],
    [['--address', '192.0.2.1'], 'cannot listen to UDP port 50003 of 192.0.2.1'],
    [['none.pcap', '--address', '::'], '--address is for reports that come by UDP'],
  ])('are refused with %s', async (flags, message) => {
    const { status, stderr } = await hpccHere('int', 'collect', ...flags);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
