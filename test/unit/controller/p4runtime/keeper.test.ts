import { parseP4Info } from '../../../../common/p4runtime/load-p4info';
import {
  backOffDelay,
  DEFAULT_BACK_OFF,
  ClientKeeper,
} from '../../../../controller/p4runtime/keeper';
import { P4RuntimeClient } from '../../../../controller/p4runtime/client';
import type { KeeperEvent, KeeperOptions } from '../../../../controller/p4runtime/keeper';
import type { Pipeline } from '../../../../controller/p4runtime/requests/pipeline';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import type { P4RuntimeServer } from '../../../../switch/server/server';
import { EXTERNS_P4INFO, EXTERNS_PROGRAM } from '../../../support/p4runtime/externs-program';
import { ServedV1Model } from '../../../support/p4runtime/served-v1model';

const PIPELINE: Pipeline = {
  p4info: parseP4Info(Buffer.from(EXTERNS_P4INFO), 'text'),
  deviceConfig: Uint8Array.from(Buffer.from(EXTERNS_PROGRAM)),
};
const DEADLINE = 20_000;
const BACK_OFF = { first: 5, factor: 2, max: 50 };

// Reconnections take a busy machine its time; no test waits for this to pass.
/** Values that come one by one, awaited one by one. */
class Signals<T> {
  private readonly values: T[] = [];
  private wake: (() => void) | undefined;

  readonly put = (value: T): void => {
    this.values.push(value);
    this.wake?.();
  };

