import * as path from 'node:path';
import { EDGE, FOLDERS, TESTS } from './structure/layers';
import { sourceFiles } from './support/source-files';
import type { SourceFile } from './support/source-files';

/** Edges and entry points may touch the world. */
const isEdge = (name: string): boolean => EDGE.test(path.posix.dirname(name));
const LAYERS = [...new Set(FOLDERS.map((folder) => folder.split('/')[0]))];

const IMPURE: readonly (readonly [string, RegExp])[] = [
  ['node: modules', /from 'node:|require\(/],
  ['the clock', /\bDate\b|\bperformance\.|\bhrtime\b|\bsetTimeout\b|\bsetInterval\b/],
  ['unseeded randomness', /Math\.random/],
  ['the console or process', /\bconsole\.|\bprocess\./],
  ['asynchrony', /\basync\b|\bPromise\b|\bawait\b/],
];

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');

/** Words in strings are data; only names of modules are looked for inside them. */
const withoutStrings = (text: string): string =>
  text.replace(/(?<!from )'(?:[^'\\\n]|\\.)*'/g, "''");

const top = (name: string): string => name.split('/')[0] ?? '';
const sources = sourceFiles(/\.tsx?$/).filter(
  ({ path: name }) => [...LAYERS, TESTS].includes(top(name)) && !name.includes('/generated/'),
);
const product = sources.filter((file) => top(file.path) !== TESTS);

function violations(files: readonly SourceFile[], check: (file: SourceFile) => string[]): string[] {
  return files.flatMap((file) => check(file).map((what) => `${file.path}: ${what}`));
}

describe('the source tree', () => {
  test.each(IMPURE)('only edges touch %s', (_what, pattern) => {
    const pure = product.filter((file) => !isEdge(file.path));
    const found = violations(pure, (file) =>
      pattern.test(withoutStrings(withoutComments(file.text))) ? [pattern.source] : [],
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['enum: a union of literals says the same', /^\s*(?:export )?(?:declare )?(?:const )?enum \w/m],
    ['spread of an object literal: list its fields', /\.\.\.\(?\{/],
    ['spread of an array literal: list its elements', /\.\.\.\[[^[\]]*\](?![.[:])/],
  ])('has no %s', (_what, pattern) => {
    const found = sources.filter((file) => pattern.test(withoutComments(file.text)));
    expect(found.map((file) => file.path)).toEqual([]);
  });

  test('no file is longer than 600 lines', () => {
    const long = sources.filter((file) => file.text.split('\n').length > 601);
    expect(long.map((file) => file.path)).toEqual([]);
  });

  test('no lint rule is switched off without a reason on the same line', () => {
    const found = violations(sources, (file) =>
      [...file.text.matchAll(/(?:es|ox)lint-disable(?:-next-line|-line)?\s[^\n]*/g)]
        .map(([line]) => line)
        .filter((line) => !/ -- \S+/.test(line)),
    );
    expect(found).toEqual([]);
  });

  test('every test file says which behaviour it tests by its place: it mirrors a source folder', () => {
    const folders = new Set(product.map((file) => file.path.split('/').slice(0, -1).join('/')));
    const stray = sources
      .filter((file) => file.path.startsWith('test/unit/') && file.path.endsWith('.test.ts'))
      .map((file) => file.path.slice('test/unit/'.length).split('/').slice(0, -1).join('/'))
      .filter((folder) => !folders.has(folder) && folder !== 'p4src');
    expect(stray).toEqual([]);
  });

  test('docstrings begin with their subject ("True if ..." for a condition)', () => {
    const found = violations([...sourceFiles(/\.(p4|py)$/), ...sources], (file) =>
      [
        ...file.text.matchAll(/(?:\/\*\*?|"""|^ +\*) *\n?[ *]*(?:Of|What|Whether|How)\b[^\n]*/gm),
      ].map(([text]) => text),
    );
    expect(found).toEqual([]);
  });

  test('the folder mininet does not shadow the installed Mininet package', () => {
    expect(sourceFiles(/^mininet\/__init__\.py$/)).toEqual([]);
  });

  test('nothing names a registry host or a path of the machine it was made on', () => {
    const text = sourceFiles(/\.(ts|cjs|mjs|js|json|md|p4|py|sh|yaml|txt)$/);
    const found = text.filter((file) =>
      /"resolved":\s*"http|https?:\/\/(registry|deb)\.|\/work\/(main|shared)/.test(
        file.path === 'test/tidy.test.ts' ? '' : file.text,
      ),
    );
    expect(found.map((file) => file.path)).toEqual([]);
  });
});
