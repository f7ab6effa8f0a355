import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isStale, SITE_SOURCES } from '../../../../cli/commands/docs';

const BUILT = new Date('2026-01-02');

// Folders above the checkout have no say, however they are called.
const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-docs-')), 'api');
fs.mkdirSync(folder);
afterAll(() => fs.rmSync(path.dirname(folder), { recursive: true }));

/** A checkout with a built site, and one file that is newer than it. */
function checkout(newer?: string): string {
  const root = fs.mkdtempSync(path.join(folder, 'api-'));
  const write = (file: string, at: Date): void => {
    fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    fs.writeFileSync(path.join(root, file), '');
    fs.utimesSync(path.join(root, file), at, at);
  };
  for (const folder of SITE_SOURCES) write(`${folder}/page.md`, new Date('2026-01-01'));
  write('build/docs/index.html', BUILT);
  if (newer !== undefined) write(newer, new Date('2026-01-03'));
  return root;
}

describe('the built site', () => {
  test.each([
    undefined,
    'docs/api/index.md',
    'docs/.vitepress/cache/deps/a.js',
    'build/docs/later.html',
  ])('is as its sources are when %s is newer', (file) => {
    expect(isStale(checkout(file))).toBe(false);
  });

  test.each(['docs/index.md', 'host-agent/algorithm/api/index.ts', 'switch/io/index.ts'])(
    'is stale when %s is newer',
    (file) => {
      expect(isStale(checkout(file))).toBe(true);
    },
  );

  test('is stale when there is none', () => {
    const root = checkout();
    fs.rmSync(path.join(root, 'build'), { recursive: true });
    expect(isStale(root)).toBe(true);
  });
});
