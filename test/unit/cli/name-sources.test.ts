import { spawnSync } from 'node:child_process';
import * as path from 'node:path';

const CLI = path.join(__dirname, '../../../cli');
const [OURS, WITH_DEFECT] = [`${CLI}/name-sources.js`, `${CLI}/shared/typed-command.js`];

/** Ends a process so, and returns what it says. */
function lastWords(end: string): string {
  const text = `require(${JSON.stringify(OURS)}).nameSourcesOfDefects();
    const { typedCommand } = require(${JSON.stringify(WITH_DEFECT)});
    ${end}`;
  const { stderr, status } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
  expect(status).toBe(1);
  return stderr;
}

test.each(['typedCommand(0);', 'void Promise.reject().catch(() => typedCommand(0));'])(
  'the trace of a defect names TypeScript: %s',
  (end) => {
    const said = lastWords(end);
    expect(said).toContain('TypeError: given.map is not a function');
    expect(said).toMatch(/at typedCommand \(\/.*\/cli\/shared\/typed-command\.ts:3:\d+\)/);
  },
);

test('what has no map stays, and so does what is thrown and no error', () => {
  expect(lastWords("throw Object.assign(new Error('x'), { stack: 'at /none.js:1:2' });")).toContain(
    'at /none.js:1:2',
  );
  expect(lastWords("throw 'words';")).toContain('words');
});
