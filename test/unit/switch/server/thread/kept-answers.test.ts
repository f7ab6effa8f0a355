import { ONLY_PLACE } from '../../../../../common/io/net/network-place';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { RequestQueue } from '../../../../../switch/server/device';
import { Limits } from '../../../../../switch/server/limits/limits';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import { StateVersion } from '../../../../../switch/server/state/state-version';
import { listenInThread } from '../../../../../switch/server/thread/door-thread-client';
import { KeptAnswers } from '../../../../../switch/server/thread/kept-answers';
import { OpenCall } from '../../../../../switch/server/thread/open-call';
import type { BytesCall } from '../../../../../switch/server/thread/open-call';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { bytes, insert, portRecord } from '../../../../support/p4runtime/sample-updates';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const { ALL } = p4.GetForwardingPipelineConfigRequestResponseType;
const EVERYTHING = new p4.Entity({ tableEntry: new p4.TableEntry() });
const MEBIBYTE = 1024 * 1024;

describe('attack 4: answers that hold', () => {
  let server: P4RuntimeServer;
  let controller: RawController;
  /** Requests that the thread of the switch has served. */
  let served: jest.SpyInstance;
  beforeEach(async () => {
    const devices = new Map([[1, new StateSwitch()]]);
    const listen = listenInThread(ONLY_PLACE);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0', listen });
    controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
    served = jest.spyOn(RequestQueue.prototype, 'serve');
  });
  afterEach(async () => {
    served.mockRestore();
    controller.close();
    await server.stop();
  });

  const read = async (entity = EVERYTHING, role = ''): Promise<number> => {
    const { responses } = await controller.read([entity], 1n, role);
    return responses.reduce((sum, { entities }) => sum + entities.length, 0);
  };
  const write = async (port: number): Promise<void> => {
    expect((await controller.write(1n, [insert(portRecord(port, bytes(1)))])).code).toBe('OK');
  };
  /** Number of requests that the switch's thread had meanwhile. */
  const servedDuring = async (act: () => Promise<unknown>): Promise<number> => {
    const before = served.mock.calls.length;
    await act();
    return served.mock.calls.length - before;
  };

  test('are given again without the thread that forwards packets', async () => {
    await write(1);
    const first = await read();
    expect(await servedDuring(async () => expect(await read()).toBe(first))).toBe(0);
    const program = await controller.getPipeline(ALL);
    const again = await servedDuring(async () =>
      expect(await controller.getPipeline(ALL)).toEqual(program),
    );
    expect(again).toBe(0);
  });

  test('end with every change: who hears that a Write is done reads what it wrote', async () => {
    let entries = await read();
    for (let port = 1; port <= 20; port++) {
      await write(port);
      const all = await Promise.all([read(), read(), read()]);
      entries += 1;
      expect(all).toEqual([entries, entries, entries]);
    }
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig(undefined, '7'));
    expect(await read()).toBe(entries - 20);
    expect(await controller.getPipeline(ALL)).toMatchObject({
      config: { cookie: { cookie: '7' } },
    });
    await write(1);
    await read();
    server.shared(1).changed();
    expect(await servedDuring(() => read())).toBeGreaterThan(0);
  });

  test.each([
    ['counters, which packets change', { counterEntry: new p4.CounterEntry() }],
    ['registers', { registerEntry: new p4.RegisterEntry() }],
    ['a refusal', { tableEntry: new p4.TableEntry({ tableId: 99 }) }],
  ])('are not kept of %s', async (_, entity) => {
    const asked = new p4.Entity(entity);
    await read(asked);
    expect(await servedDuring(() => read(asked))).toBeGreaterThan(0);
  });
});

/** A call over which nobody takes anything until it is told so. */
function untaken(): { call: OpenCall; take: () => void; written: Uint8Array[]; end: jest.Mock } {
  const [written, end, takes] = [[] as Uint8Array[], jest.fn(), [] as (() => void)[]];
  const write = (message: Uint8Array, taken: () => void): void => {
    written.push(message);
    takes.push(taken);
  };
  const emit = end;
  const call = new OpenCall({ write, end, emit } as unknown as BytesCall, undefined);
  return { call, take: () => takes.splice(0).forEach((each) => each()), written, end };
}

