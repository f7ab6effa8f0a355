import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { PostgresServer, postgresFolder } from '../../../../../../bench/live/postgres-server';
import type { Outcome } from '../../../../../../emulator/study/cell';
import { CellQueue } from '../../../../../../emulator/study/io/database/cell-queue';
import type { CellTask } from '../../../../../../emulator/study/io/database/cell-queue';
import { openServer } from '../../../../../../emulator/study/io/database/database';
import type { Database } from '../../../../../../emulator/study/io/database/database';
import { Store } from '../../../../../../emulator/study/io/database/store';
import { describeIf } from '../../../../../support/requires';

const cellOf = (n: number): string => n.toString(16).padStart(64, '0').split('').reverse().join('');
const taskOf = (n: number): CellTask => ({
  cell: cellOf(n),
  input: `{"n":${n}}`,
  limits: { memoryMb: 64, timeoutSeconds: 1 },
});
const outcome = (cell: string, summary: string): Outcome => ({
  cell,
  summary,
  provenance: { version: 'v', commit: 'c', host: 'h', durationMs: 1, memoryBytes: 2 },
});
const first = { id: 'first', host: 'a' };
const second = { id: 'second', host: 'b' };

let database: Database;
let store: Store;
let queue: CellQueue;

/** Ids of the cells that a worker gets. */
const claimed = async (worker: typeof first, count: number, suspects = 1): Promise<string[]> =>
  (await queue.claim(worker, { count, suspects })).map(({ cell }) => cell);

/** Makes the tasks of a dead worker due for others: those wait for a second or two. */
async function dies(worker: typeof first): Promise<void> {
  await database.executeSql('DELETE FROM study.worker WHERE id = $1', [worker.id]);
  await queue.takeFromDead(3600);
  await database.executeSql("UPDATE pgboss.job SET start_after = now() - interval '1 second'");
}

const retries = async (): Promise<unknown[]> => {
  const text = 'SELECT retry_count FROM pgboss.job ORDER BY created_on, id';
  return (await database.executeSql(text)).rows.map((row) => row['retry_count']);
};

const reason = 'no PostgreSQL server in /usr/lib/postgresql, or not root';
// The embedded one loads parts of itself as jest does not let it; the tests of the command use that.
describeIf(postgresFolder() !== undefined, 'the queue of cells', reason, () => {
  let folder: string;
  let server: PostgresServer;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-queue-'));
    server = await PostgresServer.start(path.join(folder, 'server'));
    database = await openServer(server.url);
    store = await Store.open(database);
  });
  afterAll(async () => {
    await database.close();
    server.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    queue = await CellQueue.open(database, '1.0.0+test');
    await queue.reset();
    await store.forget([1, 2, 3].map(cellOf), 'all');
    await queue.beat(first);
    await queue.beat(second);
  });

  test('is made by one of several that begin on a new database', async () => {
    await database.executeSql('DROP SCHEMA pgboss CASCADE');
    const databases = await Promise.all(Array.from({ length: 6 }, () => openServer(server.url)));
    const made = databases.map(async (one) => (await CellQueue.open(one, '1.0.0+test')).create());
    expect((await Promise.allSettled(made)).map(({ status }) => status)).toEqual(
      databases.map(() => 'fulfilled'),
    );
    for (const one of databases) await one.close();
  });

  test('has each cell once, and gives it to one worker', async () => {
    await queue.add([taskOf(1), taskOf(2)]);
    await queue.add([taskOf(2), taskOf(3)]);
    const all = [...(await claimed(first, 2)), ...(await claimed(second, 2))];
    expect(all.sort()).toEqual([1, 2, 3].map(cellOf).sort());
    expect(await claimed(first, 2)).toEqual([]);
  });

  test('forgets what its last user had, for the next one alone', async () => {
    await queue.add([taskOf(1), taskOf(2)]);
    await claimed(first, 1);
    await queue.reset();
    await queue.add([taskOf(1), taskOf(2)]);
    expect(await claimed(second, 3)).toHaveLength(2);
  });

  test('keeps one result of two workers with one cell', async () => {
    await queue.add([taskOf(1)]);
    const [mine] = await queue.claim(first, { count: 1, suspects: 1 });
    await dies(first);
    const [theirs] = await queue.claim(second, { count: 1, suspects: 1 });
    const job = mine?.job ?? '';
    expect(theirs?.job).toBe(job);
    await queue.finish([{ job, outcome: outcome(cellOf(1), '{"a": 1}') }]);
    await queue.finish([{ job, outcome: outcome(cellOf(1), '{"a": 2}') }]);
    const found = await store.outcomes([cellOf(1)]);
    expect([...found.values()]).toEqual([outcome(cellOf(1), '{"a": 1}')]);
  });

  test('stores outcomes and ends jobs together or not at all', async () => {
    await queue.add([taskOf(1), taskOf(2)]);
    const tasks = await queue.claim(first, { count: 2, suspects: 1 });
    const done = tasks.map(({ job, cell }, i) => ({
      job,
      outcome: outcome(cell, i === 0 ? '{}' : 'no JSON'),
    }));
    await expect(queue.finish(done)).rejects.toThrow();
    expect((await store.outcomes([cellOf(1), cellOf(2)])).size).toBe(0);
    await queue.leave(first);
    expect(await claimed(second, 2)).toHaveLength(2);
  });

  test('gives what a dead worker had to others, of which each comes alone', async () => {
    await queue.add([taskOf(1), taskOf(2), taskOf(3)]);
    expect(await claimed(first, 2)).toHaveLength(2);
    await dies(first);
    const [suspect, ...others] = await claimed(second, 3);
    expect(others).toEqual([]);
    const next = await claimed(first, 3);
    expect(next).toHaveLength(1);
    expect([suspect, ...next].sort()).toEqual([cellOf(1), cellOf(2)].sort());
    expect(await claimed(first, 3)).toEqual([cellOf(3)]);
  });

  test('counts deaths of workers, and neither interruptions nor what was not begun', async () => {
    await queue.add([taskOf(1)]);
    const [task] = await queue.claim(first, { count: 1, suspects: 1 });
    await queue.giveBack(first, [task?.job ?? '']);
    await claimed(first, 1);
    await queue.leave(first);
    await claimed(second, 1);
    expect(await retries()).toEqual([0]);
    await dies(second);
    await claimed(first, 1);
    expect(await retries()).toEqual([1]);
  });

  test('gives nothing back that another worker has by now', async () => {
    await queue.add([taskOf(1)]);
    const [task] = await queue.claim(first, { count: 1, suspects: 1 });
    await dies(first);
    await claimed(second, 1);
    await queue.giveBack(first, [task?.job ?? '']);
    expect(await claimed(first, 1)).toEqual([]);
  });

  test('gives up a cell that ten workers did not survive, and takes it when asked again', async () => {
    await queue.add([taskOf(1)]);
    for (let worker = 0; worker < 10; worker++) {
      await queue.beat(first);
      expect(await claimed(first, 1)).toEqual([cellOf(1)]);
      await dies(first);
    }
    expect(await claimed(second, 1)).toEqual([]);
    const { summary, ...other } = outcome(cellOf(1), '');
    await queue.settleLost(() => ({ ...other, reason: 'lost' }));
    expect((await store.outcomes([cellOf(1)])).get(cellOf(1))?.reason).toBe('lost');
    expect(summary).toBe('');
    await queue.add([taskOf(1)]);
    expect(await claimed(second, 1)).toEqual([cellOf(1)]);
  });
});
