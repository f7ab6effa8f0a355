import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parse } from 'yaml';
import { CONTESTS, CONTEST_SEED, contestScenario, SPREADS } from '../../emulator/judge/arena';
import { FigureCache } from '../../emulator/judge/io/figure-cache';
import { searchFor } from '../../emulator/judge/io/judge-algorithm';
import { TrialPool } from '../../emulator/judge/io/trial-pool';
import type { Judgement } from '../../emulator/judge/judgement';
import { parseScenario } from '../../emulator/scenario/schema';
import { BROKEN_ALGORITHMS, SOUND_ALGORITHM } from '../support/broken-algorithms';
import { hpccHereIn } from '../support/command-line';
import { EFFORT } from '../support/effort';
import { reportSkipped } from '../support/requires';
import { sampled } from '../support/sampled';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-judge-'));
const pool = new TrialPool(1);
let count = 0;

afterAll(() => {
  pool.stop();
  fs.rmSync(folder, { recursive: true });
});

/** An algorithm in a file of its own. */
function fileOf(text: string): string {
  const file = path.join(folder, `broken${count++}.mjs`);
  fs.writeFileSync(file, text);
  return file;
}

const search = (file: string) =>
  searchFor(file, { pool, seed: 1, tries: 0, trust: false, onProgress: () => undefined });

const KEPT = { fctMaxUs: 1, slowdownP99: 1, queueP99Bytes: 1, retransmittedSegments: 1 };
const contests = SPREADS.flatMap((spread) => CONTESTS.map((contest) => ({ contest, spread })));
const fought = new Set(sampled('contests', contests, 8));

/** Figures of contests that are not run, as if an earlier judgement had kept them. */
function keepOthers(): void {
  const kept = new FigureCache(path.join(folder, 'out', 'kept'));
  for (const each of contests) {
    if (fought.has(each)) continue;
    kept.write(contestScenario(each.contest, 'none', each.spread), CONTEST_SEED, KEPT);
  }
}

describe('the judge of algorithms', () => {
  test.each(sampled('broken algorithms', BROKEN_ALGORITHMS, BROKEN_ALGORITHMS.length))(
    'finds that one $name',
    async ({ law, said, text }) => {
      const { broken } = await search(fileOf(text));
      const found = broken.find((each) => each.law === law);
      expect(broken.map((each) => `${each.law}: ${each.breach}`).join('\n')).toMatch(said);
      expect(found?.breach).toMatch(said);
    },
    600_000,
  );

  test('finds nothing against a sound one', async () => {
    expect((await search(fileOf(SOUND_ALGORITHM))).broken).toEqual([]);
  }, 600_000);

  test('wants to know whom to judge', async () => {
    const { status, stdout, stderr } = await hpccHereIn(folder, 'algorithm', 'judge');
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toBe('hpcc: wanted names of algorithms, files, or --all\n');
  });

  test('refuses at once what is no algorithm', async () => {
    const file = fileOf('export const create = 1;');
    const { status, stdout, stderr } = await hpccHereIn(folder, 'algorithm', 'judge', 'none', file);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      new RegExp(`^hpcc: ${file}: wanted an exported function 'create', found`),
    );
  });

  const line = ['algorithm', 'judge', 'none', '--beside', 'none', '--tries', '0', '--out', 'out'];
  const report = path.join(folder, 'out', 'none', 'comparison.json');
  const kept = (): Judgement => JSON.parse(fs.readFileSync(report, 'utf8')) as Judgement;

  test('writes a counterexample that the emulator runs, and exits with 1', async () => {
    keepOthers();
    const { status, stdout, stderr } = await hpccHereIn(folder, ...line);
    expect([status, stderr]).toEqual([1, 'hpcc: none: a law is broken\n']);
    const { contests: judged, shortest, laws } = kept();
    expect(judged).toHaveLength(24);
    expect(judged.filter(({ figures }) => 'failure' in figures)).toEqual([]);
    // What was kept is taken as it is, and the others are run.
    const isRun = ({ figures }: Judgement['contests'][number]): boolean =>
      JSON.stringify(figures) !== JSON.stringify(KEPT);
    expect(judged.filter(isRun)).toHaveLength(fought.size);
    expect(laws.find(({ law }) => law === shortest?.law)?.holds).toBe(false);
    // Figures of the project's algorithms are kept.
    expect(fs.readdirSync(path.join(folder, 'out', 'kept')).length).toBe(24);
    const file = /\.\/hpcc run (\S+) --seed \d+/.exec(stdout)?.[1] ?? '';
    expect(file).toBe(shortest?.file);
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    expect((parse(text) as { title: string }).title).toMatch(/^none breaks "bounded queue"/);
    expect(parseScenario(text, file).flows.length).toBeGreaterThan(1);
  }, 600_000);

  const asJson = 'prints the same as one JSON object';
  if (EFFORT > 1) {
    test(
      asJson,
      async () => {
        const { status, stdout } = await hpccHereIn(folder, ...line, '--json');
        expect([status, JSON.parse(stdout)]).toEqual([1, kept()]);
      },
      600_000,
    );
  } else reportSkipped(asJson, 'HPCC_EFFORT is 1');
});
