import { spawn, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parse, stringify } from 'yaml';
import { repositoryRoot } from '../../common/io/repository';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import { pageDataOf } from '../support/page';
import { BMV2, missingForBmv2, missingForMininet } from '../support/mininet-requirements';
import { EFFORT } from '../support/effort';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';

const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
const MISSING = missingForMininet();
const TIMEOUT_MS = 180_000;
const SHORT = ['seconds=6', 'rate=5', 'hostRate=10', 'rttUs=10000'].flatMap((each) => [
  '--set',
  each,
]);
/** Exit code of `--check`: the run is not valid, or misses a bar. */
const NOT_GOOD = 3;

const withFolder = async (use: (folder: string) => Promise<void> | void): Promise<void> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-experiment-'));
  try {
    await use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};

interface RunDocument {
  readonly bars: readonly { readonly bar: string; readonly isMet: boolean }[];
  readonly runs: readonly { readonly figures: object }[];
}

/**
 * Runs the experiment and checks its results. How full the link was is a matter of who else uses the
 * machine: `--check` has to say it, and nothing else is asked of it here.
 */
function checkRun(folder: string, ...options: readonly string[]): void {
  const flags = ['--json', '--realtime', '--check', '--out', folder];
  const argv = [MAIN, 'mininet', 'single-flow', ...flags, ...SHORT, ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (stdout === '') throw new Error(`hpcc mininet ended with ${status ?? 'a signal'}: ${stderr}`);
  expect(stderr).toContain('ready');
  const [{ bars, runs }] = JSON.parse(stdout) as [RunDocument];
  expect(runs[0]?.figures).toMatchObject({ drops: 0, lostBytes: 0, rateMbps: 5 });
  expect(bars.map(({ bar }) => bar)).toEqual([
    'utilisation at least 93 %',
    'queue p99 at most 5 packets',
    'drops at most 0',
  ]);
  expect(bars.at(-1)?.isMet).toBe(true);
  const text = fs.readFileSync(path.join(folder, 'result.json'), 'utf8');
  const result = mininetResultSchema.parse(JSON.parse(text));
  const isGood = result.machine.valid && bars.every(({ isMet }) => isMet);
  expect(status).toBe(isGood ? 0 : NOT_GOOD);
  expect(result.flows).toMatchObject([{ source: 'h1', destination: 'h2' }]);
  expect(result.flows[0]?.deliveredBytes).toBeGreaterThan(100_000);
  expect(result.counters.telemetryRecords).toBeGreaterThan(100);
  expect(Object.values(result.machine.exitCodes)).not.toContain(1);
  const page = fs.readFileSync(path.join(folder, 'report.html'), 'utf8');
  expect(page).toContain('"Machine"');
}

describeIf(MISSING === '', 'an experiment under Mininet on the embedded switch', MISSING, () => {
  test(
    'brings a result, a report, a capture, and the same run in the emulator',
    () =>
      withFolder((folder) => {
        checkRun(folder, '--pcap');
        expect(fs.statSync(path.join(folder, 's1-eth3.pcap')).size).toBeGreaterThan(10_000);
        const page = pageDataOf(fs.readFileSync(path.join(folder, 'comparison.html'), 'utf8'));
        expect(page.opening[0]?.rows?.[0]).toEqual(['', 'Mininet', 'emulator']);
      }),
    TIMEOUT_MS,
  );

  test(
    'ends in good order on an interrupt',
    () =>
      withFolder(async (folder) => {
        const argv = [MAIN, 'mininet', 'single-flow', '--out', folder, '--set', 'seconds=60'];
        const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
        let said = '';
        child.stderr.on('data', (piece: Buffer) => {
          const before = said;
          said += piece.toString();
          if (!before.includes('ready') && said.includes('ready')) child.kill('SIGINT');
        });
        const code = await new Promise((resolve) => child.on('close', resolve));
        expect(code).toBe(130);
        const record = JSON.parse(fs.readFileSync(path.join(folder, 'run.json'), 'utf8')) as object;
        expect(record).toMatchObject({ interrupted: true });
      }),
    TIMEOUT_MS,
  );
});

const MISSING_BMV2 = missingForBmv2();

/** PERF: by default one experiment is run on bmv2, one of hosts with several paths. */
const lack = EFFORT > 1 ? MISSING_BMV2 : 'HPCC_EFFORT is 1';
describeIf(lack === '', 'an experiment under Mininet on bmv2', lack, () => {
  test(
    'brings a result and a report',
    () =>
      withFolder((folder) => {
        checkRun(folder, '--switch', 'bmv2', '--bmv2', BMV2, '--no-compare');
      }),
    TIMEOUT_MS,
  );
});

/** A host loses a link to one of two planes: what it sends goes on over the other one. */
function checkSeveralLinks(folder: string, ...options: readonly string[]): void {
  const short = ['seconds=5', 'failAt=2', 'rate=5', 'rttUs=15000'].flatMap((each) => [
    '--set',
    each,
  ]);
  const flags = ['--json', '--realtime', '--no-compare', '--out', folder];
  const argv = [MAIN, 'mininet', 'two-nics', ...flags, ...short, ...options];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const [{ runs }] = JSON.parse(stdout) as [RunDocument];
  expect(runs[0]?.figures).toMatchObject({
    lostBytes: 0,
    recoverySeconds: expect.any(Number) as number,
  });
  const text = fs.readFileSync(path.join(folder, 'result.json'), 'utf8');
  const { flows, machine } = mininetResultSchema.parse(JSON.parse(text));
  expect(flows.map(({ source, destination }) => `${source} ${destination}`)).toEqual([
    'h1 h3',
    'h2 h4',
  ]);
  expect(Object.values(machine.exitCodes)).not.toContain(1);
  const samples = fs.readFileSync(path.join(folder, 'ports.jsonl'), 'utf8').trim().split('\n');
  const last = JSON.parse(samples.at(-1) ?? '') as { ports: Record<string, { rxBytes: number }> };
  // Data of h1 by both of its links, of h2 by its second one.
  for (const port of ['s1:1', 's2:1', 's2:2']) {
    expect(last.ports[port]?.rxBytes).toBeGreaterThan(300_000);
  }
}

/** The case of `usid-paths` over whole paths, alone. */
function ownExperiment(folder: string): string {
  const shipped = path.join(repositoryRoot(), 'mininet', 'experiments', 'usid-paths.yaml');
  const {
    cases: _,
    bars: __,
    ...own
  } = parse(fs.readFileSync(shipped, 'utf8')) as {
    cases: unknown;
    bars: unknown;
  };
  const file = path.join(folder, 'own.yaml');
  fs.writeFileSync(file, stringify(own));
  return file;
}

/** Four flows whose hosts write paths over four spines: each spine carries a quarter. */
function checkSourceRouting(folder: string, ...options: readonly string[]): void {
  const short = ['seconds=6', 'rate=4', 'rttUs=30000'].flatMap((each) => ['--set', each]);
  const flags = ['--json', '--realtime', '--no-compare', '--out', path.join(folder, 'out')];
  const argv = [MAIN, 'mininet', ownExperiment(folder), ...flags, ...short, ...options];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  const text = fs.readFileSync(path.join(folder, 'out', 'result.json'), 'utf8');
  const { figures, flows, links, machine } = mininetResultSchema.parse(JSON.parse(text));
  expect(figures).toMatchObject({ drops: 0, lostBytes: 0 });
  expect(figures['reorderedPackets']).toBeGreaterThan(0);
  expect(Object.values(machine.exitCodes)).not.toContain(1);
  for (const { deliveredBytes } of flows) expect(deliveredBytes).toBeGreaterThan(300_000);
  for (const leaf of ['leaf1', 'leaf2']) {
    const carried = links.filter(({ name }) => name.startsWith(leaf) && name.includes('->spine'));
    const packets = carried.map((link) => link.packets);
    expect(packets).toHaveLength(4);
    expect(Math.min(...packets)).toBeGreaterThan(0.7 * Math.max(...packets));
  }
}

const KINDS = [
  ['the embedded switch', MISSING, []],
  ['bmv2', MISSING_BMV2, ['--switch', 'bmv2', '--bmv2', BMV2]],
] as const;

const isElsewhere = (kind: string): boolean =>
  EFFORT === 1 && kind !== (MISSING_BMV2 === '' ? 'bmv2' : 'the embedded switch');

/** Who has several paths; by default the first: each starts switches and hosts for some ten seconds. */
const OWNERS = sampled(
  'owners of several paths',
  [
    ['with two links use both, and the one that is left', checkSeveralLinks],
    ['that write paths spread packets of flows and answers over all', checkSourceRouting],
  ] as const,
  2,
);

for (const [kind, lacking, options] of KINDS) {
  const missing = isElsewhere(kind) ? 'HPCC_EFFORT is 1' : lacking;
  describeIf(missing === '', `hosts under Mininet on ${kind}`, missing, () => {
    test.each(OWNERS)(
      '%s',
      (_what, check) => withFolder((folder) => check(folder, ...options)),
      TIMEOUT_MS,
    );
  });
}
