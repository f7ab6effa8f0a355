import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Watchdog } from '../../../../../common/io/code/watchdog';

const MODULE = path.join(__dirname, '..', '..', '..', '..', '..', 'common/io/code/watchdog.js');
/** Threads that Node itself may start meanwhile. */
const THREADS_OF_NODE = 4;

const threads = (): number => fs.readdirSync('/proc/self/task').length;

/** Runs statements in a process of its own. */
function run(statements: string) {
  const text = `const { Watchdog } = require(${JSON.stringify(MODULE)}); ${statements}`;
  const { status, stderr } = spawnSync(process.execPath, ['-e', text], {
    encoding: 'utf8',
    timeout: 10_000,
  });
  return { status, stderr };
}

describe('a watchdog', () => {
  test('takes one thread, however many files are read how often', () => {
    new Watchdog('mine');
    const before = threads();
    for (let i = 0; i < 20; i++) new Watchdog(`mine${i % 2}`);
    expect(threads() - before).toBeLessThanOrEqual(THREADS_OF_NODE);
  });

  test('ends the process for the file that is called, by the time that it has', () => {
    const loop = 'for (;;);';
    expect(
      run(
        `const [, other] = [new Watchdog('a', 60000), new Watchdog('b', 200), new Watchdog('c')]; other.during(() => { ${loop} });`,
      ),
    ).toEqual({ status: 1, stderr: 'hpcc: b: a call has not returned for 0.2 s\n' });
  });

  test('lets a file go on that has more time than another', () => {
    expect(
      run(
        `new Watchdog('a', 100); const until = Date.now() + 500; new Watchdog('b', 60000).during(() => { while (Date.now() < until); });`,
      ),
    ).toEqual({ status: 0, stderr: '' });
  });
});
