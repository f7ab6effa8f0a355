import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as os from 'node:os';
import * as path from 'node:path';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { ToDoors } from '../../../../../switch/server/thread/messages';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import type { RawController } from '../../../../support/p4runtime/raw-controller';
import { ThreadedDoors } from './threaded-doors';
import { describeIf } from '../../../../support/requires';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const REST_MS = 30;

const isLinux = process.platform === 'linux';

describeIf(isLinux, 'doors that nobody comes to wait without a thread', 'needs Linux', () => {
  const doors = new ThreadedDoors(REST_MS);
  const start = (address?: string, restMs?: number): Promise<P4RuntimeServer> =>
    doors.start(address, restMs);
  const controllerOf = (server: P4RuntimeServer): RawController => doors.controllerOf(server);
  let post: jest.SpyInstance<void, Parameters<Worker['postMessage']>>;
  /** Number of threads that have been told to end. */
  const ended = (): number =>
    post.mock.calls.filter(([message]) => (message as ToDoors).kind === 'no-more').length;
  const untilEnded = async (count: number): Promise<void> => {
    while (ended() < count) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  beforeEach(() => {
    post = jest.spyOn(Worker.prototype, 'postMessage');
  });
  afterEach(async () => {
    await doors.end();
    post.mockRestore();
    expect(doors.failures.splice(0)).toEqual([]);
  });

  test('until the next client, which finds what others have left', async () => {
    const server = await start();
    const first = controllerOf(server);
    expect(await first.bidAndWait(1n)).toBe('OK');
    await first.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    const before = ended();
    await new Promise((resolve) => setTimeout(resolve, 3 * REST_MS));
    expect(ended()).toBe(before);
    first.close();
    for (const round of [1, 2]) {
      await untilEnded(before + round);
      const next = controllerOf(server);
      // Nobody is primary any more, and a smaller election id is no smaller than that of the one who has left.
      expect(await next.bidAndWait(1n)).toBe('OK');
      const entity = new p4.Entity({ tableEntry: new p4.TableEntry() });
      expect((await next.read([entity])).status.code).toBe('OK');
      next.close();
    }
  });

  test('all of them together, and all are found when one is called at', async () => {
    const [one, other] = [await start(), await start()];
    const controller = controllerOf(one);
    expect(await controller.bidAndWait(1n)).toBe('OK');
    const before = ended();
    controller.close();
    await untilEnded(before + 1);
    const [first, second] = [controllerOf(other), controllerOf(one)];
    expect(await Promise.all([first.bidAndWait(1n), second.bidAndWait(1n)])).toEqual(['OK', 'OK']);
    expect(ended()).toBe(before + 1);
  });

  test('and another one is opened, or one of them is shut', async () => {
    const first = await start();
    await untilEnded(1);
    const second = await start();
    await untilEnded(2);
    await first.stop();
    const refused = net.connect(first.port, '127.0.0.1');
    const [error] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    expect(await controllerOf(second).bidAndWait(1n)).toBe('OK');
    const again = await start(`127.0.0.1:${first.port}`);
    expect(await controllerOf(again).bidAndWait(1n)).toBe('OK');
  });

  test('opened and shut at the very time at which they are left', async () => {
    for (let ms = 0; ms < 40; ms += 4) {
      const first = await start('127.0.0.1:0', 10);
      await new Promise((resolve) => setTimeout(resolve, ms));
      const [second] = await Promise.all([start('127.0.0.1:0', 10), first.stop()]);
      expect(await controllerOf(second).bidAndWait(1n)).toBe('OK');
    }
  });

  test('but not at a socket of the file system, whose name would go', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-waiting-'));
    const file = path.join(folder, 'door');
    await start(`unix:${file}`);
    await new Promise((resolve) => setTimeout(resolve, 5 * REST_MS));
    expect(ended()).toBe(0);
    const controller = doors.controllerAt(`unix:${file}`);
    expect(await controller.bidAndWait(1n)).toBe('OK');
    await doors.end();
    fs.rmSync(folder, { recursive: true });
  });
});
