import { once } from 'node:events';
import * as fs from 'node:fs';
import * as http2 from 'node:http2';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import { ONLY_PLACE } from '../../../../common/io/net/network-place';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { LimitName } from '../../../../switch/server/limits/limits';
import { Limits } from '../../../../switch/server/limits/limits';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { listenOverTcp } from '../../../../switch/server/listener';
import type { Listen } from '../../../../switch/server/listener';
import { listenInThread } from '../../../../switch/server/thread/door-thread-client';
import { startThriftServer } from '../../../../switch/server/thrift/server';
import { Turns } from '../../../../switch/server/turns/turns';
import { sampleConfig } from '../../../conformance/p4runtime-target';
import { RawController } from '../../../support/p4runtime/raw-controller';
import { StateSwitch } from '../../../support/p4runtime/state-switch';
import { fakeSwitch } from '../../../support/thrift-target';

/** A connection that says nothing, and when it ends. */
async function silent(
  at: number | string,
): Promise<{ socket: net.Socket; ended: Promise<unknown> }> {
  const socket = typeof at === 'string' ? net.connect(at) : net.connect(at, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  return { socket, ended };
}

const LISTENERS: Readonly<Record<string, Listen>> = {
  'in this thread': listenOverTcp,
  'in a thread of their own': listenInThread(ONLY_PLACE),
};

describe.each(Object.entries(LISTENERS))(
  'attack 5: connections that are half open, %s',
  (_, listen) => {
    let server: P4RuntimeServer;
    let limits: Limits;
    const start = async (...values: [LimitName, number][]): Promise<RawController> => {
      limits = new Limits(new Map(values));
      const devices = new Map([[1, new StateSwitch()]]);
      server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0', limits, listen });
      return new RawController(`127.0.0.1:${server.port}`, 1n);
    };

    test('give way to a controller, which does not to them', async () => {
      const controller = await start(['p4runtime-connections', 4]);
      const first = await Promise.all(Array.from({ length: 4 }, () => silent(server.port)));
      expect(await controller.bidAndWait(1n)).toBe('OK');
      const later = await Promise.all(Array.from({ length: 20 }, () => silent(server.port)));
      await Promise.race(first.map(({ ended }) => ended));
      expect((await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig())).code).toBe('OK');
      const met = (): number => limits.counts()['p4runtime-connections'] ?? 0;
      while (met() < 20) await new Promise((resolve) => setTimeout(resolve, 10));
      for (const { socket } of [...first, ...later]) socket.destroy();
      controller.close();
      await server.stop();
    });

    test('give way at a socket of the file system, too', async () => {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'door-'));
      const file = path.join(folder, 'p4runtime');
      limits = new Limits(new Map([['p4runtime-connections', 4]]));
      const devices = new Map([[1, new StateSwitch()]]);
      server = await startP4RuntimeServer({ devices, address: `unix://${file}`, limits, listen });
      const controllers = [1n, 2n].map(() => new RawController(`unix:${file}`, 1n));
      const first = await Promise.all(Array.from({ length: 4 }, () => silent(file)));
      expect(await controllers[0]?.bidAndWait(2n)).toBe('OK');
      expect(await controllers[1]?.bidAndWait(1n)).toBe('ALREADY_EXISTS');
      const later = await Promise.all(Array.from({ length: 20 }, () => silent(file)));
      await Promise.all(first.map(({ ended }) => ended));
      const committed = await controllers[0]?.setPipeline(2n, VERIFY_AND_COMMIT, sampleConfig());
      expect(committed?.code).toBe('OK');
      while ((limits.counts()['p4runtime-connections'] ?? 0) < 20) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      for (const { socket } of later) socket.destroy();
      for (const each of controllers) each.close();
      await server.stop();
      expect(fs.readdirSync(folder)).toEqual([]);
      fs.rmSync(folder, { recursive: true });
    });

    test('end when they do not begin', async () => {
      const controller = await start(['p4runtime-opening-seconds', 1]);
      const { ended } = await silent(server.port);
      expect(await controller.bidAndWait(1n)).toBe('OK');
      await ended;
      controller.close();
      await server.stop();
      expect(limits.counts()).toEqual({ 'p4runtime-opening-seconds': 1 });
    });

    test('of HTTP/2 alone, without a call, count as such', async () => {
      const controller = await start(['p4runtime-connections', 2]);
      const sessions = await Promise.all(
        Array.from({ length: 2 }, async () => {
          const session = http2.connect(`http://127.0.0.1:${server.port}`);
          session.on('error', () => undefined);
          await once(session, 'connect');
          return session;
        }),
      );
      expect(await controller.bidAndWait(1n)).toBe('OK');
      for (const session of sessions) session.destroy();
      controller.close();
      await server.stop();
    });
  },
);

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** Turns that never end by themselves, and count who waited for the next one. */
class CountedTurns extends Turns {
  waits = 0;

