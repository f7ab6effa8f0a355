import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadSimulatorFiles } from '../../../../emulator/io/inputs/scenario-files';
import { readTraceFiles } from '../../../../emulator/io/inputs/trace-files';
import { loadWorkload } from '../../../../emulator/io/inputs/workload-scenario';
import type { Result } from '../../../../emulator/result/result';
import { hpccHere } from '../../../support/command-line';
import { ROOT } from '../../../support/paths';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-export-'));
const at = (...names: string[]): string => path.join(folder, ...names);
afterAll(() => fs.rmSync(folder, { recursive: true }));

const TRAFFIC = `
name: three
title: three flows
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h2, to: h1, bytes: 20000, startUs: 7.25 }
  - { from: h3, to: h1, bytes: 10000, startUs: 0 }
  - { from: h3, to: h2, bytes: 5000, startUs: 30 }
`;
const STEP = `num_ranks 3
rank 0 {
l1: calc 5000
l2: send 9000b to 2 tag 7
l2 requires l1
}
rank 2 {
l1: recv 9000b from 0 tag 7
l2: calc 1500
l2 requires l1
}
`;

beforeAll(async () => {
  fs.writeFileSync(at('three.yaml'), TRAFFIC);
  fs.writeFileSync(at('step.goal'), STEP);
  await hpccHere('run', at('three.yaml'), '--out', at('three'));
  await hpccHere('run', '--workload', at('step.goal'), '--out', at('step'));
});

const resultOf = (name: string): Result =>
  JSON.parse(fs.readFileSync(at(name, 'result.json'), 'utf8')) as Result;

async function written(name: string, format: string, ...more: string[]) {
  const { status, stdout, stderr } = await hpccHere('export', at(name), format, ...more);
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  return { files: stdout.trim().split('\n'), stderr };
}

describe('hpcc export', () => {
  test('writes topology and flows, which run again', async () => {
    const { files, stderr } = await written('three', 'flows');
    expect([files, stderr]).toEqual([
      [at('three', 'flows', 'topology.txt'), at('three', 'flows', 'flows.txt')],
      '',
    ]);
    const { flows } = loadSimulatorFiles(files[0] as string, files[1] as string);
    // A switch is named s1, so hosts are numbered anew, from 0.
    expect(flows).toEqual([
      expect.objectContaining({ from: 'h2', to: 'h0', bytes: 10_000, startUs: 0 }),
      expect.objectContaining({ from: 'h1', to: 'h0', bytes: 20_000, startUs: 7.25 }),
      expect.objectContaining({ from: 'h2', to: 'h1', bytes: 5000, startUs: 30 }),
    ]);
  });

  test('writes flows of a trace as they came, and says what they are', async () => {
    const { files, stderr } = await written('step', 'flows', '--out', at('step-flows'));
    expect(stderr).toContain('messages that share a flow are one flow');
    const { flows } = loadSimulatorFiles(files[0] as string, files[1] as string);
    expect(flows).toEqual([expect.objectContaining({ from: 'h0', to: 'h1', bytes: 9000 })]);
  });

  test('writes flows as Chakra, whose ranks send them then', async () => {
    const { files, stderr } = await written('three', 'chakra');
    expect(files).toHaveLength(3);
    expect(stderr).toContain('rank i is the i-th host, and flows start at whole us');
    const { trace } = loadWorkload({ trace: at('three', 'chakra') }).workloads[0] as {
      trace: { tasks: Record<string, unknown>[] };
    } & object;
    const sends = trace.tasks.filter((task) => task['do'] === 'send');
    expect(sends.map(({ rank, to, bytes }) => [rank, to, bytes])).toEqual([
      [1, 0, 20_000],
      [2, 0, 10_000],
      [2, 1, 5000],
    ]);
    await hpccHere('run', '--workload', at('three', 'chakra'), '--out', at('again'));
    const starts = (name: string): number[] =>
      resultOf(name)
        .flows.map(({ startUs }) => Math.round(startUs))
        .sort((a, b) => a - b);
    expect(starts('again')).toEqual(starts('three'));
  });

  test('writes the tasks of a trace as Chakra, and says what is rounded', async () => {
    const { stderr } = await written('step', 'chakra');
    expect(stderr).toContain('in Chakra, 1 durations are rounded to whole us');
    const { trace } = readTraceFiles(at('step', 'chakra', 'trace'), { folder });
    expect(trace.tasks).toMatchObject([
      { do: 'compute', rank: 0, us: 5, name: 'l1' },
      { do: 'send', rank: 0, to: 2, bytes: 9000, tag: 7, after: [0] },
      { do: 'receive', rank: 2, from: 0, tag: 7 },
      { do: 'compute', rank: 2, us: 2, after: [2] },
    ]);
  });

  test('writes the tables of the result as CSV and Parquet', async () => {
    const csv = await written('three', 'csv');
    expect(csv.files).toContain(at('three', 'csv', 'flows.csv'));
    const { files } = await written('three', 'parquet');
    const flows = files.find((file) => file.endsWith('flows.parquet')) as string;
    // The reader is an ES module, which jest's modules do not load.
    const script = `import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
      const file = await asyncBufferFromFile(process.argv[1]);
      process.stdout.write(JSON.stringify(await parquetReadObjects({ file })));`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, flows], {
      encoding: 'utf8',
      cwd: ROOT,
    });
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    const [first] = resultOf('three').flows;
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ source: first?.source, destination: first?.destination });
    expect(Object.values(rows[0] ?? {})).toContain(first?.fctUs);
  });

  test('repeats the run for a trace of its packets', async () => {
    const { files } = await written('three', 'perfetto');
    expect(fs.statSync(files[0] as string).size).toBeGreaterThan(4000);
  });

  test('refuses an unknown format, and what only scenario.json says', async () => {
    const unknown = await hpccHere('export', at('three'), 'mat');
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('flows, chakra')]);
    fs.mkdirSync(at('alone'));
    fs.copyFileSync(at('step', 'result.json'), at('alone', 'result.json'));
    for (const format of ['chakra', 'perfetto']) {
      const { status, stderr } = await hpccHere('export', at('alone'), format);
      expect([status, stderr]).toEqual([1, expect.stringContaining('has no scenario.json')]);
    }
  });
});
