import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { loadWorkload } from '../../emulator/io/inputs/workload-scenario';
import { runScenario } from '../support/shared-runs';
import { resultSchema } from '../../emulator/result/result';
import type { Result } from '../../emulator/result/result';
import type { CollectiveTimes, TraceRecord } from '../../emulator/result/trace-record';
import { parseScenario } from '../../emulator/scenario/schema';
import { runPage } from '../../emulator/view/data/run-page';
import { hpccHere } from '../support/command-line';
import { EFFORT } from '../support/effort';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-traces-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const full = path.join(folder, name);
  fs.writeFileSync(full, text);
  return full;
};

const RATE = 100e9;
const DELAY_US = 1;

/** Hosts of a star at most; more are on two switches, whose link holds up nothing. */
const STAR_MAX = 256;

function networkOf(ranks: number): string {
  if (ranks <= STAR_MAX) return `{ kind: star, hosts: ${ranks}, rateGbps: 100, delayNs: 1000 }`;
  const hosts = Array.from({ length: ranks }, (_, i) => `h${i + 1}`);
  const links = hosts.map(
    (host, i) => `{ between: [${host}, s${i % 2}], rateGbps: 100, delayNs: 1000 }`,
  );
  const between = `{ between: [s0, s1], rateGbps: ${ranks * 100}, delayNs: 1 }`;
  return `{ kind: custom, switches: [s0, s1], hosts: [${hosts.join()}], links: [${links.join()}, ${between}] }`;
}

const scenarioOf = (ranks: number, keys: string, more = '') =>
  parseScenario(
    [
      'name: collective',
      'title: a collective',
      `topology: ${networkOf(ranks)}`,
      'workloads:',
      `  - { kind: collective, name: c, ranks: ${ranks}, ${keys} }`,
      more,
    ].join('\n'),
    'collective.yaml',
  );

async function run(...given: Parameters<typeof scenarioOf>): Promise<Result> {
  const scenario = scenarioOf(...given);
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
  return resultSchema.parse(result);
}

const traceOf = ({ traces }: Result): TraceRecord => traces?.[0] as TraceRecord;
const only = (result: Result): CollectiveTimes => traceOf(result).collectives[0] as CollectiveTimes;

/** Time of a frame on a link. */
const frameUs = (bytes: number): number => (bytes * 8 * 1e6) / RATE;

/**
 * A message that fits into the first window: its frames leave back to back, the last one waits once more at the
 * switch, and both links take their delay.
 */
const messageUs = ({ frames }: Result, bytes: number): number => {
  const { segmentBytes, dataAtHostBytes, dataAtBottleneckBytes } = frames;
  const full = Math.floor(bytes / segmentBytes);
  const rest = bytes % segmentBytes;
  const last = rest === 0 ? segmentBytes : rest;
  const line =
    full * frameUs(dataAtHostBytes) +
    (rest > 0 ? frameUs(dataAtHostBytes - segmentBytes + rest) : 0);
  return 2 * DELAY_US + line + frameUs(dataAtBottleneckBytes - segmentBytes + last);
};

describe('collectives without congestion', () => {
  const steps = {
    'all-reduce': { algorithm: 'ring', of: (n: number) => 2 * (n - 1) },
    'all-gather': { algorithm: 'ring', of: (n: number) => n - 1 },
    'reduce-scatter': { algorithm: 'ring', of: (n: number) => n - 1 },
    'all-to-all': { algorithm: 'pairwise', of: (n: number) => n - 1 },
  } as const;
  const operations = Object.keys(steps) as (keyof typeof steps)[];
  const cases = operations.flatMap((operation) =>
    [8, 16, 32, 64, 128, 256, 512].map((ranks) => ({ operation, ranks })),
  );
  test.each(EFFORT > 1 ? cases : cases.filter(({ ranks }) => ranks <= 16))(
    '$operation of $ranks ranks takes what the alpha-beta model says',
    async ({ operation, ranks }) => {
      // PERF: each of 512 ranks sends 511 messages.
      const chunk = ranks > 64 ? 2000 : 20_000;
      const result = await run(ranks, `operation: ${operation}, bytes: ${ranks * chunk}`);
      const { algorithm, of } = steps[operation];
      const found = only(result);
      expect(found).toMatchObject({ operation, algorithm, ranks, bytes: ranks * chunk });
      const ratio = (found.timeUs as number) / (of(ranks) * messageUs(result, chunk));
      if (EFFORT > 1) process.stderr.write(`${operation}, ${ranks} ranks: ${ratio.toFixed(4)}\n`);
      expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
      expect(result.violations).toEqual([]);
    },
    1_200_000,
  );

  test('halving and doubling sends halves, quarters, eighths and back', async () => {
    const bytes = 8 * 5000;
    const result = await run(
      8,
      `operation: all-reduce, bytes: ${bytes}, algorithms: { all-reduce: halving-doubling }`,
    );
    const wanted = 2 * [2, 4, 8].reduce((sum, parts) => sum + messageUs(result, bytes / parts), 0);
    expect(Math.abs((only(result).timeUs as number) / wanted - 1)).toBeLessThan(0.03);
  });
});

