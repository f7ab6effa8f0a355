import { setTimeout as sleep } from 'node:timers/promises';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Client } from 'pg';
import { Random } from '../../../../common/random/random';
import { hpcc } from '../../../support/command-line';
import { describeIf } from '../../../support/requires';
import {
  PostgresServer,
  childrenOf,
  ended,
  postgresFolder,
  startStudy,
} from '../../../support/study';

/** HPCC_STUDY_KILLS: how many; HPCC_STUDY_SEED: the first seed of them. */
const KILLS = Number(process.env['HPCC_STUDY_KILLS'] ?? 2);
const SEED = Number(process.env['HPCC_STUDY_SEED'] ?? 1);
const STUDY = `
name: kills
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
axes: [{ path: flows.0.bytes, range: { from: 10000, to: 29000, step: 1000 } }]
seeds: 1
figures: [fctUs.median]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;

let folder: string;
let file: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-kills-'));
  file = path.join(folder, 'study.yaml');
  fs.writeFileSync(file, STUDY);
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Id and figures of every finished cell. */
function figures(...where: string[]): unknown[] {
  const { stdout, stderr } = hpcc('study', 'results', file, ...where, '--format', 'json');
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { cell: string; figures: unknown }[]).map(
    ({ cell, figures: kept }) => ({
      cell,
      kept,
    }),
  );
}

function finish(...where: string[]): Record<string, unknown> {
  const { stdout, stderr } = hpcc('study', 'run', file, ...where, '--jobs', '2', '--json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a study whose processes are killed', () => {
  let undisturbed: unknown[];
  beforeAll(() => {
    finish('--folder', path.join(folder, 'undisturbed'));
    undisturbed = figures('--folder', path.join(folder, 'undisturbed'));
  }, 240_000);

  test('loses no cell in the process and counts none twice', async () => {
    const where = ['--folder', path.join(folder, 'embedded')];
    for (let seed = SEED; seed < SEED + KILLS; seed++) {
      const random = new Random(seed);
      const coordinator = startStudy('run', file, ...where, '--jobs', '2');
      await sleep(1000 + random.uniform() * 6000);
      coordinator.kill('SIGKILL');
      await ended(coordinator);
    }
    const counts = { cells: 20, done: 20, failed: 0, missing: 0 };
    expect({ seed: SEED, ...finish(...where) }).toMatchObject({ seed: SEED, ...counts });
    expect(figures(...where)).toEqual(undisturbed);
  }, 600_000);

  test('names the cell whose process was killed, and the others go on', async () => {
    const where = ['--folder', path.join(folder, 'child')];
    const coordinator = startStudy('run', file, ...where, '--jobs', '1');
    let children: number[] = [];
    while (children.length === 0 && coordinator.exitCode === null) {
      await sleep(20);
      children = childrenOf(coordinator.pid ?? 0);
    }
    for (const child of children) process.kill(child, 'SIGKILL');
    await ended(coordinator);
    const { stdout } = hpcc('study', 'status', file, ...where);
    expect(stdout).toContain('20 cells: 19 done, 1 failed, 0 missing');
    expect(stdout).toContain('its process was killed by SIGKILL');
  }, 240_000);

  const reason = 'no PostgreSQL server in /usr/lib/postgresql, or not root';
  describeIf(postgresFolder() !== undefined, 'on a PostgreSQL server', reason, () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await PostgresServer.start(path.join(folder, 'server'));
    }, 120_000);
    afterAll(() => server.stop());

    test('loses no cell when workers die and the database stops', async () => {
      const where = ['--database', server.url];
      const lease = ['--lease-seconds', '2'];
      const coordinator = startStudy('run', file, ...where, '--jobs', '1', ...lease);
      for (let seed = SEED; seed < SEED + KILLS; seed++) {
        const random = new Random(seed);
        const worker = startStudy('worker', ...where, '--jobs', '1', ...lease);
        await sleep(1000 + random.uniform() * 4000);
        worker.kill('SIGKILL');
        await ended(worker);
      }
      server.stop();
      await sleep(1000);
      server.start();
      await ended(coordinator);
      expect(finish(...where)).toMatchObject({ cells: 20, done: 20, failed: 0, asked: 0 });
      expect(figures(...where)).toEqual(undisturbed);
    }, 600_000);

    test('refuses tables of another version', async () => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('UPDATE study.tables SET version = 99');
      const { status, stderr } = hpcc('study', 'status', file, '--database', server.url);
      await client.query('UPDATE study.tables SET version = 1');
      await client.end();
      expect(status).toBe(1);
      expect(stderr).toMatch(/^hpcc: the database has tables of version 99, wanted 1: [^\n]*\n$/);
    }, 60_000);
  });
});
