import type { ChildProcess } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PostgresServer, postgresFolder } from '../../../../bench/live/postgres-server';
import { Random } from '../../../../common/random/random';
import { hpccHere } from '../../../support/command-line';
import { describeIf } from '../../../support/requires';
import { childrenOf, ended, startStudy } from '../../../support/study';
import { EFFORT, SEED } from '../../../support/effort';

const KILLS = EFFORT;
const SEEDS = Array.from({ length: KILLS }, (_, i) => SEED + i);
/** So many that there is work left at the last kill; a few more than nothing in short runs. */
const CELLS = 10 + 180 * (KILLS - 1);
/** Life of a process until it is killed. Several seconds go by before the first cell. */
const LIFE_MS = { least: 1000, spread: KILLS === 1 ? 2000 : 8000 };
/** In which a process has its first cell, and is not yet done with it. */
const FIRST_CELL_MS = 300;
const STUDY = `
name: kills
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
axes: [{ path: flows.0.bytes, range: { from: 10000, to: ${10000 + 1000 * (CELLS - 1)}, step: 1000 } }]
seeds: 1
figures: [fctUs.median]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;
const TIMEOUT_MS = 240_000 + KILLS * 60_000;

let folder: string;
let file: string;
let undisturbed: unknown[];
beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-kills-'));
  file = path.join(folder, 'study.yaml');
  fs.writeFileSync(file, STUDY);
  const where = ['--folder', path.join(folder, 'undisturbed')];
  await finish(...where);
  undisturbed = await figures(...where);
}, TIMEOUT_MS);
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Id and figures of every finished cell. */
async function figures(...where: string[]): Promise<unknown[]> {
  const { stdout, stderr } = await hpccHere('study', 'results', file, ...where, '--format', 'json');
  if (stdout === '') throw new Error(stderr);
  const rows = JSON.parse(stdout) as { cell: string; figures: unknown }[];
  return rows.map(({ cell, figures: kept }) => ({ cell, kept }));
}

async function finish(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await hpccHere('study', 'run', file, '--jobs', '1', '--json', ...args);
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const lifeMs = (random: Random): number => LIFE_MS.least + random.uniform() * LIFE_MS.spread;

/** Kills a process that is alive. Returns whether it was. */
async function kill(process: ChildProcess): Promise<boolean> {
  const wasAlive = process.exitCode === null && process.signalCode === null;
  process.kill('SIGKILL');
  await ended(process);
  return wasAlive;
}

const all = { cells: CELLS, done: CELLS, failed: 0, missing: 0 };

test(
  `in a folder, killed coordinators lose no cell and count none twice: seeds ${SEEDS.join(' ')}`,
  async () => {
    const where = ['--folder', path.join(folder, 'embedded')];
    let killed = 0;
    for (const seed of SEEDS) {
      const coordinator = startStudy('run', file, ...where, '--jobs', '2');
      await sleep(lifeMs(new Random(seed)));
      if (await kill(coordinator)) killed++;
    }
    expect(killed).toBe(KILLS);
    expect(await finish(...where)).toMatchObject(all);
    expect(await figures(...where)).toEqual(undisturbed);
  },
  TIMEOUT_MS,
);

test(
  `a killed process is a failed cell with its reason, and the others go on: seeds ${SEEDS.join(' ')}`,
  async () => {
    const where = ['--folder', path.join(folder, 'child')];
    const coordinator = startStudy('run', file, ...where, '--jobs', '1');
    // A process that is killed before there are cells to run has none to fail.
    const progress = path.join(folder, 'child', 'progress.json');
    while (!fs.existsSync(progress) && coordinator.exitCode === null) await sleep(20);
    for (const seed of SEEDS) {
      await sleep(KILLS === 1 ? FIRST_CELL_MS : lifeMs(new Random(seed)));
      let children: number[] = [];
      while (children.length === 0 && coordinator.exitCode === null) {
        await sleep(20);
        children = childrenOf(coordinator.pid ?? 0);
      }
      for (const child of children) process.kill(child, 'SIGKILL');
    }
    await ended(coordinator);
    const { stdout } = await hpccHere('study', 'status', file, ...where, '--json');
    const { done, failed, missing, reasons } = JSON.parse(stdout) as Record<string, number>;
    expect([failed, missing]).toEqual([KILLS, 0]);
    expect(done).toBe(CELLS - KILLS);
    expect(JSON.stringify(reasons)).toContain('its process was killed by SIGKILL');
    expect(await finish(...where, '--retry-failed')).toMatchObject(all);
    expect(await figures(...where)).toEqual(undisturbed);
  },
  TIMEOUT_MS,
);

const NAME = 'study-coordinator';

/** The same options with an address by which the server knows who that is. */
const named = (where: readonly string[], { url }: PostgresServer): string[] =>
  where.map((part) => (part === url ? `${url}?application_name=${NAME}` : part));

/** When the coordinator works on cells, of which its signs of life tell, or has ended. */
async function atWork({ url }: PostgresServer, coordinator: ChildProcess): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const text =
    "SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%study.worker%'";
  while (coordinator.exitCode === null && (await client.query(text, [NAME])).rowCount === 0) {
    await sleep(50);
  }
  await client.end();
}

const reason = 'no PostgreSQL server in /usr/lib/postgresql, or not root';
describeIf(postgresFolder() !== undefined, 'on a PostgreSQL server', reason, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start(path.join(folder, 'server'));
  }, TIMEOUT_MS);
  afterAll(() => server.stop());

  test(
    `killed coordinators and workers, and a database that stops, lose no cell: seeds ${SEEDS.join(' ')}`,
    async () => {
      const where = ['--database', server.url, '--lease-seconds', '2', '--jobs', '1'];
      const start = {
        coordinator: () => startStudy('run', file, ...named(where, server)),
        worker: () => startStudy('worker', ...where),
      };
      const alive = { coordinator: start.coordinator(), worker: start.worker() };
      let killed = 0;
      for (const seed of SEEDS) {
        const random = new Random(seed);
        await sleep(lifeMs(random));
        const victim = random.uniform() < 0.5 ? 'coordinator' : 'worker';
        if (await kill(alive[victim])) killed++;
        alive[victim] = start[victim]();
      }
      // Who finds no server at first is told so and ends; what is looked at here comes later.
      await atWork(server, alive.coordinator);
      server.stop();
      await sleep(1000);
      server.start();
      await ended(alive.coordinator);
      await kill(alive.worker);
      expect(killed).toBe(KILLS);
      expect(await finish('--database', server.url)).toMatchObject({ ...all, asked: 0 });
      expect(await figures('--database', server.url)).toEqual(undisturbed);
    },
    TIMEOUT_MS,
  );

  test(
    'tables of another version are refused in one sentence',
    async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('UPDATE study.tables SET version = 99');
      const { status, stderr } = await hpccHere('study', 'status', file, '--database', server.url);
      await client.query('UPDATE study.tables SET version = 1');
      await client.end();
      expect(status).toBe(1);
      expect(stderr).toMatch(/^hpcc: the database has tables of version 99, wanted 1: [^\n]*\n$/);
    },
    TIMEOUT_MS,
  );
});
