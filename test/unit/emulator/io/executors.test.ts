import { readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';

import { executorFactory, keepText } from '../../../../emulator/io/executors';
import { GeneratedExecutor } from '../../../../switch/codegen/compile';
import { Interpreter } from '../../../../switch/interpreter/interpreter';
import { bench } from '../../switch/support/run';

test.each([
  ['generated', GeneratedExecutor],
  ['interpreter', Interpreter],
] as const)('the executor %s is what its name says', (name, kind) => {
  expect(bench(executorFactory(name), {}).executor).toBeInstanceOf(kind);
});

test('text that does not compile is kept in a file named after the program', () => {
  const file = keepText('blocks/broken.p4', 'return {');
  expect(path.basename(file)).toBe('broken.p4.js');
  expect(readFileSync(file, 'utf8')).toBe('return {');
  rmSync(path.dirname(file), { recursive: true });
});
