import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../../../common/errors';
import { repositoryRoot } from '../../../../../common/io/repository';
import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import { Random } from '../../../../../common/random/random';
import { applyNetwork } from '../../../../../controller/io/apply-network';
import type { PreparedSwitch } from '../../../../../controller/io/prepare';
import { QueueRecords } from '../../../../../controller/io/queue-records';
import { SwitchKeeper } from '../../../../../controller/io/watch/switch-keeper';
import { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import type { Pipeline } from '../../../../../controller/p4runtime/requests/pipeline';
import { fabricProgram } from '../../../../support/controller/fabric-program';
import { FaultyProxy } from './faulty-proxy';
import {
  DEADLINE,
  differences,
  prepared,
  ringDocument,
} from '../../../../support/controller/networks';
import { EFFORT } from '../../../../support/effort';

/** An intruder that meets a switch while it restarts has come in vain, and soon gives up; in ms. */
const DEADLINE_MS = 1000;

/**
 * Another controller that comes with a higher election id, an equal or a lower one, does some harm
 * when it is let, and leaves.
 */
async function intruder(address: string, random: Random): Promise<void> {
  const electionId = [9n, 5n, 1n][random.below(3)] ?? 9n;
  const options = { name: 'victim', address, deviceId: 1n, electionId, deadline: DEADLINE_MS };
  let client: P4RuntimeClient | undefined;
  try {
    client = await P4RuntimeClient.connect(options);
    const standing = await client.bid();
    if (standing.kind === 'primary') await doHarm(client, random);
  } catch (error) {
    // Whoever is refused, or meets a switch without a program, leaves likewise.
    if (!(error instanceof InputError)) throw error;
  } finally {
    client?.close();
  }
}

async function doHarm(client: P4RuntimeClient, random: Random): Promise<void> {
  if (random.below(3) === 0) {
    await client.pushPipeline(foreignProgram());
    return;
  }
  client.useP4Info(fabricProgram.pipeline.p4info);
  const table = 'ipv4_route';
  const found = [];
  for await (const entity of client.read({ kind: 'table-entries', table })) found.push(entity);
  const victims = found.filter(() => random.below(2) === 0);
  await client.write(victims.map((entity) => ({ type: 'delete', entity })));
  const match = { 'hdr.ipv4.dst_addr': '192.0.2.0/24' };
  const action = { kind: 'member', memberId: 2 } as const;
  const stray = { kind: 'table-entry', table, match, priority: 0, action } as const;
  await client.write([{ type: 'insert', entity: stray }]);
}

/** A program of which the network's controller knows nothing. */
function foreignProgram(): Pipeline {
  const folder = path.join(repositoryRoot(), 'test/fixtures/p4');
  const read = (name: string): Buffer => fs.readFileSync(path.join(folder, name));
  return {
    p4info: parseP4Info(read('arithmetic.p4info.txtpb'), 'text'),
    deviceConfig: Uint8Array.from(read('arithmetic.json')),
  };
}

/** Generous: a loaded machine is slow. */
const SEEDS = 8 * EFFORT;
const FAULTS_MAX = 8;
const APPLIES_MAX = 40;

/** A switch that has restarted meanwhile is nowhere to be found; then it is asked again. In ms. */
const LOOK_DEADLINE = 1000;

describe('with everything going wrong', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): void => void unhandled.push(reason);

  beforeAll(() => process.on('unhandledRejection', note));
  afterAll(() => process.off('unhandledRejection', note));
  afterEach(() => expect(unhandled).toEqual([]));

  const seeds = Array.from({ length: SEEDS }, (_, i) => i + 1);

  test.each(seeds)('a kept network ends as wanted (seed %i)', async (seed) => {
    await withProxies(seed, async (proxies, wanted, random) => {
      const kept = wanted.map((each) => keeper(each));
      for (const { keeper: each } of kept) each.start();
      try {
        const meddling = proxies.map((proxy) => intruder(proxy.directAddress, random));
        await Promise.all(meddling);
        await Promise.all(
          kept.map(async ({ settled }, i) => {
            // Faults may follow a first success, so wait for one after the last of them.
            while ((await remaining(proxies[i], wanted[i])) > 0) await settled();
          }),
        );
      } finally {
        await Promise.all(kept.map(({ keeper: each }) => each.stop()));
      }
    });
  });

  test.each(seeds.slice(0, Math.ceil(SEEDS / 2)))(
    'applying until it succeeds ends as wanted, and then there is nothing to do (seed %i)',
    async (seed) => {
      await withProxies(seed + 1_000_000, async (proxies, wanted) => {
        for (let attempt = 1; !(await applied(wanted)); attempt++) {
          expect(attempt).toBeLessThan(APPLIES_MAX);
        }
        for (const [i, proxy] of proxies.entries()) {
          expect(await remaining(proxy, wanted[i])).toBe(0);
        }
      });
    },
  );
});

/** Two switches behind proxies, and what they shall hold. */
async function withProxies(
  seed: number,
  use: (
    proxies: readonly FaultyProxy[],
    wanted: readonly PreparedSwitch[],
    random: Random,
  ) => Promise<void>,
): Promise<void> {
  const random = new Random(seed);
  const proxies = await Promise.all(
    [1, 2].map((n) => FaultyProxy.start(new Random(seed * 10 + n), 1 + random.below(FAULTS_MAX))),
  );
  try {
    const wanted = await prepared(ringDocument(proxies.map(({ address }) => address)));
    await use(proxies, wanted, random);
  } finally {
    await Promise.all(proxies.map((each) => each.stop()));
  }
}

interface Kept {
  readonly keeper: SwitchKeeper;
  /** The next time that the keeper finds everything as wanted. */
  readonly settled: () => Promise<void>;
}

function keeper(wanted: PreparedSwitch): Kept {
  let waiting: (() => void)[] = [];
  const found = new SwitchKeeper(wanted, {
    electionId: 5n,
    deadline: DEADLINE,
    folder: '.',
    interval: 2,
    retry: 1,
    retryMax: 4,
    records: QueueRecords.inMemory(),
    observer: (_, event) => {
      if (event.kind !== 'reconciled') return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
  });
  return { keeper: found, settled: () => new Promise((resolve) => waiting.push(resolve)) };
}

async function remaining(
  proxy: FaultyProxy | undefined,
  wanted: PreparedSwitch | undefined,
): Promise<number> {
  if (proxy === undefined || wanted === undefined) throw new Error('a proxy for every switch');
  if (proxy.device.pipeline === undefined) return Infinity;
  try {
    return (await differences(proxy.directAddress, wanted, LOOK_DEADLINE)).length;
  } catch (error) {
    // The switch may be restarting, or run a foreign program.
    if (error instanceof InputError) return Infinity;
    throw error;
  }
}

async function applied(wanted: readonly PreparedSwitch[]): Promise<boolean> {
  try {
    const outcomes = await applyNetwork(wanted, {
      electionId: 5n,
      deadline: DEADLINE,
      folder: '.',
      retries: 1,
      records: QueueRecords.inMemory(),
    });
    return outcomes.every(({ status }) => status === 'done');
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