describe('a trace', () => {
  test('computes between collectives, and says who is slow and why', async () => {
    const keys = 'operation: all-gather, bytes: 8000, iterations: 3, computeUs: 50';
    const result = await run(4, keys);
    const { stepUs, ranks, collectives, slowest, exposedUs, unfinishedTasks } = traceOf(result);
    const together = collectives.reduce((sum, { timeUs }) => sum + (timeUs as number), 0);
    expect(collectives.map(({ name }) => name)).toEqual([
      'all-gather 1',
      'all-gather 2',
      'all-gather 3',
    ]);
    expect(stepUs).toBeCloseTo(150 + together, 6);
    expect(ranks.map(({ host, computeUs }) => [host, computeUs])).toEqual(
      [1, 2, 3, 4].map((n) => [`h${n}`, 150]),
    );
    expect(exposedUs).toBeCloseTo(together, 6);
    expect(slowest).toMatchObject({ computeUs: 150, localUs: 0, waitUs: 0 });
    expect(slowest?.text).toMatch(/^rank \d on h\d is done last; .* computing/);
    expect(unfinishedTasks).toBe(0);
    const titles = runPage(result).closing.map(({ title }) => title);
    expect(titles).toEqual(
      expect.arrayContaining(['Trace c', 'Ranks of c, the slowest first', 'Collectives of c']),
    );
  });

  test('computes on behind its last message, which no packet waits for', async () => {
    const trace = file(
      'late.goal',
      'num_ranks 2\nrank 0 {\nl1: send 10b to 1\nl2: calc 90000\nl2 requires l1\n}\nrank 1 {\nl1: recv 10b from 0\n}\n',
    );
    const { result } = await runScenario({ scenario: loadWorkload({ trace }), seed: 1 });
    const { stepUs, ranks } = traceOf(result);
    expect(stepUs).toBeCloseTo((ranks[1]?.finishUs as number) + 90, 6);
  });

  test('runs beside flows, and is left open where the run ends before it', async () => {
    const flows = 'flows: [{ from: h1, to: h2, bytes: 100000, startUs: 0 }]\n';
    const result = await run(4, 'operation: all-reduce, bytes: 400000', `${flows}untilUs: 20`);
    expect(result.flows).toHaveLength(5);
    expect(traceOf(result)).toMatchObject({ stepUs: null, slowest: null });
    const whole = await run(4, 'operation: all-reduce, bytes: 400000', flows);
    expect(traceOf(whole).stepUs).toBeGreaterThan(0);
    expect(whole.violations).toEqual([]);
  });

  test('has ranks of one host reach each other without the network', async () => {
    const placement = 'placement: { ranksPerHost: 4, local: { rateGbps: 800, delayNs: 100 } }';
    const keys = (algorithm: string) =>
      `operation: all-reduce, bytes: 64000, algorithms: { all-reduce: ${algorithm} }, ${placement}`;
    const scenario = scenarioOf(8, keys('hierarchical'));
    const { result } = await runScenario({ scenario, seed: 1 });
    // Ranks of equal place exchange between the hosts, both ways.
    expect(
      result.flows.map(({ source, destination }) => `${source}-${destination}`).sort(),
    ).toEqual([...Array<string>(4).fill('h1-h2'), ...Array<string>(4).fill('h2-h1')]);
    expect(traceOf(result).slowest?.localUs).toBeGreaterThan(0);
  });
});

