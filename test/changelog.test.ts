import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { ROOT } from './support/paths';

const TEXT = fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
const LONGEST_WORDS = 25;

interface Version {
  readonly heading: string;
  readonly kinds: readonly string[];
  /** Everything else that is not empty. */
  readonly lines: readonly string[];
}

const versions: readonly Version[] = TEXT.split(/^## /m)
  .slice(1)
  .map((section) => {
    const [heading = '', ...rest] = section.split('\n');
    const lines = rest.filter((line) => line !== '');
    const isKind = (line: string): boolean => line.startsWith('### ');
    const kinds = lines.filter(isKind).map((line) => line.slice('### '.length));
    return { heading, kinds, lines: lines.filter((line) => !isKind(line)) };
  });

const numbersOf = (heading: string): number[] =>
  (heading.split(' ')[0] ?? '').split('.').map(Number);

/** Words that somebody reads: a link counts by its text. */
const words = (line: string): number =>
  line
    .slice('- '.length)
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\s+/).length;

test('versions stand newest first, and all but the first have been released', () => {
  for (const [i, { heading }] of versions.entries()) {
    expect(heading).toMatch(/^\d+\.\d+\.\d+( \((not released|\d{4}-\d\d-\d\d)\))?$/);
    if (i > 0) expect(heading).not.toContain('not released');
  }
  const order = versions.map(({ heading }) =>
    numbersOf(heading)
      .map((n) => String(n).padStart(4, '0'))
      .join('.'),
  );
  expect(order).toEqual([...order].sort().reverse());
});

describe.each(versions.map((version) => [version.heading, version] as const))(
  '%s',
  (_, version) => {
    test('says what was added, changed and fixed, in this order', () => {
      const order = ['Added', 'Changed', 'Fixed'];
      expect(version.kinds).toEqual(order.filter((kind) => version.kinds.includes(kind)));
    });

    test(`has entries of one line and at most ${LONGEST_WORDS} words`, () => {
      expect(version.lines.filter((line) => !line.startsWith('- '))).toEqual([]);
      expect(version.lines.filter((line) => words(line) > LONGEST_WORDS)).toEqual([]);
    });
  },
);

describe('the notes of a release', () => {
  const script = fs.readFileSync(path.join(ROOT, 'scripts', 'release'), 'utf8');
  let folder: string;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-release-'));
    fs.copyFileSync(path.join(ROOT, 'CHANGELOG.md'), path.join(folder, 'CHANGELOG.md'));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test.each(versions.map(({ heading, lines }) => [heading.split(' ')[0] ?? '', lines] as const))(
    'are the section of its version: %s',
    (version, lines) => {
      // The part of the script between its marks, which writes the notes.
      const part = /^# From the version's heading[\s\S]*?^grep .*$/m.exec(script)?.[0] ?? 'exit 1';
      const setting = `fail() { exit 1; }; version=${version}; out=.`;
      execFileSync('sh', ['-eu', '-c', `${setting}\n${part}`], { cwd: folder });
      const notes = fs.readFileSync(path.join(folder, `notes-${version}.md`), 'utf8');
      expect(notes.split('\n').filter((line) => line.startsWith('- '))).toEqual(lines);
      expect(notes).not.toMatch(/^## /m);
    },
  );
});
