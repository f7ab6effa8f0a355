import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { p4cVersion } from '../../common/io/p4-compiler';
import { repositoryRoot } from '../../common/io/repository';
import { LIVE_PROGRAM } from '../support/own-command';
import { pathWithoutBmv2 } from '../support/path-without-bmv2';
import { describeIf, isOnPath, reportSkipped } from '../support/requires';
import type { OtherPath } from '../support/path-without-bmv2';
import { EFFORT, SEED } from '../support/effort';
import { sampled } from '../support/sampled';

const PYTHON = '/usr/bin/python3';
const FOLDER = path.join(repositoryRoot(), 'mininet');
const EXAMPLES = path.join(FOLDER, 'examples');
const FOREIGN = path.join(repositoryRoot(), 'test', 'fixtures', 'controller');

/** Networks that are started and stopped; half of them are interrupted at random moments. */
const CYCLES = EFFORT > 1 ? 3 * EFFORT : 2;
const LIMIT_MS = 60_000 + 20_000 * CYCLES;

const hasModule = (name: string): boolean =>
  spawnSync(PYTHON, ['-c', `import ${name}`], { stdio: 'ignore' }).status === 0;

const hasPython = fs.existsSync(PYTHON) && hasModule('yaml');
/** Programs with which Mininet and hpccnet make networks. */
const NETWORK_PROGRAMS: readonly string[] = ['ip', 'tc', 'ethtool', 'mnexec', 'ping'];
const hasNetworks =
  hasPython &&
  hasModule('mininet.net') &&
  process.getuid?.() === 0 &&
  NETWORK_PROGRAMS.every(isOnPath);
const NETWORK_NEEDS = `needs root, python3-yaml, mininet and ${NETWORK_PROGRAMS.join(', ')} on PATH`;

describeIf(hasPython, 'hpccnet', 'needs /usr/bin/python3 with PyYAML', () => {
  test('passes its own tests', () => {
    expectSuccess(python(['-m', 'unittest', 'discover', '--top-level-directory', '.']));
  });

  test('the doctor tells what is there without any other package', () => {
    const { stdout } = run([path.join(FOLDER, 'hpccnet_doctor.py'), '--no-capacity']);
    const { checks } = JSON.parse(stdout) as { checks: { name: string }[] };
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['root', 'Mininet', 'bmv2', 'veth', 'netem', 'tcp_bbr']),
    );
  });
});

describeIf(hasNetworks, 'networks under Mininet', NETWORK_NEEDS, () => {
  test(
    'leave nothing behind, whenever they are interrupted',
    () => {
      const script = path.join(FOLDER, 'tests', 'lifecycle.py');
      const result = python([script, '--cycles', String(CYCLES), '--seed', String(SEED)]);
      expectSuccess(result);
    },
    LIMIT_MS,
  );

  const FOREIGN_TOPOLOGIES = [
    ['p4-utils', 'topology.json', 2],
    ['tutorial', 'pod/topology.json', 3],
  ] as const;
  test.each(sampled('foreign topologies', FOREIGN_TOPOLOGIES, 2))(
    'start from topologies of %s as they are',
    (folder, file, switches) => {
      expect(foreign(folder, file)).toEqual({ switches, reached: [] });
    },
  );

  const canCompile = p4cVersion() !== undefined;
  describeIf(canCompile, 'with a profile of somebody else', 'p4c-bm2-ss is not on PATH', () => {
    test('compile it and run it', () => {
      const example = path.join(EXAMPLES, 'own_profile', 'own_profile.py');
      const counts = JSON.parse(run([example]).stdout) as Record<string, number>;
      expect(Object.keys(counts)).toEqual(['0', '23']);
      for (const count of Object.values(counts)) {
        expect(count).toBeGreaterThanOrEqual(100);
        // A flow that has left whole before its peer's cookie comes shows it by one segment more, and hosts
        // tell each other their settings in two packets.
        expect(count).toBeLessThanOrEqual(103);
      }
    });
  });

  describe('where bmv2 is not on PATH', () => {
    let others: OtherPath;

    beforeAll(() => {
      others = pathWithoutBmv2();
    });

    afterAll(() => others.remove());

    const OWN_TOPOLOGY = path.join(EXAMPLES, 'own_topology.py');
    const runHere = (argv: readonly string[]): Result => run(argv, FOLDER, others.value);

    const noPrompt = 'run the topology that newcomers copy without a command line';
    if (EFFORT > 1) {
      test(noPrompt, () => {
        expect(runHere([OWN_TOPOLOGY, '--no-cli']).status).toBe(0);
      });
    } else reportSkipped(noPrompt, 'HPCC_EFFORT is 1');

    test('run the experiment that newcomers copy', () => {
      expect(runHere([path.join(EXAMPLES, 'own_experiment.py')]).status).toBe(0);
    });

    // The one of the package that runs both kinds; the others know neither.
    const ownTest = 'pass the test of the package that runs what there is';
    if (EFFORT > 1) {
      test(ownTest, () => {
        const one = 'packets_stop_at_a_link_that_is_down';
        const argv = ['-m', 'unittest', '-k', one, 'tests.test_live'];
        const result = python(argv, FOLDER, others.value);
        expectSuccess(result);
        expect(result.stderr).toContain('Ran 1 test');
      });
    } else reportSkipped(ownTest, 'HPCC_EFFORT is 1');

    test("answer on Mininet's command line", () => {
      const lines = ['nodes', 'pingall', 'h1 ping -c 1 h3', 'link s1 s2 down', 'pingall 1'];
      const typed = lines.flatMap((line) => ['--line', line]);
      const prompt = path.join(FOLDER, 'tests', 'prompt.py');
      const argv = [prompt, ...typed, '--', OWN_TOPOLOGY];
      const { stdout } = runHere(argv);
      const { answers, status } = JSON.parse(stdout) as {
        readonly answers: readonly (readonly string[])[];
        readonly status: number;
      };
      const [nodes, all, one, down, some] = answers.map((each) => each.join('\n'));
      expect(nodes).toContain('h1 h2 h3 h4 s1 s2');
      expect(all).toContain('h1 -> h2 h3 h4');
      expect(all).toContain('0% dropped (12/12 received)');
      expect(one).toContain('1 packets transmitted, 1 received');
      expect(down).toBe('');
      expect(some).toContain('66% dropped (4/12 received)');
      expect(status).toBe(0);
    });
  });
});

interface Result {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script with this build of the command line. */
function python(argv: readonly string[], cwd = FOLDER, PATH = process.env.PATH): Result {
  const env = {
    ...process.env,
    PATH,
    HPCC_COMMAND: LIVE_PROGRAM.join(' '),
    PYTHONPATH: FOLDER,
    // No files in the tree, and no results of an earlier version.
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const { status, stdout, stderr } = spawnSync(PYTHON, argv, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function run(argv: readonly string[], cwd = FOLDER, PATH = process.env.PATH): Result {
  const result = python(argv, cwd, PATH);
  if (result.stdout === '') throw new Error(`${result.stderr}\n${argv.join(' ')}`);
  return result;
}

function foreign(folder: string, file: string): unknown {
  const example = path.join(EXAMPLES, 'foreign_topology.py');
  const argv = [example, '--no-delays', '--no-traffic', file];
  return JSON.parse(run(argv, path.join(FOREIGN, folder)).stdout);
}

/** Fails with what the script has printed. */
function expectSuccess({ status, stdout, stderr }: Result): void {
  if (status !== 0) throw new Error(`exit code ${status}\n${stdout}\n${stderr}`);
}
