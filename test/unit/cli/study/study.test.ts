import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpcc } from '../../../support/command-line';

let folder: string;
let file: string;
const SMALL = `
name: small
scenario:
  topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
  flows:
    - { from: h2, to: h1, bytes: 20000, startUs: 0 }
    - { from: h3, to: h1, bytes: 20000, startUs: 0 }
axes:
  - { path: flows.0.bytes, values: [10000, 20000] }
seeds: 2
figures: [fctUs.median, bottleneck.queuePeakBytes]
limits: { memoryMb: 512, timeoutSeconds: 120 }
`;

/** Runs a command on a study in the folder of the test. */
function study(command: string, text = SMALL, ...args: string[]) {
  fs.writeFileSync(file, text);
  return hpcc('study', command, file, '--folder', path.join(folder, 'o'), ...args);
}

interface Counts {
  readonly cells: number;
  readonly done: number;
  readonly failed: number;
  readonly missing: number;
  readonly asked: number;
}

function run(text = SMALL, ...args: string[]): Counts & { stderr: string; status: number | null } {
  const { stdout, stderr, status } = study('run', text, '--json', '--jobs', '2', ...args);
  if (stdout === '') throw new Error(stderr);
  return { ...(JSON.parse(stdout) as Counts), stderr, status };
}

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-study-'));
  file = path.join(folder, 'small.yaml');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

describe('hpcc study', () => {
  test('runs what is missing, and of a longer axis only the new cells', () => {
    expect(run()).toMatchObject({ cells: 4, done: 4, failed: 0, missing: 0, asked: 4, status: 0 });
    expect(run()).toMatchObject({ cells: 4, done: 4, asked: 0 });
    const longer = SMALL.replace('[10000, 20000]', '[10000, 20000, 30000]');
    expect(run(longer)).toMatchObject({ cells: 6, done: 6, asked: 2 });
    // What another figure shows was kept: nothing runs.
    const other = longer.replace('fctUs.median', 'allFlows.slowdown.p99');
    expect(run(other)).toMatchObject({ cells: 6, done: 6, asked: 0 });
  }, 240_000);

  test('fails a cell alone that needs more memory than there is, by its name', () => {
    const star = '{ kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }';
    const huge =
      '{ kind: leaf-spine, leaves: 60, spines: 60, hostsPerLeaf: 100, rateGbps: 100, delayNs: 1000 }';
    const hungry = SMALL.replace('memoryMb: 512', 'memoryMb: 400').replace(
      'path: flows.0.bytes, values: [10000, 20000]',
      `path: topology, values: [${star}, ${huge}], labels: [star, huge]`,
    );
    const { done, failed, missing, stderr, status } = run(hungry.replace('seeds: 2', 'seeds: 1'));
    expect({ done, failed, missing, status }).toEqual({
      done: 1,
      failed: 1,
      missing: 0,
      status: 1,
    });
    expect(stderr).toMatch(/cell [\da-f]{12} failed: needs more memory than 400 MB/);
  }, 240_000);

  test('fails a cell that takes too long, and runs it again when asked to', () => {
    const slow = SMALL.replace('timeoutSeconds: 120', 'timeoutSeconds: 0.01');
    const { failed, stderr } = run(slow.replace('seeds: 2', 'seeds: 1'));
    expect(failed).toBe(2);
    expect(stderr).toContain('failed: takes longer than 0.01 s');
    const again = SMALL.replace('seeds: 2', 'seeds: 1');
    expect(run(again)).toMatchObject({ failed: 2, asked: 0 });
    expect(run(again, '--retry-failed')).toMatchObject({ done: 2, failed: 0, asked: 2 });
  }, 240_000);

  test('repeats a cell to the same bytes, and takes records that others have left', () => {
    const one = SMALL.replace('seeds: 2', 'seeds: 1').replace('[10000, 20000]', '[10000]');
    fs.writeFileSync(file, one);
    const records = path.join(folder, 'o', 'cells');
    const left = hpcc('study', 'cell', '--study', file, '--index', '0', '--record', records);
    expect(left.stderr).toBe('');
    const record = JSON.parse(fs.readFileSync(left.stdout.trim(), 'utf8')) as {
      cell: string;
      summary: unknown;
    };
    expect(run(one)).toMatchObject({ cells: 1, done: 1, asked: 0 });
    const repeated = hpcc('study', 'cell', record.cell.slice(0, 10), '--study', file);
    expect(repeated.stdout).toBe(`${JSON.stringify(record.summary)}\n`);
  }, 240_000);

  test('writes a page, CSV and Parquet', () => {
    run();
    const page = study('report', SMALL, '--out', folder);
    expect(page.stderr).toBe('');
    const html = fs.readFileSync(path.join(folder, 'report.html'), 'utf8');
    expect(html).toContain('./hpcc study run');
    expect(html).toContain('fctUs.median');
    expect(html).not.toMatch(/<script[^>]+src=/);
    const csv = study('results', SMALL, '--format', 'csv').stdout;
    const lines = csv.trim().split(/\r?\n/);
    expect(lines).toHaveLength(5);
    expect(lines[0]).toContain('cell,flows.0.bytes,seed,fctUs.median,bottleneck.queuePeakBytes');
    const parquet = path.join(folder, 'results.parquet');
    expect(study('results', SMALL, '--format', 'parquet', '--out', parquet).stderr).toBe('');
    const bytes = fs.readFileSync(parquet);
    expect([bytes.subarray(0, 4), bytes.subarray(-4)].map(String)).toEqual(['PAR1', 'PAR1']);
    expect(study('status').stdout).toBe('4 cells: 4 done, 0 failed, 0 missing\n');
    expect(study('clean').stdout).toBe('forgot 4 outcomes\n');
  }, 240_000);

  test.each([
    ['an axis that the scenario does not have', ['flows.0.bytes', 'flows.0.octets'], 'octets'],
    ['a value that the scenario refuses', ['[10000, 20000]', '[10000, -1]'], 'flows.0.bytes = -1'],
    ['an element that is not there', ['flows.0.bytes', 'flows.9.bytes'], 'list of 2'],
  ])('refuses %s with its line, before anything runs', (_what, [from = '', to = ''], part) => {
    const { status, stderr } = study('run', SMALL.replace(from, to));
    expect(status).toBe(1);
    expect(stderr).toContain('small.yaml:9: axes[0]:');
    expect(stderr).toContain(part);
    expect(fs.existsSync(path.join(folder, 'o'))).toBe(false);
  });

  test('asks before a grid that nobody means', () => {
    const seeds = SMALL.replace('seeds: 2', 'seeds: 500000');
    const { status, stderr } = study('run', seeds);
    expect(status).toBe(1);
    expect(stderr).toContain('has 1000000 cells, more than 100000: --yes if that is meant');
  });

  test('estimates without keeping anything', () => {
    const { stdout } = study('run', SMALL, '--dry-run', '--jobs', '2');
    expect(stdout).toMatch(
      /^4 cells, 2 at a time; tried 3 of them:\nabout [\d.]+ s and up to \d+ MB/,
    );
    expect(fs.existsSync(path.join(folder, 'o'))).toBe(false);
  }, 240_000);
});
