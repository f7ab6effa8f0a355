import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { algorithmNamed } from '../../host-agent/algorithm/library/algorithms';
import { checkConformance } from '../../host-agent/algorithm/library/conformance';
import { ownAlgorithm } from '../../host-agent/algorithm/library/own-algorithm';
import { repositoryRoot } from '../../common/io/repository';
import { spawnSync } from 'node:child_process';

const page = fs.readFileSync(path.join(repositoryRoot(), 'docs', 'own-algorithm.md'), 'utf8');
const source = /```js\n([^]*?)```/.exec(page)?.[1] ?? '';
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'own-algorithm-'));

afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Runs a command line of the page, with the file as it is printed there unless another is given. */
function hpcc(line: string, text = source) {
  fs.writeFileSync(path.join(folder, 'aimd.mjs'), text);
  const words = line.replace('./hpcc ', '').split(' ');
  const command = path.join(repositoryRoot(), 'hpcc');
  const done = spawnSync(command, words, { cwd: folder, encoding: 'utf8' });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
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

  test('its run keeps the link busy, and writes a report', () => {
    const { stdout, status } = hpcc(`${commandsOf('./hpcc run incast16 --alg')} --no-check --json`);
    expect(status).toBe(0);
    const { fctUs } = JSON.parse(stdout) as { fctUs: { max: number } };
    // What the link needs for all bytes are 677 us.
    expect(fctUs.max).toBeLessThan(720);
    expect(fs.existsSync(path.join(folder, 'out', 'aimd', 'report.html'))).toBe(true);
  });

  test('a file that goes wrong in the middle of a run ends it, named with the call', () => {
    const wrong = source.replace(
      'onAck({',
      'onAck({ now, ...rest }) {\n if (now > 5e6) windowBytes = NaN;\n this.hear(rest);\n},\nhear({',
    );
    const { stderr, status } = hpcc(commandsOf('./hpcc run incast16 --alg'), wrong);
    expect(stderr).toContain(
      'hpcc: ./aimd.mjs: onAck left windowBytes at NaN; it must be a finite number above 0',
    );
    expect(status).toBe(1);
  });

  test('a file that is not there, or is no JavaScript', () => {
    const { stderr, status } = hpcc('./hpcc algorithm check ./gone.mjs');
    expect(stderr).toContain('./gone.mjs: cannot be loaded as an algorithm: ');
    expect(status).toBe(1);
    expect(() => ownAlgorithm('./x.mjs', { create: 3 })).toThrow("'create', found number");
  });
});