describe('kept answers', () => {
  const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const REQUEST = Uint8Array.of(1);
  let version: StateVersion;
  const keeping = (limits = new Limits()): KeptAnswers => {
    version = new StateVersion();
    return new KeptAnswers(version, limits);
  };
  let lastCall = 0;
  /** The switch answers a request with so many bytes. */
  const given = (kept: KeptAnswers, length: number, request = REQUEST): void => {
    const number = ++lastCall;
    expect(kept.answers(untaken().call, number, 'Read', request)).toBe(false);
    kept.note(number, new Uint8Array(length));
    kept.ended(number, version.now);
  };

  test('are few bytes under way to clients: others wait, and go on when one has taken or left', async () => {
    const kept = keeping();
    given(kept, 3 * MEBIBYTE);
    const clients = Array.from({ length: 5 }, untaken);
    for (const { call } of clients) expect(kept.answers(call, 0, 'Read', REQUEST)).toBe(true);
    const begun = (): number[] => clients.map(({ written }) => written.length);
    expect(begun()).toEqual([1, 1, 0, 0, 0]);
    clients[0]?.take();
    await later();
    expect(begun()).toEqual([1, 1, 1, 0, 0]);
    expect(clients[0]?.end).toHaveBeenCalledTimes(1);
    clients[3]?.call.gone();
    clients[1]?.call.gone();
    await later();
    expect(begun()).toEqual([1, 1, 1, 0, 1]);
  });

  test('hold nobody up who asks for others, while clients take none of their many messages', () => {
    const kept = keeping();
    const number = ++lastCall;
    kept.answers(untaken().call, number, 'Read', REQUEST);
    for (let i = 0; i < 40; i++) kept.note(number, new Uint8Array(MEBIBYTE / 16));
    kept.ended(number, version.now);
    const clients = Array.from({ length: 100 }, untaken);
    for (const { call } of clients) kept.answers(call, 0, 'Read', REQUEST);
    expect(clients.filter(({ written }) => written.length === 1)).toHaveLength(100);
  });

  test('are recorded up to a bound: what begins beyond it is not kept', () => {
    const kept = keeping();
    const calls = [2, 3, 4].map((request) => {
      const number = ++lastCall;
      kept.answers(untaken().call, number, 'Read', Uint8Array.of(request));
      kept.note(number, new Uint8Array(3 * MEBIBYTE));
      return number;
    });
    for (const number of calls) kept.ended(number, version.now);
    const isKept = [2, 3, 4].map((request) =>
      kept.answers(untaken().call, ++lastCall, 'Read', Uint8Array.of(request)),
    );
    expect(isKept).toEqual([true, true, false]);
  });

  test('end with a reason when a client takes nothing', async () => {
    jest.useFakeTimers();
    try {
      const limits = new Limits(new Map([['read-stall-seconds', 2]]));
      const kept = keeping(limits);
      given(kept, 10);
      const { call, end } = untaken();
      kept.answers(call, 0, 'Read', REQUEST);
      await jest.advanceTimersByTimeAsync(1999);
      expect(end).not.toHaveBeenCalled();
      await jest.advanceTimersByTimeAsync(1);
      expect(end.mock.calls.flat().map(String)).toEqual([
        'error',
        'Error: the client has taken nothing for 2 s (limit read-stall-seconds)',
      ]);
      expect(call.isGone).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });

  test('are bounded: long requests and answers are not kept, and old ones give way', () => {
    const kept = keeping();
    given(kept, 5 * MEBIBYTE);
    given(kept, 10);
    const long = new Uint8Array(1025);
    given(kept, 10, long);
    given(kept, 10, long);
    for (let i = 2; i < 5; i++) given(kept, 4 * MEBIBYTE, Uint8Array.of(i));
    const isKept = [1, 2, 3, 4].map((i) =>
      kept.answers(untaken().call, ++lastCall, 'Read', Uint8Array.of(i)),
    );
    expect(isKept).toEqual([false, false, false, true]);
  });

  test('are of no state but the present one', () => {
    const kept = keeping();
    given(kept, 10);
    version.changed();
    expect(kept.answers(untaken().call, ++lastCall, 'Read', REQUEST)).toBe(false);
    const before = version.now;
    version.changed();
    kept.ended(lastCall, before);
    expect(kept.answers(untaken().call, ++lastCall, 'Read', REQUEST)).toBe(false);
  });
});
