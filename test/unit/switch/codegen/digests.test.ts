import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { generate } from '../../../../switch/codegen/generate';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { programJson, testPrograms } from '../../../p4/support/test-programs';
import { fixture } from '../../../support/paths';

/**
 * Compares the generated text of programs of one construct each, by digest: an optimisation that is lost
 * makes no packet different, so that no other test would see it. `./hpcc emit` prints the text before and
 * after a change that is meant; HPCC_UPDATE_GOLDEN=1 takes it.
 */

const DROP_PORT = 511;
const FILE = fixture('codegen', 'digests.json');
const UPDATES = process.env.HPCC_UPDATE_GOLDEN === '1';

const digestOf = (name: string): string => {
  const program = readProgram(programJson(name));
  const { text } = generate(program, DROP_PORT);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

const names = testPrograms();

if (UPDATES) {
  const digests = Object.fromEntries(names.map((name) => [name, digestOf(name)]));
  writeFileSync(FILE, `${JSON.stringify(digests, undefined, 2)}\n`);
}

const known = JSON.parse(readFileSync(FILE, 'utf8')) as Readonly<Record<string, string>>;

test('every program has a digest', () => {
  expect(Object.keys(known).sort()).toEqual([...names].sort());
});

test.each(names)('the code of %s is as it was', (name) => {
  expect(digestOf(name)).toBe(known[name]);
});
