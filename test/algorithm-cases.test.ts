import * as fs from 'node:fs';
import { defined, linesOf, proven } from './support/evidence';
import { fixture } from './support/paths';
import { loadSuite } from './support/load-suite';
import { sourceFiles } from './support/source-files';

interface Case {
  readonly id: string;
  /** Required behaviour where the drafts leave the case open or contradict themselves. */
  readonly behaviour: string;
}

const cases = JSON.parse(fs.readFileSync(fixture('algorithm-cases.json'), 'utf8')) as Case[];
const ids = cases.map(({ id }) => id).sort();

/**
 * Steps taken from a draft are tagged in the code like this one: HPCC++ §algorithm, lines 6-7 and 12.
 */
const TAG = /HPCC\+\+ §algorithm, lines? ([\d\-, and]+)/g;
const tagged = new Set(
  sourceFiles(/^host-agent\/algorithm\/.*\.ts$/)
    .flatMap(({ text }) => [...text.matchAll(TAG)])
    .flatMap(([, lines = '']) => linesOf(lines)),
);
const SENDER_LINES = Array.from({ length: 27 }, (_, i) => i + 1);

// Other suites of the process may have left theirs.
defined.length = 0;
proven.length = 0;

describe('evidence', () => {
  for (const { path, text } of sourceFiles(/^test\/unit\/.*\.test\.ts$/)) {
    // Tests that prove something register themselves, whoever loads the file; the other tests are run
    // elsewhere.
    if (text.includes(' proves(')) describe(path, () => loadSuite(path));
  }
});

describe('the cases that the drafts leave open', () => {
  test.each(cases)('$id has a test: $behaviour', ({ id }) => {
    expect(defined.flatMap((one) => one.cases ?? [])).toContain(id);
  });

  test('are all listed, each once, and each has been proven by a test that has just run', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect([...new Set(proven.flatMap((one) => one.cases ?? []))].sort()).toEqual(ids);
  });
});

describe('tags of the draft', () => {
  test('cover the whole listing of the sender, lines 1 to 27', () => {
    expect(SENDER_LINES.filter((line) => !tagged.has(line))).toEqual([]);
  });

  test('have a test each that has just run', () => {
    const lines = new Set(proven.flatMap((one) => linesOf(one.lines ?? '')));
    expect([...tagged].filter((line) => !lines.has(line))).toEqual([]);
  });
});
