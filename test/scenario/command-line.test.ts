import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { scenarioNames } from '../../emulator/io/inputs/catalogue';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { resultSchema } from '../../emulator/result/result';
import { hpcc, hpccHere } from '../support/command-line';
import { fixture } from '../support/paths';

let folder = '';
const file = (name: string, text: string): string => {
  const full = path.join(folder, name);
  fs.writeFileSync(full, text);
  return full;
};
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-test-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const TOPOLOGY = '3 1 2\n0\n0 1 100Gbps 1000ns 0\n0 2 100Gbps 1000ns 0\n';
const FLOWS = '1\n2 1 3 100 20000 2.000000000\n';

describe('the command line', () => {
  test('runs topology and flow files of the HPCC simulator', () => {
    const out = path.join(folder, 'out');
    const files = ['--topology', file('t.txt', TOPOLOGY), '--flows', file('f.txt', FLOWS)];
    const { status, stdout } = hpcc('run', ...files, '--max-stage', '0', '--json', '--out', out);
    expect(status).toBe(0);
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(summary)).toEqual(
      expect.arrayContaining([
        'fctUs',
        'queuePeakBytes',
        'queueTimeline',
        'utilization',
        'jain',
        'packetHops',
        'telemetryRecords',
        'wallSeconds',
        'packetHopsPerSecond',
        'violations',
      ]),
    );
    expect(summary['violations']).toEqual([]);
    const result: unknown = JSON.parse(fs.readFileSync(path.join(out, 'result.json'), 'utf8'));
    expect(resultSchema.parse(result).parameters['maxStage']).toBe(0);
    expect(fs.readdirSync(out).sort()).toEqual([
      'flows.csv',
      'queue.csv',
      'rates.csv',
      'report.html',
      'result.json',
      'scenario.json',
    ]);
  });

  describe('with variants that stand side by side', () => {
    const document = (last: string): string =>
      file(
        'variants.yaml',
        `name: variants
title: Two loops
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
sideBySide: [ack, ${last}]
variants:
  ack: {}
  probes: { parameters: { feedback: probe } }
`,
      );

    test('runs them one after the other, each into a folder, with one table', async () => {
      const out = path.join(folder, 'variants');
      const { status, stdout } = await hpccHere('run', document('probes'), '--out', out);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^variant .*\nack .*\nprobes /m);
      expect(fs.readdirSync(out).sort()).toEqual(['ack', 'probes']);
      const results = ['ack', 'probes'].map((name) => {
        const text = fs.readFileSync(path.join(out, name, 'result.json'), 'utf8');
        return resultSchema.parse(JSON.parse(text));
      });
      expect(results.map(({ traffic }) => traffic.probes.packets > 0)).toEqual([false, true]);
    });

    test('says which of their figures mislead', async () => {
      const scenario = document('probes').replace(/\.yaml$/, '-of-two-links.yaml');
      const text = fs.readFileSync(path.join(folder, 'variants.yaml'), 'utf8');
      const flows =
        'flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }, { from: h3, to: h1, bytes: 20000, startUs: 0 }, { from: h1, to: h2, bytes: 20000, startUs: 0 }]';
      fs.writeFileSync(scenario, text.replace(/^flows: .*$/m, flows));
      const out = path.join(folder, 'two-links');
      const { status, stderr } = await hpccHere('run', scenario, '--out', out);
      expect(status).toBe(0);
      expect(stderr.match(/Jain's index: flows have different bottlenecks/g)).toHaveLength(1);
    });

    test('runs none of them where one is unknown', async () => {
      const out = path.join(folder, 'unknown');
      const { status, stderr } = await hpccHere('run', document('probe5'), '--out', out);
      expect([status, stderr]).toEqual([1, expect.stringContaining("no variant 'probe5'")]);
      expect(fs.existsSync(out)).toBe(false);
    });

    test('refuses one trace of several runs', async () => {
      const trace = ['--trace', path.join(folder, 'trace.json')];
      const { status, stderr } = await hpccHere('run', document('probes'), ...trace);
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining('give --variant, of ack, probes'),
      ]);
    });
  });

  test('compares an algorithm without what the scenario says of records of hops, and says so', async () => {
    const scenario = file(
      'sojourn.yaml',
      `name: sojourn
title: Two hosts
profile: hpcc-queues
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows: [{ from: h2, to: h1, bytes: 20000, startUs: 0 }]
parameters: { queueMeasure: sojourn }
`,
    );
    const compared = await hpccHere('compare', scenario, '--algorithms', 'hpccpp,timely', '--json');
    expect(compared.status).toBe(0);
    expect(compared.stderr).toContain('timely takes no records of hops: without queueMeasure');
    const { rows } = JSON.parse(compared.stdout) as { readonly rows: readonly object[] };
    expect(rows).toMatchObject([{ algorithm: 'hpccpp' }, { algorithm: 'timely' }]);
    const run = await hpccHere('run', scenario, '--algorithm', 'timely');
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('queueMeasure')]);
  });

  test.each(['send', 'agent', 'run', 'compare', 'mininet'])(
    'takes N and W_ai where an algorithm runs: %s',
    async (command) => {
      const { stdout } = await hpccHere(command, '--help');
      for (const option of ['--expected-flows', '--wai-bytes']) expect(stdout).toContain(option);
    },
  );

  test('gives N and W_ai to all hosts of an experiment', async () => {
    const planned = async (...argv: readonly string[]): Promise<string> =>
      (await hpccHere('mininet', 'single-flow', '--dry-run', ...argv)).stdout;
    expect(await planned()).toMatch(/"--expected-flows",\s+"20"/);
    expect(await planned('--expected-flows', '3')).toMatch(/"--expected-flows",\s+"3"/);
    const stepped = await planned('--wai-bytes', '250');
    expect(stepped).toMatch(/"--wai-bytes",\s+"250"/);
    expect(stepped).not.toContain('--expected-flows');
    const { status, stderr } = await hpccHere('mininet', 'tcp', '--dry-run', '--wai-bytes', '250');
    expect([status, stderr]).toEqual([1, expect.stringContaining('would have no effect on tcp')]);
  });

  test('compares algorithms with the tuning that each has a constant for', async () => {
    const scenario = file(
      'tuning.yaml',
      `name: tuning
title: Two hosts to one
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h2, to: h1, bytes: 200000, startUs: 0 }
  - { from: h3, to: h1, bytes: 200000, startUs: 0 }
`,
    );
    const compared = async (...argv: readonly string[]) => {
      const done = await hpccHere('compare', scenario, '--json', '--algorithms', ...argv);
      const { rows } = JSON.parse(done.stdout) as { readonly rows: readonly object[] };
      return rows.map((row) => JSON.stringify(row));
    };
    const names = 'hpccpp,powertcp,swift';
    const [own, few] = [await compared(names), await compared(names, '--expected-flows', '3')];
    expect(few.map((row, i) => row === own[i])).toEqual([false, false, true]);
    const stepped = await compared(names, '--wai-bytes', '500');
    expect(stepped.map((row, i) => row === own[i])).toEqual([false, true, true]);
    const none = ['--algorithms', 'powertcp,swift', '--wai-bytes', '500'];
    const refused = await hpccHere('compare', scenario, ...none);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringContaining('--wai-bytes would have no effect: powertcp, swift have no constant'),
    ]);
  });

  test('changes constants of the algorithm that runs by its options', async () => {
    const out = path.join(folder, 'tuned');
    const files = ['--topology', file('t.txt', TOPOLOGY), '--flows', file('f.txt', FLOWS)];
    const tuned = ['--algorithm', 'hpcc', '--target-utilization', '0.5', '--max-stage', '3'];
    expect((await hpccHere('run', ...files, ...tuned, '--out', out)).status).toBe(0);
    const text = fs.readFileSync(path.join(out, 'result.json'), 'utf8');
    const { parameters } = resultSchema.parse(JSON.parse(text));
    expect(parameters).toMatchObject({ algorithm: 'hpcc', targetUtilization: 0.5, maxStage: 3 });
  });

  test('compares kinds of feedback in one table, and as JSON', async () => {
    const scenario = file(
      'two.yaml',
      'name: two\ntitle: Two flows\n' +
        'topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }\nflows:\n' +
        '  - { from: h2, to: h1, bytes: 20000, startUs: 0 }\n' +
        '  - { from: h3, to: h1, bytes: 20000, startUs: 0 }\n',
    );
    const table = hpcc('compare', scenario, '--variants', 'per-ack,receiver');
    expect(table.status).toBe(0);
    expect(table.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'variant',
      'per-ack',
      'receiver',
      '',
    ]);
    const json = await hpccHere(
      'compare',
      scenario,
      '--variants',
      'probe',
      '--json',
      '--seed',
      '3',
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ seed: 3, rows: [{ variant: 'probe' }] });
    const unknown = await hpccHere('compare', scenario, '--variants', 'nosuch');
    expect(unknown).toMatchObject({ status: 1, stdout: '' });
    expect(unknown.stderr).toContain("no variant 'nosuch'; there are per-ack, ");
  });

  test('replays a recording', () => {
    const { status, stdout } = hpcc('replay', fixture('ns3', 'incast16-mi0.csv.gz'));
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1999 ACKs, 0 mismatches\n' });
  });

  test('fails a replay that does not match', async () => {
    const recording = fixture('ns3', 'incast16-mi0.csv.gz');
    const { status, stderr } = await hpccHere('replay', recording, '--max-stage', '5');
    expect(status).toBe(1);
    expect(stderr).toContain('first mismatch: ');
  });

  test.each([
    ['an unknown scenario', ['run', 'nosuch'], "no scenario 'nosuch': neither a file nor known"],
    ['no scenario at all', ['run'], 'give a scenario ('],
    ['half of the simulator files', ['run', '--flows', 'x'], 'give a scenario ('],
    ['a missing file', ['run', '--flows', 'x', '--topology', 'nosuch'], 'cannot read nosuch'],
    [
      'a parameter out of range',
      ['run', 'incast16', '--target-utilization', '2'],
      'must be a number above 0, at most 1',
    ],
    [
      'a parameter that the algorithm has not',
      ['run', 'incast16', '--algorithm', 'powertcp', '--target-utilization', '0.5'],
      "powertcp has no constant 'targetUtilization'; it has: gamma",
    ],
    [
      'hidden links for an algorithm that needs them',
      ['run', 'incast16', '--algorithm', 'powertcp', '--links', 'hidden'],
      'links: hidden leaves a load alone, and the algorithm needs records of links',
    ],
    [
      'an option that is no number',
      ['run', 'incast16', '--target-utilization', 'x'],
      'must be a number above 0',
    ],
    ['an unknown kind of feedback', ['run', 'join', '--feedback', 'x'], 'Allowed choices are ack'],
    ['an unknown option', ['run', '--nosuch'], "unknown option '--nosuch'"],
    ['an unknown command', ['nosuch'], "unknown command 'nosuch'"],
    ['a mistyped command', ['comapre'], 'Did you mean compare?'],
    ['a mistyped option', ['run', '--max-stge', '1'], 'Did you mean --max-stage?'],
    ['a mistyped scenario', ['run', 'incats16'], "no scenario 'incats16' (did you mean incast16?)"],
    ['a mistyped variant', ['run', 'join', '--variant', 'probee'], '(did you mean probe?)'],
    [
      'two comparisons',
      ['compare', 'x', '--coordination', '--variants', 'a'],
      'give one of --variants',
    ],
    ['a mode without modes', ['compare', 'x', '--mode', 'ecmp'], '--mode and --variant need'],
    ['seeds without means', ['compare', 'x', '--seeds', '2'], '--seeds and --out need'],
    [
      'two algorithms',
      ['compare', 'x', '--algorithms', 'hpcc', '--algorithm', 'swift'],
      'leave out',
    ],
    ['a recording that is missing', ['replay', 'nosuch.csv'], 'nosuch.csv'],
    ['an unknown bench suite', ['bench', 'nosuch'], "no suite 'nosuch'; there are"],
  ])('answers %s with one message and exit code 1', async (_what, args, message) => {
    const { status, stdout, stderr } = await hpccHere(...args);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('lists the scenarios, one a line', async () => {
    const { status, stdout } = await hpccHere('run', '--list');
    expect(status).toBe(0);
    const lines = stdout.trim().split('\n');
    const listed = lines.map((line) => /^(\S+) +(.*)$/.exec(line)?.slice(1));
    expect(listed).toEqual(scenarioNames().map((name) => [name, loadScenario(name).title]));
  });

  test('knows the old name of the comparison of coordination', async () => {
    const { status, stderr } = await hpccHere('coordination', 'incast16');
    expect(status).toBe(1);
    expect(stderr).toContain('is now hpcc compare --coordination');
    expect(stderr).toContain('incast16 has no coordination');
  });

  test('a run that is refused leaves no folder', async () => {
    const out = path.join(folder, 'refused', 'run');
    const refused = ['--algorithm', 'powertcp', '--links', 'hidden', '--out', out];
    expect((await hpccHere('run', 'incast16', ...refused)).status).toBe(1);
    expect(fs.existsSync(path.dirname(out))).toBe(false);
  });

  test.each([
    ['t1.txt', '3 1 2\n0\n0 1 100Gbps 1000ns 0\n', FLOWS, 't1.txt:4: file ends before link 2'],
    ['t2.txt', TOPOLOGY, '1\n2 7 3 100 20000 2.0\n', 'f.txt:2: 7 is no host of the topology'],
    ['t3.txt', TOPOLOGY, '1\n2 2 3 100 20000 2.0\n', 'f.txt:2: source and destination are both 2'],
    ['t4.txt', TOPOLOGY.replace('3', '4'), FLOWS.replace('2', '3'), '3 is no host of the topology'],
  ])(
    'names file and line of a malformed input, case %s',
    async (name, topology, flows, message) => {
      const files = ['--topology', file(name, topology), '--flows', file('f.txt', flows)];
      const out = path.join(folder, `${name}-out`);
      const { status, stderr } = await hpccHere('run', ...files, '--out', out);
      expect({ status, found: stderr.includes(message) ? message : stderr }).toEqual({
        status: 1,
        found: message,
      });
    },
  );

  test.each(['demo', 'run', 'replay', 'bench', 'p4', 'test'])(
    'explains %s with --help',
    async (name) => {
      const { status, stdout } = await hpccHere(name, '--help');
      expect(status).toBe(0);
      expect(stdout).toContain(`Usage: hpcc ${name}`);
    },
  );
});
