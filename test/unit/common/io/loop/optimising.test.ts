import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import { FOR_RUNS } from '../../../../../bench/emulator';
import { ownProgram } from '../../../../../common/io/loop/own-program';

const MODULE = path.join(repositoryRoot(), 'build/common/io/loop/optimising.js');

/** Functions that V8 optimises in a process of those options, before and after packets have come or a run has begun. */
function optimised(options: readonly string[], begin = 'optimiseFromNow'): string[] {
  const script = `
    const { ${begin} } = require('${MODULE}');
    function early(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 7; return sum; }
    function late(n) { let sum = 0; for (let i = 0; i < n; i++) sum += i % 5; return sum; }
    const run = (work) => { for (let i = 0; i < 300; i++) work(50); };
    run(early);
    ${begin}();
    run(late);`;
  const argv = [...options, '--no-use-osr', '--no-concurrent-recompilation', '--trace-opt'];
  const text = execFileSync(process.execPath, [...argv, '-e', script], { encoding: 'utf8' });
  return ['early', 'late'].filter((name) => text.includes(`<JSFunction ${name} `));
}

test('runs optimise what runs often as soon as virtual time begins, and not before', () => {
  expect(optimised(FOR_RUNS, 'optimiseInRuns')).toEqual(['late']);
});

describe('processes that handle packets', () => {
  const [, ...options] = ownProgram();

  test('optimise what runs often as soon as packets come, and not before', () => {
    expect(optimised(options.slice(0, -1))).toEqual(['late']);
    expect(optimised([])).toEqual(['early', 'late']);
  });

  test('compile simply from the first call on as soon as packets come, and not before', () => {
    const script = `
      const { optimiseFromNow } = require('${MODULE}');
      function early() { return 1; }
      function late() { return 2; }
      const isSimple = (work) => (work(), %ActiveTierIsSparkplug(work));
      const before = isSimple(early);
      optimiseFromNow();
      console.log(before, isSimple(late));`;
    const argv = [...options.slice(0, -1), '--allow-natives-syntax', '-e', script];
    expect(execFileSync(process.execPath, argv, { encoding: 'utf8' })).toBe('false true\n');
  });

  test('have the same options from the launcher and from the program', () => {
    const launcher = fs.readFileSync(path.join(repositoryRoot(), 'hpcc'), 'utf8');
    expect(launcher).toContain(`engine='${options.slice(0, -1).join(' ')}'`);
  });
});
