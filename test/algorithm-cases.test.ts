import * as fs from 'node:fs';
import { fixture } from './support/paths';
import { sourceFiles } from './support/source-files';

interface Case {
  readonly id: string;
  /** What is required where the drafts leave the case open or contradict themselves. */
  readonly behaviour: string;
}

const cases = JSON.parse(fs.readFileSync(fixture('algorithm-cases.json'), 'utf8')) as Case[];

/** Tests name the case that they are for in a comment before them. */
const tested = sourceFiles(/^test\/.*\.test\.ts$/).flatMap(({ text }) =>
  [...text.matchAll(/\/\/ case: ([a-z0-9-]+) \(test\)/g)].map(([, id]) => id ?? ''),
);

describe('the cases that the drafts leave open', () => {
  test.each(cases)('$id: $behaviour', ({ id }) => {
    expect(tested).toContain(id);
  });

  test('are all listed, each once', () => {
    const ids = cases.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(tested.filter((id) => !ids.includes(id))).toEqual([]);
  });
});
