import { sourceFiles } from './support/source-files';
import type { SourceFile } from './support/source-files';

/**
 * Steps taken from a draft are tagged `HPCC++ §algorithm, lines 6-7 and 12`, and their tests carry
 * the same tag with `(test)`. Every line of the listing that the code names must have a test.
 */
const TAG = /HPCC\+\+ §algorithm, lines? ([\d\-, and]+)/g;

function linesIn(text: string): number[] {
  return text.split(/,| and /).flatMap((part) => {
    const [from, to = from] = part.trim().split('-').map(Number);
    if (from === undefined || Number.isNaN(from) || from === 0) return [];
    return Array.from({ length: (to ?? from) - from + 1 }, (_, i) => from + i);
  });
}

function taggedLines(files: readonly SourceFile[]): Set<number> {
  const tags = files.flatMap(({ text }) => [...text.matchAll(TAG)]);
  return new Set(tags.flatMap(([, lines]) => linesIn(lines ?? '')));
}

describe('tags of the draft', () => {
  const code = taggedLines(sourceFiles(/^host-agent\/algorithm\/.*\.ts$/));
  const tests = taggedLines(
    sourceFiles(/^test\/.*\.ts$/)
      .map(({ path, text }) => ({
        path,
        text: text
          .split('\n')
          .filter((line) => line.includes('(test)'))
          .join('\n'),
      }))
      .filter(({ path }) => path !== 'test/spec-tags.test.ts'),
  );

  test('cover the whole listing of the sender, lines 1 to 27', () => {
    const missing = Array.from({ length: 27 }, (_, i) => i + 1).filter((line) => !code.has(line));
    expect(missing).toEqual([]);
  });

  test('have a test each', () => {
    expect([...code].filter((line) => !tests.has(line))).toEqual([]);
  });
});
