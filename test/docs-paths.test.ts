import * as path from 'node:path';
import { repositoryPaths, sourceFiles } from './support/source-files';
import type { SourceFile } from './support/source-files';

const PAGES = /^((README|CONTRIBUTING)\.md$|(docs|mininet|examples)\/.*\.md$)/;

/** Targets of Markdown's links and images, without the place in the page. */
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /^```[^\n]*\n[\s\S]*?^```|`[^`]+`/gm;

/** Globs, braces and ellipses stand for many names. */
const IS_PATTERN = /[*?[\]{}<>$|…]|\.\.\./;
/** A part of a path in capitals stands for a name that the reader chooses. */
const IS_PLACEHOLDER = /(^|[/.-])(?!README|CONTRIBUTING|CHANGELOG|LICENSE)[A-Z][A-Z_]+(?=$|[/.-])/;

/** All files, and the folders that they are in. */
const known = new Set(
  repositoryPaths().flatMap((file) => {
    const parts = file.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  }),
);
const topFolders = new Set([...known].filter((name) => name.includes('/')).map(topOf));

function topOf(name: string): string {
  return name.split('/')[0] ?? '';
}

/** Paths from the root that the page links to; addresses and places in the page itself are left out. */
function linkedPaths({ path: page, text }: SourceFile): string[] {
  return [...text.replace(CODE, '').matchAll(LINK)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => path.posix.join(path.posix.dirname(page), target));
}

/** Words in code, in the line or in blocks, that begin with a top-level folder and a slash. */
function namedPaths({ text }: SourceFile): string[] {
  return [...text.matchAll(CODE)]
    .flatMap(([code]) => code.split(/[\s`'"(),;=]+/))
    .filter((word) => !IS_PATTERN.test(word) && !IS_PLACEHOLDER.test(word))
    .map((word) => word.replace(/^\.\//, '').replace(/(:\d+)?[.:]?$/, ''))
    .filter((word) => word.includes('/') && topFolders.has(topOf(word)));
}

/** Files that the page lets its reader write (`cat > FILE`), with and without their endings. */
function writtenPaths({ text }: SourceFile): ReadonlySet<string> {
  const names = [...text.matchAll(/^cat > (\S+)/gm)].map(([, name = '']) => name);
  return new Set(names.flatMap((name) => [name, name.replace(/(\.test)?\.\w+$/, '')]));
}

function missingPaths(page: SourceFile): string[] {
  const written = writtenPaths(page);
  return [...linkedPaths(page), ...namedPaths(page)]
    .map((name) => name.replace(/\/$/, ''))
    .filter((name) => !known.has(name) && !written.has(name));
}

describe('reading a page', () => {
  test.each([
    ['a link', '[x](../gone.md#place)', ['gone.md']],
    ['an image', '![x](images/gone.png)', ['docs/images/gone.png']],
    ['a file in backticks', 'see `common/gone.ts`.', ['common/gone.ts']],
    ['a folder in backticks', '`common/gone/`', ['common/gone']],
    ['a file that the page writes', '```sh\ncat > cli/new.ts <<END\n```\n`cli/new`', []],
    ['a command', '`sudo ./mininet/gone.py --json`', ['mininet/gone.py']],
    ['code over two lines', '`hpcc test\ntest/gone`', ['test/gone']],
    ['a block', '```sh\ncat switch/gone.ts\n```', ['switch/gone.ts']],
    ['a line of a file', '`test/gone.ts:12`', ['test/gone.ts']],
    ['what is there', '[x](architecture.md#the-loop) `common/wire/`, `common/errors.ts:1`', []],
    ['an address', '[x](https://example.org/gone)', []],
    ['globs and placeholders', '`test/gone*.ts` `docs/PAGE.md` `common/{a,b}`', []],
    ['other folders', '`out/gone` `application/json` `gone.ts`', []],
  ])('%s', (_what, text, missing) => {
    expect(missingPaths({ path: 'docs/page.md', text })).toEqual(missing);
  });
});

test.each(sourceFiles(PAGES).map((page) => [page.path, page] as const))(
  '%s names only paths that exist',
  (_name, page) => {
    expect(missingPaths(page)).toEqual([]);
  },
);
