import * as path from 'node:path';
import { sourceFiles } from './support/source-files';

/** Made from schemas and tables of the code, so that they grow with it. */
const GENERATED =
  /^(commands|figures|p4-tables|settings|wire-formats|(scenario|network|study|experiment)-yaml)$/;
/** Pages for contributors. */
const CONTRIBUTORS = /^(architecture|deviations|drafts|testing|environment)$/;
const WORDS_MAX = 42_000;

const pages = sourceFiles(/^docs\/[^/]+\.md$/).map(({ path: file, text }) => ({
  file,
  name: path.basename(file, '.md'),
  text,
}));
const readme = sourceFiles(/^README\.md$/)[0]?.text ?? '';

/** Words have a letter or a digit: bars of tables are none. */
const wordsIn = (text: string): number =>
  text.split(/\s+/).filter((word) => /[A-Za-z0-9]/.test(word)).length;

const withoutCode = (text: string): string =>
  text.replace(/^```[^\n]*\n[\s\S]*?^```|`[^`\n]+`/gm, '``');

/** Links of a page to pages of docs, with the heading that they name. */
const linksIn = (text: string): { readonly to: string; readonly heading: string }[] =>
  [...withoutCode(text).matchAll(/\]\((?:docs\/)?([\w-]*)(?:\.md)?(#[^)\s]*)?\)/g)].map(
    ([, to = '', heading = '']) => ({ to, heading: heading.slice(1) }),
  );

/** Headings of a page as GitHub and the site name them in addresses. */
const headingsOf = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replace(/^```[^\n]*\n[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm)].map(
      ([, title = '']) =>
        title
          .toLowerCase()
          .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .replace(/[^\w\s-]/g, '')
          .replace(/\s/g, '-'),
    ),
  );

describe('the pages', () => {
  test(`for users have at most ${WORDS_MAX} words together`, () => {
    const counted = pages.filter(
      ({ name }) => !GENERATED.test(name) && !CONTRIBUTORS.test(name) && name !== 'index',
    );
    const words = counted.reduce((sum, { text }) => sum + wordsIn(text), 0);
    expect(words).toBeLessThanOrEqual(WORDS_MAX);
  });

  test('are within two clicks from README and index', () => {
    const index = pages.find(({ name }) => name === 'index')?.text ?? '';
    const first = new Set([...linksIn(readme), ...linksIn(index)].map(({ to }) => to));
    const second = pages.filter(({ name }) => first.has(name)).flatMap(({ text }) => linksIn(text));
    const reached = new Set([...first, ...second.map(({ to }) => to), 'index']);
    expect(pages.filter(({ name }) => !reached.has(name)).map(({ file }) => file)).toEqual([]);
  });

  test.each(pages.filter(({ name }) => name !== 'index').map((page) => [page.file, page]))(
    '%s leads back to its door, in the line under its title',
    (_file, { text }) => {
      expect(text.split('\n')[2]).toMatch(/^\[[^\]]+\]\(index\.md(#[\w-]+)?\)/);
    },
  );

  test('name only headings that there are', () => {
    const headings = new Map(pages.map(({ name, text }) => [name, headingsOf(text)]));
    const broken = pages.flatMap(({ file, name, text }) =>
      linksIn(text)
        .filter(
          ({ to, heading }) => heading !== '' && headings.get(to || name)?.has(heading) === false,
        )
        .map(({ to, heading }) => `${file}: ${to}#${heading}`),
    );
    expect(broken).toEqual([]);
  });
});

/** Lines of fenced blocks that begin with the command's bare name, which a checkout does not have on PATH. */
const bareCommands = (text: string): string[] =>
  [...text.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => /^(\$ |sudo )*hpcc /.test(line)),
  );

test.each(pages.map((page) => [page.file, page]))(
  '%s has commands to copy as a checkout runs them',
  (_file, { text }) => {
    expect(bareCommands(text)).toEqual([]);
  },
);

describe('reading a page', () => {
  test('finds commands without their place', () => {
    expect(bareCommands('```sh\nsudo hpcc run x\n./hpcc run\n```\nhpcc run\n')).toEqual([
      'sudo hpcc run x',
    ]);
  });

  test('counts words, and no bars', () => {
    expect(wordsIn('| a | 5 us | – |\n')).toBe(3);
  });

  test('finds links and headings', () => {
    expect(linksIn('[x](agent.md#keys) `[y](z.md)` [w](#own)')).toEqual([
      { to: 'agent', heading: 'keys' },
      { to: '', heading: 'own' },
    ]);
    expect([...headingsOf('# A `b`: c++\n\n```\n# no\n```\n')]).toEqual(['a-b-c']);
  });
});
