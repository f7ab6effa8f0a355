import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import type { AddressInfo } from 'node:net';
import * as path from 'node:path';
import { EFFORT } from '../support/effort';
import { ROOT } from '../support/paths';
import { describeIf } from '../support/requires';

const MAIN = path.join(__dirname, '..', '..', 'cli', 'main.js');
const SITE = path.join(ROOT, 'build', 'docs');

/** First cells of the tables of a page. */
const firstCells = (name: string): string[] =>
  [...fs.readFileSync(path.join(ROOT, 'docs', `${name}.md`), 'utf8').matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, cell = '']) => cell.replaceAll('`', '').trim())
    .filter((cell) => !/^(term|symbol|option|when|-+)$/.test(cell));

/** Words of the glossary; what stands in brackets explains the word. */
const glossaryWords = (): string[] =>
  firstCells('glossary').map((cell) => cell.replace(/ \(.*\)$/, ''));

/** Long names of options in the rows of a page. */
const optionsOn = (name: string): string[] => [
  ...new Set(firstCells(name).flatMap((cell) => /--[\w-]+/.exec(cell)?.[0] ?? [])),
];

/** Asks the index of the site for texts, as its pages do. Prints the first answer to each. */
const SEARCH = `
import { readFileSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { searchOptions, tokenize } from './docs/.vitepress/search.mjs';
const [file, words] = JSON.parse(readFileSync(0, 'utf8'));
const index = new Function(readFileSync(file, 'utf8').replace(/export\\s*\\{\\s*(\\w+) as default\\s*\\};?/, 'return $1'))();
const search = MiniSearch.loadJSON(index, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  tokenize,
  searchOptions,
});
process.stdout.write(JSON.stringify(words.map((word) => search.search(word)[0]?.id)));
`;

/** Sections that the search of the site shows first. */
function searched(words: readonly string[]): (string | undefined)[] {
  const chunks = path.join(SITE, 'assets', 'chunks');
  const name = fs.readdirSync(chunks).find((file) => file.startsWith('@localSearchIndexroot'));
  const input = JSON.stringify([path.join(chunks, name ?? ''), words]);
  const argv = ['--input-type=module', '-e', SEARCH];
  const output = execFileSync(process.execPath, argv, { cwd: ROOT, encoding: 'utf8', input });
  return JSON.parse(output) as (string | undefined)[];
}

/** It takes a minute of processor time, and tests of links hold most of what can break. */
describeIf(EFFORT > 1, 'the site of the documentation', 'HPCC_EFFORT is 1', () => {
  beforeAll(() => {
    execFileSync(process.execPath, [MAIN, 'docs', '--build'], { stdio: 'pipe' });
  });

  const page = (name: string): string => fs.readFileSync(path.join(SITE, name), 'utf8');
  const pages = (): string[] =>
    fs
      .readdirSync(SITE, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && !name.startsWith(`playground${path.sep}`));

  test('has a page for each file, and the reference of each part of the library', () => {
    const files = fs.readdirSync(path.join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
    expect(files.filter((name) => !pages().includes(name.replace(/md$/, 'html')))).toEqual([]);
    for (const part of ['p4runtime', 'telemetry', 'algorithm', 'switch', 'stf', 'scenario']) {
      expect(pages()).toContain(`api/${part}/index.html`);
    }
  });

  test('leads nowhere that is not there', () => {
    const missing = pages().flatMap((name) =>
      [...page(name).matchAll(/(?:href|src)="(\/[^"#?]+)/g)]
        .map(([, target = '']) => target)
        .filter((target) => {
          const file = path.join(SITE, target);
          return !fs.existsSync(file) && !fs.existsSync(`${file}.html`);
        })
        .map((target) => `${name}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  test.each([
    ['the words of the glossary', ['glossary'], glossaryWords()],
    ['settings of hosts', ['settings'], optionsOn('settings')],
    [
      'all other options',
      ['commands', 'switch'],
      [...optionsOn('commands'), ...optionsOn('switch')].filter(
        (option) => !optionsOn('settings').includes(option),
      ),
    ],
  ])('its search finds %s first on their page, in their row', (_what, names, words) => {
    expect(words.length).toBeGreaterThan(50);
    const found = searched(words);
    const isRow = (id = ''): boolean =>
      names.some(
        (name) =>
          id.startsWith(`/${name}.html#`) &&
          page(`${name}.html`).includes(`id="${id.split('#')[1]}"`),
      );
    expect(
      words.map((word, i) => `${word}: ${found[i]}`).filter((_, i) => !isRow(found[i])),
    ).toEqual([]);
  });

  test('runs a network inside of a page', () => {
    const frame = /<iframe[^>]*src="([^"]*)"/.exec(page('playground.html'))?.[1];
    expect(frame).toBe('/playground/index.html#scenario=incast16&amp;embed');
    expect(fs.existsSync(path.join(SITE, 'playground', 'programs', 'hpcc.js'))).toBe(true);
  });

  test('refuses a port that is taken, in one sentence', async () => {
    const server = net.createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const argv = [MAIN, 'docs', '--port', String(port)];
    const { status, stderr } = spawnSync(process.execPath, argv, {
      encoding: 'utf8',
      timeout: 20_000,
    });
    server.close();
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^hpcc: .*port ${port}`, 'm'));
  });
});
