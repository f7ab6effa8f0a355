import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { hpcc, hpccHere } from '../../../support/command-line';
import type { Outcome } from '../../../support/command-line';
import { MAIN, ended, startStudy } from '../../../support/study';

const STAR = '{ kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }';
const SMALL = `
name: small
scenario:
  topology: ${STAR}
  flows:
    - { from: h2, to: h1, bytes: 20000, startUs: 0 }
    - { from: h3, to: h1, bytes: 20000, startUs: 0 }
axes:
  - { path: flows.0.bytes, values: [10000, 20000] }
seeds: 2
figures: [fctUs.median, bottleneck.queuePeakBytes]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;
const ONE_SEED = SMALL.replace('seeds: 2', 'seeds: 1');

let base: string;
beforeAll(() => (base = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-study-'))));
afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

/** A study of a test in a folder of its own. */
class Study {
  readonly folder = fs.mkdtempSync(path.join(base, 's-'));
  readonly file = path.join(this.folder, 'small.yaml');
  readonly out = path.join(this.folder, 'o');

  constructor(text = SMALL) {
    this.is(text);
  }

  is(text: string): this {
    fs.writeFileSync(this.file, text);
    return this;
  }

  command(name: string, ...args: string[]): Promise<Outcome> {
    return hpccHere(...this.#words(name, args));
  }

  /** Runs it as its user does, in a process of its own. */
  runApart(...args: string[]): Record<string, unknown> {
    return countsOf(hpcc(...this.#words('run', ['--json', ...args])));
  }

  async run(...args: string[]): Promise<Record<string, unknown>> {
    return countsOf(await this.command('run', '--json', '--jobs', '1', ...args));
  }

  #words(name: string, args: readonly string[]): string[] {
    return ['study', name, this.file, '--folder', this.out, ...args];
  }
}

function countsOf({ stdout, stderr, status }: Outcome): Record<string, unknown> {
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as object), stderr, status };
}

describe('a study of four cells', () => {
  let study: Study;
  let first: Record<string, unknown>;
  beforeAll(() => {
    study = new Study();
    first = study.runApart('--jobs', '2');
  });

  test('runs once: again nothing is missing, and of a longer axis only the new cells', async () => {
    expect(first).toMatchObject({ cells: 4, done: 4, failed: 0, missing: 0, asked: 4, status: 0 });
    expect(await study.run()).toMatchObject({ cells: 4, done: 4, asked: 0 });
    study.is(SMALL.replace('[10000, 20000]', '[10000, 20000, 30000]'));
    expect(await study.run()).toMatchObject({ cells: 6, done: 6, asked: 2 });
  });

  test('shows other figures of the same runs without running them', async () => {
    study.is(SMALL.replace('fctUs.median', 'allFlows.slowdown.p99'));
    const { stdout } = await study.command('status');
    expect(stdout).toMatch(/^4 cells: 4 done, 0 failed, 0 missing\n\nbytes, flows 0 +p99 slowdown/);
    expect(stdout).toMatch(/\n\nEach of 4 finished cells took .* s, .* MB\.\n$/);
    study.is(SMALL);
  });

  test('has a page with its table, and Parquet', async () => {
    const page = await study.command('report', '--out', study.folder);
    expect(page.stderr).toBe('');
    const html = fs.readFileSync(path.join(study.folder, 'report.html'), 'utf8');
    expect(html).toContain('./hpcc study run');
    expect(html).toContain('median FCT');
    expect(html).not.toMatch(/<script[^>]+src=/);
    const lines = fs.readFileSync(path.join(study.folder, 'results.csv'), 'utf8').trim();
    expect(lines.split(/\r?\n/)).toHaveLength(5);
    expect(lines).toContain('cell,"bytes, flows 0",seed,median FCT (us),peak queue (bytes)');
    const parquet = path.join(study.folder, 'results.parquet');
    const args = ['--format', 'parquet', '--out', parquet];
    expect((await study.command('results', ...args)).stderr).toBe('');
    const bytes = fs.readFileSync(parquet);
    expect([bytes.subarray(0, 4), bytes.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
  });

  test('is not finished when its outcomes are forgotten', async () => {
    expect((await study.command('clean')).stdout).toBe('forgot 4 outcomes\n');
    expect(fs.existsSync(path.join(study.out, 'finished.json'))).toBe(false);
  });
});

test('a cell that needs more memory than there is fails alone, by its name', async () => {
  const huge =
    '{ kind: leaf-spine, leaves: 60, spines: 60, hostsPerLeaf: 100, rateGbps: 100, delayNs: 1000 }';
  const hungry = ONE_SEED.replace('memoryMb: 512', 'memoryMb: 192').replace(
    'path: flows.0.bytes, values: [10000, 20000]',
    `path: topology, values: [${huge}, ${STAR}], labels: [huge, star]`,
  );
  const { stderr, ...counts } = await new Study(hungry).run();
  expect(counts).toMatchObject({ done: 1, failed: 1, missing: 0, status: 1 });
  expect(stderr).toMatch(/^hpcc: cell [\da-f]{12} failed: needs more memory than 192 MB\n$/);
});

test('a cell repeats to the same bytes, and tasks of batch systems leave records that are taken', async () => {
  const study = new Study(ONE_SEED);
  const emit = async (kind: string) =>
    (await study.command('emit', '--kind', kind, '--command', `${process.execPath} ${MAIN}`))
      .stdout;
  const job = parse(await emit('kubernetes')) as {
    spec: { template: { spec: { containers: { command: string[] }[] } } };
  };
  const [, , inContainer = ''] = job.spec.template.spec.containers[0]?.command ?? [];
  const shell = (text: string, env: Record<string, string>) =>
    spawnSync('/bin/sh', ['-c', text], { encoding: 'utf8', env: { ...process.env, ...env } });
  const left = [
    shell(await emit('slurm'), { SLURM_ARRAY_TASK_ID: '0' }),
    shell(inContainer, { JOB_COMPLETION_INDEX: '1' }),
  ];
  expect(left.map(({ stderr }) => stderr)).toEqual(['', '']);
  const record = JSON.parse(fs.readFileSync(left[0]?.stdout.trim() ?? '', 'utf8')) as {
    cell: string;
    summary: unknown;
  };
  expect(await study.run()).toMatchObject({ cells: 2, done: 2, asked: 0 });
  expect((await study.command('clean', '--failed')).stdout).toBe('forgot 0 outcomes\n');
  expect(fs.readdirSync(path.join(study.out, 'cells'))).toHaveLength(2);
  expect((await study.command('clean')).stdout).toBe('forgot 2 outcomes\n');
  expect((await study.command('status')).stdout).toMatch(/^2 cells: 0 done, 0 failed, 2 missing\n/);
  const repeated = await hpccHere('study', 'cell', record.cell.slice(0, 10), '--study', study.file);
  expect(repeated.stdout).toBe(`${JSON.stringify(record.summary)}\n`);
});

test('a folder is for one command at a time, and status says how far that one is', async () => {
  const study = new Study(SMALL.replace('seeds: 2', 'seeds: 500'));
  const running = startStudy('run', study.file, '--folder', study.out, '--jobs', '1');
  const told = path.join(study.out, 'progress.json');
  const done = (): number =>
    fs.existsSync(told) ? (JSON.parse(fs.readFileSync(told, 'utf8')) as { done: number }).done : 0;
  while (done() === 0 && running.exitCode === null) await sleep(50);
  const { stdout, stderr } = await study.command('status');
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^1000 cells: \d+ done, 0 failed, \d+ missing\nrunning, 1 worker: .+ left/,
  );
  expect(stdout).toContain('median FCT');
  const second = await study.command('run');
  expect(second.stderr).toBe(
    `hpcc: ${study.out} is in use by another hpcc study: wait for it, or interrupt it\n`,
  );
  running.kill('SIGINT');
  await ended(running);
  expect(running.exitCode).toBe(130);
  expect((await study.command('status')).stdout).toMatch(
    /^1000 cells: [1-9]\d* done, 0 failed, \d+ miss/,
  );
});

describe('what nobody can mean', () => {
  test.each([
    ['an axis that the scenario does not have', ['flows.0.bytes', 'flows.0.octets'], 'octets'],
    ['a value that the scenario refuses', ['[10000, 20000]', '[10000, -1]'], 'flows.0.bytes = -1'],
    ['an element that is not there', ['flows.0.bytes', 'flows.9.bytes'], 'list of 2'],
  ])(
    'is %s, refused with its line before anything runs',
    async (_what, [from = '', to = ''], part) => {
      const study = new Study(SMALL.replace(from, to));
      const { status, stderr } = await study.command('run');
      expect(status).toBe(1);
      expect(stderr).toMatch(/small\.yaml:9: axes\[0\]: [^\n]*\n$/);
      expect(stderr).toContain(part);
      expect(fs.existsSync(study.out)).toBe(false);
    },
  );

  test('is a million values, of which none is tried', async () => {
    const range = 'range: { from: 1000, to: 2000, count: 1000000 }';
    const study = new Study(ONE_SEED.replace('values: [10000, 20000]', range));
    const { stderr } = await study.command('run');
    expect(stderr).toMatch(/has 1000000 cells, more than 100000: --yes if that is meant\n$/);
  }, 10_000);

  test.each([
    [['--record', 'r', '--out', 'o'], '--record and --out: give one of them'],
    [['--record', 'r', '--kept', 'k'], '--kept and --record: give one of them'],
    [['--keep', 'k'], '--keep: needs --record with a folder'],
    [['--index', '4', '--record', 'r'], 'no cell with index 4'],
  ])('is a cell with %p', async (args, part) => {
    const study = new Study();
    const index = args.includes('--index') ? [] : ['--index', '0'];
    const { status, stderr } = await hpccHere(
      'study',
      'cell',
      '--study',
      study.file,
      ...index,
      ...args,
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^hpcc: [^\n]*\n$/);
    expect(stderr).toContain(part);
    expect(fs.existsSync('r')).toBe(false);
  });

  test('is a million cells, unless it is said twice', async () => {
    const { status, stderr } = await new Study(SMALL.replace('seeds: 2', 'seeds: 500000')).command(
      'run',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/has 1000000 cells, more than 100000: --yes if that is meant\n$/);
  });

  test('is a folder that cannot be written', async () => {
    const study = new Study();
    const { status, stderr } = await hpccHere(
      'study',
      'run',
      study.file,
      '--folder',
      '/proc/study',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(/^hpcc: --out \/proc\/study: wanted a folder [^\n]*\n$/);
  });
});

test('a dry run estimates and keeps nothing, with a database or without', async () => {
  const study = new Study();
  const nowhere = ['--database', 'postgres://nobody@127.0.0.1:1/none'];
  const { stdout } = await study.command('run', '--dry-run', '--jobs', '2', ...nowhere);
  expect(stdout).toMatch(
    /^4 cells, 2 at a time; tried 3 of them:\nabout [\d.]+ s and up to \d+ MB/,
  );
  expect(fs.existsSync(study.out)).toBe(false);
});
