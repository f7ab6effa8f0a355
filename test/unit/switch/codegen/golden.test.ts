import { readFileSync, writeFileSync } from 'node:fs';

import { generate } from '../../../../switch/codegen/generate';
import { readProgram } from '../../../../switch/ir/lowering/read-program';
import { fixture } from '../../../support/paths';
import { programText } from '../support/program';
import { GOLDEN_PROGRAMS } from './golden-programs';

const DROP_PORT = 511;

/** Rewrites the files, for reviewing what a change of the generator does to its output. */
const UPDATES = process.env.HPCC_UPDATE_GOLDEN === '1';

describe('code generated for small programs', () => {
  test.each(Object.entries(GOLDEN_PROGRAMS))('%s is as reviewed', (name, spec) => {
    const file = fixture('codegen', `${name}.js.txt`);
    const { text } = generate(readProgram(programText(spec)), DROP_PORT);
    if (UPDATES) writeFileSync(file, text);
    expect(text).toBe(readFileSync(file, 'utf8'));
  });
});
