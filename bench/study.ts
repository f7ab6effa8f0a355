import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../common/errors';
import { middle } from './live/slow-port';
import { loadStudy } from '../emulator/study/io/load-study';
import { StudySession } from '../emulator/study/io/study-session';
import { PostgresServer, postgresFolder } from './live/postgres-server';

/** Cells of incast16 one after the other and two at a time, in turn: medians of the rounds. */
export async function benchStudy(cells: number, rounds: number): Promise<object> {
  return inFolder(async (folder) => {
    const file = path.join(folder, 'study.yaml');
    fs.writeFileSync(file, incastStudy(cells));
    const runs: BothWays[] = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(await bothWays(file, path.join(folder, `round-${round}`)));
    }
    const [first] = runs;
    const again = await secondsOf(() => ended('run', file, '--folder', first?.folders[1] ?? ''));
    const texts: string[][] = [];
    for (const each of runs.flatMap(({ folders }) => folders))
      texts.push(await summaries(file, each));
    const ofAll = (value: (run: BothWays) => number): number => middle(runs.map(value), 2);
    return {
      cells,
      secondsOneAfterTheOther: ofAll(({ alone }) => alone),
      secondsTwoAtATime: ofAll(({ together }) => together),
      timesAsFast: ofAll(({ alone, together }) => alone / together),
      secondsOfRounds: runs.map(({ alone, together }) => [rounded(alone), rounded(together)]),
      sameBytes: texts.every((each) => each.length === cells && each.join() === texts[0]?.join()),
      secondsOfFinishedStudy: rounded(again),
    };
  });
}

interface BothWays {
  readonly alone: number;
  readonly together: number;
  readonly folders: readonly [string, string];
}

async function bothWays(file: string, folder: string): Promise<BothWays> {
  const folders = [path.join(folder, '1'), path.join(folder, '2')] as const;
  const seconds = (out: string, jobs: number): Promise<number> =>
    secondsOf(() => ended('run', file, '--folder', out, '--jobs', String(jobs)));
  const alone = await seconds(folders[0], 1);
  return { alone, together: await seconds(folders[1], 2), folders };
}

/** Short cells on a PostgreSQL server with eight workers: undisturbed, and with the server away for 10 s. */
export async function benchStudyWorkers(cells: number): Promise<object> {
  if (postgresFolder() === undefined) {
    throw new InputError(
      'study-workers needs root, and a PostgreSQL server in /usr/lib/postgresql',
    );
  }
  return inFolder(async (folder) => {
    const server = await PostgresServer.start(path.join(folder, 'server'));
    try {
      const undisturbed = await withWorkers(folder, server, { from: 1, count: cells });
      const next = { from: cells + 1, count: cells, awayAfterSeconds: undisturbed.seconds / 3 };
      const disturbed = await withWorkers(folder, server, next);
      return { cells, workers: WORKERS, undisturbed, databaseAwayFor10Seconds: disturbed };
    } finally {
      server.stop();
    }
  });
}

const WORKERS = 8;
const AWAY_SECONDS = 10;

interface Load {
  readonly from: number;
  readonly count: number;
  readonly awayAfterSeconds?: number;
}

async function withWorkers(folder: string, server: PostgresServer, load: Load) {
  const file = path.join(folder, `from-${load.from}.yaml`);
  fs.writeFileSync(file, shortStudy(load));
  const where = ['--database', server.url, '--jobs', '1', '--json'];
  const workers = Array.from({ length: WORKERS }, () => started('worker', ...where));
  const startedAt = performance.now();
  const run = started('run', file, ...where);
  try {
    return await measured(server, load, { startedAt, run, workers });
  } finally {
    for (const { stop } of [run, ...workers]) stop();
  }
}

interface LoadFigures extends Record<'done' | 'failed' | 'missing', number | undefined> {
  readonly seconds: number;
  readonly byWorkers: number;
  readonly processorMsPerCell: number;
  readonly waitMsPerCell: number;
}

interface Processes {
  readonly startedAt: number;
  readonly run: Process;
  readonly workers: readonly Process[];
}

async function measured(
  server: PostgresServer,
  load: Load,
  { startedAt, run, workers }: Processes,
): Promise<LoadFigures> {
  if (load.awayAfterSeconds !== undefined) {
    await sleep(load.awayAfterSeconds * 1000);
    server.stop();
    await sleep(AWAY_SECONDS * 1000);
    server.start();
  }
  const counts = objectOf('run', await run.ended) as Record<string, number>;
  const seconds = rounded((performance.now() - startedAt) / 1000);
  for (const { stop } of workers) stop();
  const texts = await Promise.all(workers.map((worker) => worker.ended));
  const figures = texts.map((text) => objectOf('worker', text) as WorkerFigures);
  const sum = (key: keyof WorkerFigures): number =>
    figures.reduce((total, each) => total + each[key], 0);
  const { done, failed, missing } = counts;
  return {
    done,
    failed,
    missing,
    seconds,
    byWorkers: sum('cells'),
    processorMsPerCell: rounded(sum('processorMs') / sum('cells')),
    waitMsPerCell: rounded(sum('waitMs') / sum('cells')),
  };
}

interface WorkerFigures {
  readonly cells: number;
  readonly processorMs: number;
  readonly waitMs: number;
}

const incastStudy = (cells: number): string => `
{ name: bench, base: incast16, seeds: ${cells}, figures: [fctUs.median], limits: { memoryMb: 1024 } }
`;

const shortStudy = ({ from, count }: Load): string => `
name: bench
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
seeds: { from: ${from}, count: ${count} }
figures: [fctUs.median]
limits: { memoryMb: 512 }
`;

interface Process {
  readonly ended: Promise<string>;
  readonly stop: () => void;
}

function objectOf(what: string, text: string): unknown {
  if (text === '') throw new InputError(`hpcc study ${what} has ended without a figure`);
  return JSON.parse(text);
}

/** `hpcc study …` as this command line starts it. */
function started(...args: string[]): Process {
  const command = [process.argv[1] ?? '', 'study', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString('utf8')));
  const over = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
  return { ended: over, stop: () => void child.kill('SIGTERM') };
}

const ended = (...args: string[]): Promise<string> => started(...args).ended;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return (performance.now() - from) / 1000;
}

/** Texts that the cells of a finished study have left, in the order of the cells. */
async function summaries(file: string, folder: string): Promise<string[]> {
  const session = await StudySession.open(loadStudy(file), { folder });
  try {
    return (await session.state()).flatMap(({ outcome }) => outcome?.summary ?? []);
  } finally {
    await session.close();
  }
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bench-study-'));
  try {
    return await use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const rounded = (value: number): number => Number(value.toFixed(2));
