import * as fs from 'node:fs';
import * as path from 'node:path';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { checkConformance } from '../../host-agent/algorithm/library/conformance';
import { customAlgorithm } from '../../host-agent/algorithm/library/custom-algorithm';
import { repositoryRoot } from '../../common/io/repository';
import { spawnSync } from 'node:child_process';
import { hpccHereIn } from '../support/command-line';
import {
  CUSTOM_ALGORITHM as source,
  CUSTOM_ALGORITHM_PAGE as page,
  algorithmFolder,
  WRONG_ALGORITHMS,
} from '../support/custom-algorithm';

const folder = algorithmFolder();

afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Runs a command line of the page by the launcher, with the file as it is printed there. */
function hpcc(line: string) {
  fs.writeFileSync(path.join(folder, 'aimd.mjs'), source);
  const words = line.replace('./hpcc ', '').split(' ');
  const launcher = path.join(repositoryRoot(), 'hpcc');
  const done = spawnSync(launcher, words, { cwd: folder, encoding: 'utf8' });
  return { status: done.status, stdout: done.stdout };
}

/** The same in the process of the test. */
function here(line: string, text = source) {
  fs.writeFileSync(path.join(folder, 'aimd.mjs'), text);
  return hpccHereIn(folder, ...line.replace('./hpcc ', '').split(' '));
}

const commandsOf = (start: string): string =>
  page.split('\n').find((line) => line.startsWith(start)) ?? 'no such line';

describe('the page on an algorithm of your own', () => {
  test('has 40 lines of it or so', () => {
    expect(source.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(40);
  });

  test('its check prints ok for each case', () => {
    const { stdout, status } = hpcc(commandsOf('./hpcc algorithm check'));
    expect(stdout.trim().split('\n')).toHaveLength(checkConformance(algorithmNamed('none')).length);
    expect(stdout).not.toContain('failed');
    expect(status).toBe(0);
  });

  test('its run keeps the link busy, and writes a report', async () => {
    const { stdout, status } = await here(
      `${commandsOf('./hpcc run incast16 --alg')} --no-check --json`,
    );
    expect(status).toBe(0);
    const { fctUs } = JSON.parse(stdout) as { fctUs: { max: number } };
    // The link needs 677 us for all bytes.
    expect(fctUs.max).toBeLessThan(720);
    expect(fs.existsSync(path.join(folder, 'out', 'aimd', 'report.html'))).toBe(true);
  });

  test('its comparison sets it beside another, on one page', async () => {
    const line = commandsOf('./hpcc compare').replace(',dctcp', '');
    const { stdout, status } = await here(`${line} --no-check --json`);
    expect(status).toBe(0);
    const { rows } = JSON.parse(stdout) as { rows: { algorithm: string }[] };
    expect(rows.map(({ algorithm }) => algorithm)).toEqual(['./aimd.mjs', 'hpccpp']);
    const report = fs.readFileSync(path.join(folder, 'out', 'beside', 'report.html'), 'utf8');
    expect(report).toContain('./aimd.mjs');
  });

  test('several workers run it as one does, and name it when it goes wrong', async () => {
    const line = 'run four-spines --until-us 15 --no-check --algorithm ./aimd.mjs';
    const ratesOf = (done: { readonly status: number | null }): string => {
      expect(done.status).toBe(0);
      return fs.readFileSync(path.join(folder, 'out', 'w', 'rates.csv'), 'utf8');
    };
    const one = ratesOf(await here(`${line} --workers 1 --out out/w`));
    const two = ratesOf(await here(`${line} --workers 2 --out out/w`));
    expect(one.length).toBeGreaterThan(1000);
    expect(two).toBe(one);
    const [, text = '', said = ''] = WRONG_ALGORITHMS[0] ?? [];
    const { stderr, status } = await here(`${line} --workers 2`, text);
    expect([stderr, status]).toEqual([`hpcc: ./aimd.mjs: ${said}\n`, 1]);
  });

  test.each(WRONG_ALGORITHMS.slice(1))('a file that %s ends the run', async (_what, text, said) => {
    const { stderr, status } = await here('run incast16 --algorithm ./aimd.mjs --no-check', text);
    expect([stderr, status]).toEqual([`hpcc: ./aimd.mjs: ${said}\n`, 1]);
  });

  test.each([0, 4])('and the comparison, at its beginning or in the middle', async (which) => {
    const [, text = '', said = ''] = WRONG_ALGORITHMS[which] ?? [];
    const line = 'compare incast16 --algorithms none,./aimd.mjs --no-check';
    const { stdout, stderr, status } = await here(line, text);
    expect([stdout, stderr, status]).toEqual(['', `hpcc: ./aimd.mjs: ${said}\n`, 1]);
  });

  test('a file that goes wrong in the middle of a run ends it, named with the call', async () => {
    const wrong = source.replace(
      'onAck({',
      'onAck({ now, ...rest }) {\n if (now > 5e6) windowBytes = NaN;\n this.hear(rest);\n},\nhear({',
    );
    const { stderr, status } = await here(commandsOf('./hpcc run incast16 --alg'), wrong);
    expect(stderr).toContain(
      'hpcc: ./aimd.mjs: onAck left windowBytes at NaN; it must be a finite number above 0',
    );
    expect(status).toBe(1);
  });

  test('a file that is not there, or is no JavaScript', async () => {
    const { stderr, status } = await here('algorithm check ./gone.mjs');
    expect(stderr).toContain('./gone.mjs: cannot be loaded as an algorithm: ');
    expect(status).toBe(1);
    expect(() => customAlgorithm('./x.mjs', { create: 3 })).toThrow("'create', found number");
  });
});
