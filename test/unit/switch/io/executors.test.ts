import { readFileSync, rmSync } from 'node:fs';
import * as path from 'node:path';

import { executorFactory } from '../../../../switch/codegen/executors';
import { GeneratedPacket } from '../../../../switch/codegen/runtime/generated-packet';
import { InterpretedPacket } from '../../../../switch/interpreter/interpreted-packet';
import { keepText } from '../../../../switch/io/keep-text';
import { bench } from '../support/run';

test.each([
  ['generated', GeneratedPacket],
  ['interpreter', InterpretedPacket],
] as const)('the executor %s is what its name says', (name, kind) => {
  expect(bench(executorFactory(name), {}).executor.createState()).toBeInstanceOf(kind);
});

test('text that does not compile is kept in a file named after the program', () => {
  const file = keepText('blocks/broken.p4', 'return {');
  expect(path.basename(file)).toBe('broken.p4.js');
  expect(readFileSync(file, 'utf8')).toBe('return {');
  rmSync(path.dirname(file), { recursive: true });
});
