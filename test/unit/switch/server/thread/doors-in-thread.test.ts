import { Worker } from 'node:worker_threads';
import { InputError } from '../../../../../common/errors';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import type { RawController } from '../../../../support/p4runtime/raw-controller';
import { ThreadedDoors } from './threaded-doors';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const MEBIBYTE = 1024 * 1024;

describe('attack 4: doors in a thread of their own', () => {
  const doors = new ThreadedDoors();
  const { failures } = doors;
  const start = (address?: string): Promise<P4RuntimeServer> => doors.start(address);
  const controllerOf = (server: P4RuntimeServer): RawController => doors.controllerOf(server);
  afterEach(async () => {
    await doors.end();
    failures.length = 0;
  });

  test('are told of by name when they cannot be opened, and others are not touched', async () => {
    const server = await start();
    const again = start(`127.0.0.1:${server.port}`);
    await expect(again).rejects.toThrow(InputError);
    await expect(again).rejects.toThrow(/^P4Runtime cannot listen on .*EADDRINUSE/);
    expect(await controllerOf(server).bidAndWait(1n)).toBe('OK');
  });

  test('are shut one by one: the streams of one end, those of another stay', async () => {
    const [first, second] = [await start(), await start()];
    const [one, other] = [controllerOf(first), controllerOf(second)];
    expect(await one.bidAndWait(1n)).toBe('OK');
    expect(await other.bidAndWait(1n)).toBe('OK');
    await first.stop();
    expect((await one.ended()).code).not.toBe('OK');
    const status = await other.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    expect(status.code).toBe('OK');
    expect(await controllerOf(first).capabilities(1n)).toBe('UNAVAILABLE');
    expect(failures).toEqual([]);
  });

  test('take a long message, and refuse one that is too long', async () => {
    const controller = controllerOf(await start());
    const write = async (bytes: number): Promise<string> => {
      const tableEntry = new p4.TableEntry({ metadata: Buffer.alloc(bytes) });
      const updates = [new p4.Update({ entity: new p4.Entity({ tableEntry }) })];
      const request = new p4.WriteRequest({ deviceId: '1', updates });
      return (await controller.writeBytes(request.serialize())).code;
    };
    expect(await write(60 * MEBIBYTE)).toBe('PERMISSION_DENIED');
    expect(await write(65 * MEBIBYTE)).toBe('RESOURCE_EXHAUSTED');
    expect(await write(1)).toBe('PERMISSION_DENIED');
  });

  test('tell the switch that a client has left, in the middle of a stream', async () => {
    const server = await start();
    const [first, second] = [controllerOf(server), controllerOf(server)];
    expect(await first.bidAndWait(2n)).toBe('OK');
    expect(await second.bidAndWait(1n)).toBe('ALREADY_EXISTS');
    const told = second.standing();
    first.close();
    expect((await told)[0]).toBe('NOT_FOUND');
    expect(await second.bidAndWait(3n)).toBe('OK');
  });

  test('whose thread ends say so, their calls end, and a new thread takes their place', async () => {
    const threads: Worker[] = [];
    const post = jest.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
      this: Worker,
      ...given
    ) {
      threads.push(this);
      post.mockRestore();
      this.postMessage(...given);
    });
    const server = await start();
    const controller = controllerOf(server);
    expect(await controller.bidAndWait(1n)).toBe('OK');
    for (const each of threads) await each.terminate();
    expect((await controller.ended()).code).toBe('UNAVAILABLE');
    expect(failures.map(({ message }) => message)).toEqual([
      "the thread of gRPC's connections has ended",
    ]);
    await server.stop();
    expect(await controllerOf(await start()).bidAndWait(1n)).toBe('OK');
  });

  test('carry bids, Writes and Reads of many clients while the primary changes', async () => {
    const server = await start();
    const primary = controllerOf(server);
    await primary.bidAndWait(1n);
    await primary.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const controller = controllerOf(server);
        const bid = await controller.bidAndWait(BigInt(i + 2));
        const wrote = await controller.write(BigInt(i + 2), [new p4.Update()]);
        const { status } = await controller.read([
          new p4.Entity({ tableEntry: new p4.TableEntry() }),
        ]);
        return [bid, wrote.code, status.code];
      }),
    );
    for (const [bid, wrote, read] of statuses) {
      expect(['OK', 'ALREADY_EXISTS']).toContain(bid);
      expect(['UNKNOWN', 'PERMISSION_DENIED']).toContain(wrote);
      expect(read).toBe('OK');
    }
  });
});
