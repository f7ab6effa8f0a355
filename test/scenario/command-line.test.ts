import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
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
        ...['fctUs', 'queuePeakBytes', 'queueTimeline', 'utilization', 'jain', 'packetHops'],
        'telemetryRecords',
        ...['wallSeconds', 'packetHopsPerSecond', 'violations'],
      ]),
    );
    expect(summary['violations']).toEqual([]);
    const result: unknown = JSON.parse(fs.readFileSync(path.join(out, 'result.json'), 'utf8'));
    expect(resultSchema.parse(result).parameters['maxStage']).toBe(0);
    expect(fs.readdirSync(out).sort()).toEqual([
      ...['flows.csv', 'queue.csv', 'rates.csv', 'report.html', 'result.json', 'scenario.json'],
    ]);
  });

  test('changes constants of the algorithm that runs by its options', async () => {
    const out = path.join(folder, 'tuned');
    const files = ['--topology', file('t.txt', TOPOLOGY), '--flows', file('f.txt', FLOWS)];
    const tuned = ['--algorithm', 'hpcc', '--eta', '0.5', '--max-stage', '3'];
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
      ...['variant', 'per-ack', 'receiver', ''],
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
    ['an unknown scenario', ['run', 'nosuch'], "no scenario 'nosuch': neither a file nor one of"],
    ['no scenario at all', ['run'], 'give a scenario ('],
    ['half of the simulator files', ['run', '--flows', 'x'], 'give a scenario ('],
    ['a missing file', ['run', '--flows', 'x', '--topology', 'nosuch'], 'cannot read nosuch'],
    ['a parameter out of range', ['run', 'incast16', '--eta', '2'], 'parameters.eta: '],
    [
      'a parameter that the algorithm has not',
      ['run', 'incast16', '--algorithm', 'powertcp', '--eta', '0.5'],
      "powertcp has no constant 'targetUtilization'; it has: gamma",
    ],
    [
      'hidden links for an algorithm that needs them',
      ['run', 'incast16', '--algorithm', 'powertcp', '--links', 'hidden'],
      'hidesLinks leaves a load alone, which tells this algorithm nothing',
    ],
    ['an option that is no number', ['run', 'incast16', '--eta', 'x'], 'must be a number, 0 or'],
    ['an unknown kind of feedback', ['run', 'join', '--feedback', 'x'], 'Allowed choices are ack'],
    ['an unknown option', ['run', '--nosuch'], "unknown option '--nosuch'"],
    ['an unknown command', ['nosuch'], "unknown command 'nosuch'"],
    ['a recording that is missing', ['replay', 'nosuch.csv'], 'nosuch.csv'],
    ['an unknown bench suite', ['bench', 'nosuch'], "no suite 'nosuch'; there are"],
  ])('answers %s with one message and exit code 1', async (_what, args, message) => {
    const { status, stdout, stderr } = await hpccHere(...args);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
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
    ['t3.txt', TOPOLOGY, '1\n2 2 3 100 20000 2.0\n', 'flow 1: source and destination are both h2'],
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