  override get isOver(): boolean {
    return true;
  }

  override next(): Promise<void> {
    this.waits++;
    return super.next();
  }
}

describe('attack 4: answers beside packets', () => {
  /** A call of bm_get_config. */
  const call = (): Buffer => {
    const method = Buffer.from('standard:bm_get_config');
    const head = Buffer.from([0x80, 0x01, 0, 1, 0, 0, 0, method.length]);
    return Buffer.concat([head, method, Buffer.from([0, 0, 0, 1, 0])]);
  };

  test('requests of one Thrift connection have turns of their own, in order', async () => {
    const turns = new CountedTurns();
    const fake = fakeSwitch();
    const server = await startThriftServer(fake.target, 0, { turns });
    const socket = net.connect(server.port, '127.0.0.1');
    let bytes = 0;
    socket.on('data', (chunk) => (bytes += chunk.length));
    await once(socket, 'connect');
    const count = 50;
    socket.end(Buffer.concat(Array.from({ length: count }, call)));
    await once(socket, 'close');
    expect(turns.waits).toBe(count);
    expect(bytes % count).toBe(0);
    expect(bytes).toBeGreaterThan(count * '{"program":"one"}'.length);
    await server.stop();
  });

  test('a client that takes no answers has no more made for it', async () => {
    const fake = fakeSwitch();
    const text = JSON.stringify({ program: 'x'.repeat(500_000) });
    let asked = 0;
    const configuration = Object.assign(Object.create(fake.target.configuration) as object, {
      json: () => {
        asked++;
        return text;
      },
    }) as typeof fake.target.configuration;
    const server = await startThriftServer({ ...fake.target, configuration }, 0);
    const socket = net.connect(server.port, '127.0.0.1');
    socket.pause();
    await once(socket, 'connect');
    socket.write(Buffer.concat(Array.from({ length: 400 }, call)));
    let before = -1;
    while (asked !== before) {
      before = asked;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    // What the kernel holds besides is a few megabytes.
    expect(asked).toBeLessThan(100);
    socket.destroy();
    await server.stop();
  });

  test('the configuration is encoded once for each part that is asked for', async () => {
    const encode = jest.spyOn(p4.GetForwardingPipelineConfigResponse.prototype, 'serialize');
    const devices = new Map([[1, new StateSwitch()]]);
    const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    const controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        controller.getPipeline(p4.GetForwardingPipelineConfigRequestResponseType.ALL),
      ),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(encode).toHaveBeenCalledTimes(1);
    // Numbers that nobody has defined are many, and must not be kept for each.
    type ResponseType = p4.GetForwardingPipelineConfigRequestResponseType;
    const { COOKIE_ONLY } = p4.GetForwardingPipelineConfigRequestResponseType;
    const undefinedTypes = Array.from({ length: 20 }, (_, i) => (4 + i) as unknown as ResponseType);
    const unknown = await Promise.all(undefinedTypes.map((type) => controller.getPipeline(type)));
    expect(unknown).toEqual(Array(20).fill(await controller.getPipeline(COOKIE_ONLY)));
    expect(encode).toHaveBeenCalledTimes(2);
    controller.close();
    await server.stop();
  });
});
