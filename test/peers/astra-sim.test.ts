import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isOnPath, describeIf } from '../support/requires';
import { ROOT } from '../support/paths';

/** Tree of astra-sim, in which the build of its analytical backend has run. */
const TREE = process.env['HPCC_ASTRA_SIM'] ?? '';
const BUILD_MS = 600_000;

interface Ended {
  readonly status: number | null;
  /** Time of the rank that was done last, in ns; NaN where none was. */
  readonly lastNs: number;
  readonly stderr: string;
}

describeIf(
  TREE !== '' && isOnPath('make'),
  'astra-sim on our network',
  'needs make, and a built tree of astra-sim in HPCC_ASTRA_SIM',
  () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-astra-sim-'));
    const adapter = path.join(folder, 'AstraSim_HPCC');
    const examples = path.join(TREE, 'examples');
    const network = path.join(folder, 'network.yml');
    const launcher = path.join(ROOT, 'hpcc');

    beforeAll(() => {
      const words = ['-C', path.join(ROOT, 'deploy', 'astra-sim'), `ASTRA_SIM=${TREE}`];
      const made = spawnSync('make', [...words, `OUT=${adapter}`], { encoding: 'utf8' });
      if (made.status !== 0) throw new Error(made.stderr);
      const text =
        'topology: [ Switch ]\nnpus_count: [ 8 ]\nbandwidth: [ 50.0 ]\nlatency: [ 500.0 ]\n';
      fs.writeFileSync(network, text);
    }, BUILD_MS);
    afterAll(() => fs.rmSync(folder, { recursive: true }));

    function run(binary: string, ...more: readonly string[]): Ended {
      const workload = path.join(
        examples,
        'workload/microbenchmarks/all_reduce/8npus_1MB/all_reduce',
      );
      const given = [
        `--workload-configuration=${workload}`,
        `--system-configuration=${examples}/system/native_collectives/Ring_4chunks.json`,
        `--remote-memory-configuration=${examples}/remote_memory/analytical/no_memory_expansion.json`,
        `--network-configuration=${network}`,
      ];
      const { status, stdout, stderr } = spawnSync(binary, [...given, ...more], {
        cwd: folder,
        encoding: 'utf8',
      });
      const times = [...stdout.matchAll(/finished, (\d+) cycles/g)].map(([, ns]) => Number(ns));
      return { status, lastNs: times.length === 8 ? Math.max(...times) : NaN, stderr };
    }
    const onOurs = (...more: readonly string[]): Ended =>
      run(adapter, `--hpcc=${launcher} network-backend --out ${folder}/out`, ...more);

    test('ends between its two analytical backends, the same each time', () => {
      const built = path.join(
        TREE,
        'build/astra_analytical/build/bin/AstraSim_Analytical_Congestion',
      );
      const [first, second] = [onOurs(), onOurs()];
      expect(first.status).toBe(0);
      expect(second.lastNs).toBe(first.lastNs);
      // Without congestion, a message is a cell; with, each link has the whole message before the next one begins.
      expect(first.lastNs).toBeGreaterThan(run(`${built}_Unaware`).lastNs);
      expect(first.lastNs).toBeLessThan(run(`${built}_Aware`).lastNs);
      expect(fs.existsSync(path.join(folder, 'out', 'report.html'))).toBe(true);
    }, 120_000);

    test.each<[string, readonly string[], RegExp]>([
      [
        'a network that is none',
        ['--network-configuration=nowhere.yml'],
        /the network ended: no scenario 'nowhere.yml'/,
      ],
      [
        'a command that is none',
        ['--hpcc=nothing-of-this-name'],
        /the network ended in the middle of a run/,
      ],
      ['a network that ends', ['--hpcc=false'], /the network ended in the middle of a run/],
      ['a network that says other things', ['--hpcc=echo hello'], /the network said 'hello/],
      [
        'more ranks than hosts',
        ['--logical-topology-configuration=16.json'],
        /16 ranks, and the network 8/,
      ],
      [
        'no dimensions',
        ['--logical-topology-configuration=none.json'],
        /logical-dims must be a list/,
      ],
    ])(
      'ends with a sentence for %s',
      (_, more, sentence) => {
        fs.writeFileSync(path.join(folder, '16.json'), '{"logical-dims": ["4", "4"]}');
        fs.writeFileSync(path.join(folder, 'none.json'), '{}');
        const { status, stderr } = onOurs(...more);
        expect(status).toBe(1);
        const own = stderr.split('\n').filter((line) => line.startsWith('AstraSim_HPCC: '));
        expect(own).toHaveLength(1);
        expect(own[0]).toMatch(sentence);
      },
      60_000,
    );

    test('ends where astra-sim does', () => {
      const { status, stderr } = onOurs('--workload-configuration=nothing');
      expect(status).not.toBe(0);
      expect(stderr).toContain('hpcc: the peer ended in the middle of a run');
    }, 60_000);
  },
);