  async until(wanted: (value: T) => boolean): Promise<T> {
    for (;;) {
      const value = this.values.shift();
      if (value !== undefined && wanted(value)) return value;
      if (value === undefined) await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

describe('a keeper of a switch', () => {
  let server: P4RuntimeServer;
  let keepers: ClientKeeper[];
  let others: P4RuntimeClient[];

  beforeEach(async () => {
    [keepers, others] = [[], []];
    server = await serve(new ServedV1Model());
  });

  afterEach(async () => {
    for (const keeper of keepers) await keeper.stop();
    for (const client of others) client.close();
    await server.stop();
  });

  const serve = (device: ServedV1Model, port = 0): Promise<P4RuntimeServer> =>
    startP4RuntimeServer({ devices: new Map([[1, device]]), address: `127.0.0.1:${port}` });

  const options = (electionId: bigint) => {
    const address = `127.0.0.1:${server.port}`;
    return { name: 's1', address, deviceId: 1n, electionId, deadline: DEADLINE };
  };

  const keep = (electionId: bigint, more: Partial<KeeperOptions> = {}) => {
    const events = new Signals<KeeperEvent>();
    const ready = new Signals<P4RuntimeClient>();
    const keeper = new ClientKeeper({
      ...options(electionId),
      ready: ready.put,
      report: events.put,
      backOff: BACK_OFF,
      ...more,
    });
    keepers.push(keeper);
    const standing = (kind: string) =>
      events.until((each) => each.kind === 'standing' && each.standing.kind === kind);
    return { keeper, events, ready, standing, next: () => ready.until(() => true) };
  };

  const connect = async (electionId: bigint): Promise<P4RuntimeClient> => {
    const client = await P4RuntimeClient.connect(options(electionId));
    others.push(client);
    return client;
  };

  test('its handler runs again after the switch has restarted, with the pipeline in place', async () => {
    const { next, events } = keep(1n, { pipeline: PIPELINE });
    const first = await next();
    await first.writeAll('insert', [{ kind: 'digest', digest: 'learnt_t' }]);
    const { port } = server;
    await server.stop();
    await events.until(({ kind }) => kind === 'lost');
    server = await serve(new ServedV1Model(), port);
    const second = await next();
    expect(second).not.toBe(first);
    expect((await second.getPipeline()).p4info?.serialize()).toEqual(PIPELINE.p4info.serialize());
    expect(await second.readAll({ kind: 'digests' })).toEqual([]);
    await expect(first.readAll({ kind: 'digests' })).rejects.toThrow(first.place);
  });

  test('a pipeline that has survived is not pushed again', async () => {
    const { events, keeper } = keep(1n, { pipeline: PIPELINE });
    await events.until((each) => each.kind === 'pipeline' && each.outcome === 'pushed');
    await keeper.stop();
    const again = keep(2n, { pipeline: PIPELINE });
    await again.events.until((each) => each.kind === 'pipeline' && each.outcome === 'kept');
  });

  test('losing the primary role aborts the handler, and winning it back runs it again', async () => {
    const lost = new Signals<string>();
    const starts = new Signals<P4RuntimeClient>();
    const { standing } = keep(5n, {
      ready: async (client, signal) => {
        starts.put(client);
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve());
        });
        lost.put('lost');
      },
    });
    const client = await starts.until(() => true);
    const rival = await connect(9n);
    await rival.becomePrimary();
    await lost.until(() => true);
    await standing('backup');
    expect(client.standing).toEqual({ kind: 'backup', highest: 9n });
    await rival.bid(1n);
    await standing('no-primary');
    await client.bid(10n);
    expect(await starts.until(() => true)).toBe(client);
  });

  test('a backup takes over when it is told to bid for a vacant role', async () => {
    const active = keep(7n);
    await active.next();
    const standby = keep(3n, { whenVacant: 'bid' });
    await standby.standing('backup');
    await active.keeper.stop();
    const client = await standby.next();
    expect(client.standing).toEqual({ kind: 'primary' });
    expect(client.electionId).toBe(10n);
  });

  test('an election id that is taken is lowered until one is free', async () => {
    await (await connect(4n)).becomePrimary();
    const { events, standing } = keep(4n);
    await events.until(
      (each) => each.kind === 'lost' && /already in use/.test(String(each.reason)),
    );
    await standing('backup');
  });

  test('a switch that is not there yet is tried again, later and later', async () => {
    const { port } = server;
    await server.stop();
    const { events, next } = keep(1n, { deadline: 200 });
    const waits: number[] = [];
    for (let i = 0; i < 2; i++) {
      const event = await events.until(({ kind }) => kind === 'lost');
      if (event.kind === 'lost') waits.push(event.retryAfter);
    }
    expect(waits).toEqual([5, 10]);
    server = await serve(new ServedV1Model(), port);
    await next();
  });

  test('its handler runs again from time to time, and at once when it is woken', async () => {
    const often = keep(1n, { every: 1 });
    expect(await often.next()).toBe(await often.next());
    await often.keeper.stop();
    const seldom = keep(2n, { every: 3_600_000 });
    const client = await seldom.next();
    seldom.keeper.wake();
    expect(await seldom.next()).toBe(client);
  });

  test('without that, it runs once for each time that it is primary', async () => {
    let runs = 0;
    const first = new Signals<number>();
    const { keeper, standing } = keep(5n, { ready: () => first.put(++runs) });
    await first.until(() => true);
    keeper.wake();
    const rival = await connect(9n);
    await rival.becomePrimary();
    await standing('backup');
    expect(runs).toBe(1);
  });

  test('a wake ends the wait for the next attempt', async () => {
    const { port } = server;
    await server.stop();
    const hour = { first: 3_600_000, factor: 1, max: 3_600_000 };
    const { keeper, events, next } = keep(1n, { deadline: 200, backOff: hour });
    const isLost = ({ kind }: KeeperEvent): boolean => kind === 'lost';
    await events.until(isLost);
    server = await serve(new ServedV1Model(), port);
    const again = next();
    let isBack = false;
    void again.then(() => (isBack = true));
    // A busy machine may not connect within the deadline: then the next attempt would come in an hour, too.
    while (!isBack) {
      keeper.wake();
      await Promise.race([again, events.until(isLost)]);
    }
  });

  test('errors that may pass are for the owner to say', async () => {
    let attempts = 0;
    const { keeper } = keep(1n, {
      passes: (error) => error instanceof RangeError,
      ready: () => {
        if (++attempts < 3) throw new RangeError('not yet');
        throw new TypeError('a defect');
      },
    });
    expect((await keeper.ended).kind).toBe('failed');
    expect(attempts).toBe(3);
  });

  test('an error that another attempt would meet again ends the keeping', async () => {
    const defect = new RangeError('a defect of the handler');
    const { keeper } = keep(1n, { ready: () => Promise.reject(defect) });
    expect(await keeper.ended).toEqual({ kind: 'failed', error: defect });
    expect(await keeper.stop()).toEqual({ kind: 'failed', error: defect });
  });

  test('a refusal by the switch is tried again with a fresh connection', async () => {
    let attempts = 0;
    const done = new Signals<number>();
    keep(1n, {
      ready: async (client) => {
        attempts++;
        if (attempts < 3) await client.setPipeline('commit');
        done.put(attempts);
      },
    });
    expect(await done.until(() => true)).toBe(3);
  });

  test('it can be stopped at any time, even before it is connected', async () => {
    const { keeper } = keep(1n);
    expect(await keeper.stop()).toEqual({ kind: 'stopped' });
    const { keeper: second, next } = keep(1n);
    const client = await next();
    expect(await second.stop()).toEqual({ kind: 'stopped' });
    expect(client.standing).toBeUndefined();
  });
});

test.each([
  [1, 100],
  [2, 200],
  [5, 1600],
  [20, 15_000],
])('the wait after %d failures is %d ms', (failures, wait) => {
  expect(backOffDelay(DEFAULT_BACK_OFF, failures)).toBe(wait);
});