describe('hpcc run --workload', () => {
  const GOAL = file(
    'pair.goal',
    'num_ranks 3\nrank 0 {\nl1: send 9000b to 2\n}\nrank 2 {\nl1: recv 9000b from 0\n}\n',
  );

  test('runs a trace on one switch, and prints the step', async () => {
    const out = path.join(folder, 'out');
    const { status, stdout, stderr } = await hpccHere(
      'run',
      '--workload',
      GOAL,
      '--json',
      '--out',
      out,
    );
    expect([status, stderr]).toEqual([0, '']);
    const { traces } = JSON.parse(stdout) as {
      traces: { name: string; stepUs: number; ranks: number }[];
    };
    expect(traces).toEqual([expect.objectContaining({ name: 'pair', ranks: 3 })]);
    // What is written runs again.
    const again = await hpccHere(
      'run',
      path.join(out, 'scenario.json'),
      '--json',
      '--out',
      `${out}2`,
    );
    expect((JSON.parse(again.stdout) as { traces: unknown }).traces).toEqual(traces);
  });

  test.each([
    [
      'only compute',
      [
        file(
          'compute.goal',
          'num_ranks 2\nrank 0 {\nl1: calc 5000\nl2: calc 7000\nl2 requires l1\n}\nrank 1 {\nl1: calc 3000\n}\n',
        ),
      ],
      12,
    ],
    // 9,000 bytes at 3,600 Gb/s, and 500 ns.
    [
      'are all on one host',
      [GOAL, '--placement', file('one.yaml', 'placement: { ranksPerHost: 3 }')],
      0.52,
    ],
  ])('runs ranks that %s, without messages in the network', async (_, given, stepUs) => {
    const out = path.join(folder, 'silent');
    const { status, stdout } = await hpccHere(
      'run',
      '--workload',
      ...given,
      '--json',
      '--out',
      out,
    );
    const { traces, packetHops, unfinishedFlows } = JSON.parse(stdout) as {
      traces: [{ stepUs: number }];
      packetHops: number;
      unfinishedFlows: number;
    };
    expect([status, traces[0].stepUs, packetHops, unfinishedFlows]).toEqual([0, stepUs, 0, 0]);
    const text = fs.readFileSync(path.join(out, 'result.json'), 'utf8');
    const result = resultSchema.parse(JSON.parse(text));
    expect(result.durationUs).toBeCloseTo(stepUs, 6);
    expect(runPage(result).closing.map(({ title }) => title)).toContain(
      `Trace ${traceOf(result).name}`,
    );
  });

  test('takes network and settings of a scenario, without its traffic', () => {
    const scenario = loadWorkload({ trace: GOAL, scenario: 'incast16' });
    expect(scenario.flows).toEqual([]);
    expect(scenario.workloads).toHaveLength(1);
  });

  test('says what it does not use of the files of htsim', async () => {
    const topology = file(
      'queues.topo',
      'Nodes 4\nTiers 2\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 1\nQueue_Up 100\nQueue_Down 100\n' +
        'Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nQueue_Down 100\n',
    );
    const matrix = file(
      'prio.cm',
      'Nodes 4\nConnections 2\n0->1 start 0 size 3000 prio 1\n1->0 start 0 size 3000\n',
    );
    const out = path.join(folder, 'prio');
    const given = ['--topology', topology, '--workload', matrix, '--out', out];
    const { status, stderr } = await hpccHere('run', ...given);
    expect(status).toBe(0);
    expect(stderr).toContain('queues.topo: Queue_Up, Queue_Down: not used, since queues are ours');
    expect(stderr).toContain('prio.cm: priorities (prio) of 1 connections are not used');
  });

  test('runs on topologies of htsim, without hosts that do nothing', () => {
    const topology = file(
      'tree.topo',
      '# a tree\nNodes 16\nTiers 3\nPodsize 8\n' +
        'Tier 0\nDownlink_speed_Gbps 100\nRadix_Down 4\nRadix_Up 4\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 200\n' +
        'Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 2\nRadix_Up 2\nDownlink_Latency_ns 500\nBundle 2\n' +
        'Tier 2\nDownlink_speed_Gbps 200\nRadix_Down 4\nDownlink_Latency_ns 500\n',
    );
    const matrix = file(
      'm.cm',
      'Nodes 16\nConnections 2\n0->15 start 0 size 3000\n1->15 start 1000000 size 3000\n',
    );
    const { topology: found } = loadWorkload({ trace: matrix, topology });
    if (found.kind !== 'custom') throw new Error('wanted a list of links');
    expect(found.hosts).toEqual(['h0', 'h1', 'h15']);
    expect(found.switches).toEqual([
      'tor0',
      'tor3',
      'agg0',
      'agg1',
      'agg2',
      'agg3',
      'core0',
      'core1',
      'core2',
      'core3',
    ]);
    const between = (a: string, b: string) =>
      found.links.filter(({ between: ends }) => ends.includes(a) && ends.includes(b));
    expect(between('h0', 'tor0')).toMatchObject([{ rateGbps: 100, delayNs: 1100 }]);
    expect(between('tor0', 'agg1')).toMatchObject([{ delayNs: 600 }, { delayNs: 600 }]);
    expect(between('agg1', 'core3')).toMatchObject([{ rateGbps: 200, delayNs: 500 }]);
  });

  test.each([
    [
      'flows beside it',
      ['--workload', GOAL, '--flows', 'x'],
      'give either --flows or --workload, not both',
    ],
    [
      'two networks',
      ['incast16', '--workload', GOAL, '--topology', 'x'],
      'give either a scenario or --topology',
    ],
    ['a placement without it', ['incast16', '--placement', 'x'], '--placement needs --workload'],
    ['no such trace', ['--workload', 'nothing-here'], "no trace 'nothing-here': neither a file"],
    [
      'a length that the file has',
      ['--workload', GOAL, '--workload-bytes', '5'],
      'leave out the length',
    ],
    [
      'hosts that nobody knows',
      ['incast16', '--workload', GOAL, '--placement', file('p.yaml', 'placement: { hosts: [x1] }')],
      'placement: x1 is no host of the topology',
    ],
    [
      'an algorithm that is none of the operation',
      ['--workload', GOAL, '--placement', file('q.yaml', 'algorithms: { broadcast: ring }')],
      'broadcast is done by tree, not by ring',
    ],
  ])('refuses %s', async (_what, given, message) => {
    const { status, stderr } = await hpccHere(
      'run',
      ...given,
      '--out',
      path.join(folder, 'refused'),
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });
});
