import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { parse } from 'yaml';
import { searchFor } from '../../emulator/judge/io/judge-algorithm';
import { TrialPool } from '../../emulator/judge/io/trial-pool';
import type { Judgement } from '../../emulator/judge/judgement';
import { parseScenario } from '../../emulator/scenario/schema';
import { BROKEN_ALGORITHMS, SOUND_ALGORITHM } from '../support/broken-algorithms';
import { hpccHereIn } from '../support/command-line';
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

describe('the judge of algorithms', () => {
  test.each(sampled('broken algorithms', BROKEN_ALGORITHMS, 4))(
    'finds that one $name',
    async ({ law, said, text }) => {
      const { broken } = await search(fileOf(text));
      const found = broken.find((each) => each.law === law);
      expect(broken.map((each) => `${each.law}: ${each.breach}`).join('\n')).toMatch(said);
      expect(found?.breach).toMatch(said);
    },
    600_000,
  );

  test('finds nothing against a sound one, and says where it stands', async () => {
    const file = fileOf(SOUND_ALGORITHM);
    const line = ['algorithm', 'judge', file, '--beside', 'none', '--tries', '0', '--out', 'out'];
    const { status, stdout, stderr } = await hpccHereIn(folder, ...line, '--json');
    expect([status, stderr]).toEqual([0, '']);
    const judgement = JSON.parse(stdout) as Judgement;
    expect(judgement.laws.every(({ holds }) => holds)).toBe(true);
    expect(judgement.shortest).toBeNull();
    expect(judgement.contests).toHaveLength(24);
    expect(judgement.contests.filter(({ figures }) => 'failure' in figures)).toEqual([]);
    expect(fs.existsSync(path.join(folder, 'out', 'broken-page'))).toBe(false);
  }, 600_000);

  test('writes a counterexample that the emulator runs, and exits with 1', async () => {
    const line = ['algorithm', 'judge', 'none', '--beside', 'none', '--tries', '0', '--out', 'out'];
    const { status, stdout, stderr } = await hpccHereIn(folder, ...line);
    expect([status, stderr]).toEqual([1, 'hpcc: none: a law is broken\n']);
    const file = /\.\/hpcc run (\S+) --seed \d+/.exec(stdout)?.[1] ?? '';
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    expect((parse(text) as { title: string }).title).toMatch(/^none breaks "bounded queue"/);
    expect(parseScenario(text, file).flows.length).toBeGreaterThan(1);
    // Kept figures are read again.
    expect(fs.readdirSync(path.join(folder, 'out', 'kept')).length).toBe(24);
  }, 600_000);
});
