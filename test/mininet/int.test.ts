import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { mininetResultSchema } from '../../mininet/figures/mininet-result';
import { ROOT } from '../support/paths';
import { BMV2, missingForBmv2, missingForMininet } from '../support/mininet-requirements';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';

const MAIN = path.join(ROOT, 'build', 'cli', 'main.js');
const TIMEOUT_MS = 120_000;
const MISSING = missingForMininet('iperf3', 'curl');

const LOOK_MS = 250;
/** The last hop of the flow between the first two hosts. */
const LAST_HOP =
  /hpcc_int_flow_latency_seconds_total\{flow="10\.0\.0\.1:\d+ -> 10\.0\.0\.2:5201 tcp",hop="3",node="3"\}/;

/** Metrics that the collector of a run serves, asked for on its host. */
function servedMetrics(): string {
  const enter = ['-m', 'hpccnet', 'enter', 'int-', 'h4'];
  const ask = ['curl', '-s', 'http://127.0.0.1:9404/metrics'];
  const env = { ...process.env, PYTHONPATH: path.join(ROOT, 'mininet') };
  return spawnSync('/usr/bin/python3', [...enter, ...ask], { env, encoding: 'utf8' }).stdout;
}

/**
 * Runs the experiment. Whether the machine was fast enough is for --check; paths, decoding and numbers are right
 * on any.
 */
async function checkRun(kind: string): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-int-'));
  try {
    const flags = ['--switch', kind, '--bmv2', BMV2, '--realtime', '--out', folder];
    const small = ['seconds=5', 'rate=4', 'hostRate=8'].flatMap((each) => ['--set', each]);
    const child = spawn(process.execPath, [MAIN, 'mininet', 'int', ...flags, ...small]);
    let metrics = '';
    let said = '';
    let isOver = false;
    const look = (): void => {
      if (isOver) return;
      metrics = servedMetrics();
      if (!LAST_HOP.test(metrics)) setTimeout(look, LOOK_MS);
    };
    child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()));
    child.stderr.on('data', (bytes: Buffer) => {
      isOver ||= bytes.toString().includes('exited');
      if (bytes.toString().includes('started cross')) look();
    });
    const [status] = (await once(child, 'exit')) as [number];
    expect(status).toBe(0);
    expect(said).toContain('1>s1>2');
    const text = fs.readFileSync(path.join(folder, 'result.json'), 'utf8');
    const { figures, toldPaths = [] } = mininetResultSchema.parse(JSON.parse(text));
    expect(figures).toMatchObject({ undecodedReports: 0, wrongPaths: 0, reportGaps: 0 });
    expect(figures.telemetryReports).toBeGreaterThan(100);
    const nodes = new Set(toldPaths.map(({ hops }) => hops.map(({ node }) => node).join(' ')));
    expect([...nodes].sort()).toEqual(['s1 s2', 's1 s2 s3', 's2 s1', 's2 s3', 's3 s2', 's3 s2 s1']);
    expect(metrics).toMatch(LAST_HOP);
    expect(fs.readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain('1>s2>3');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const SWITCHES = [
  ['the embedded switch', 'embedded', MISSING],
  ['bmv2', 'bmv2', missingForBmv2('iperf3', 'curl')],
] as const;

for (const [name, kind, missing] of sampled('kinds of switches', SWITCHES, 2)) {
  describeIf(missing === '', `INT under Mininet on ${name}`, missing, () => {
    test('tells the path and hop latencies of every flow', () => checkRun(kind), TIMEOUT_MS);
  });
}
