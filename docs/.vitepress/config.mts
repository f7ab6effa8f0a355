import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import type { DefaultTheme } from 'vitepress';
import { searchOptions, tokenize } from './search.mjs';

const docs = path.resolve(import.meta.dirname, '..');
const root = path.dirname(docs);
/** The folder of the server at which the site lies, such as /hpcc/. */
const base = process.env['HPCC_DOCS_BASE'] ?? '/';

/** Pages by subject, each door from learning to looking up; what is named nowhere else goes to the last group. */
const GROUPS: readonly (readonly [title: string, pages: readonly string[]])[] = [
  ['Begin', ['index', 'install', 'playground', 'glossary']],
  [
    'Simulate',
    [
      'tutorial',
      'emulator',
      'inputs',
      'view',
      'study',
      'traces',
      'algorithms',
      'custom-algorithm',
      'coordination',
      'lossless',
      'figures',
      'scenario-yaml',
      'study-yaml',
    ],
  ],
  [
    'Emulate with Mininet',
    ['tutorial-mininet', 'mininet-experiments', 'mininet', 'experiment-yaml'],
  ],
  [
    'Test INT',
    ['tutorial-int', 'int', 'int-tools', 'decode', 'wireshark/README', 'stf', 'wire-formats'],
  ],
  [
    'Deploy',
    [
      'tutorial-deploy',
      'deploy',
      'switch',
      'group',
      'controller',
      'agent',
      'tcp',
      'rocev2',
      'metrics',
      'tofino',
      'p4runtime',
      'p4runtime-client',
      'network-yaml',
    ],
  ],
  ['Reference', ['commands', 'settings', 'combinations', 'p4', 'p4-tables', 'limits', 'api/index']],
  [
    'How it is built',
    ['architecture', 'drafts', 'deviations', 'testing', 'environment', 'measurements'],
  ],
];

/** Heading of a page. */
function titleOf(page: string): string {
  const [, title = page] =
    /^# (.+)$/m.exec(readFileSync(path.join(docs, `${page}.md`), 'utf8')) ?? [];
  return title.replaceAll('`', '');
}

function sidebar(): DefaultTheme.SidebarItem[] {
  const grouped = new Set(GROUPS.flatMap(([, pages]) => pages));
  const others = readdirSync(docs)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
    .filter((name) => !grouped.has(name));
  return [...GROUPS, ['More', others] as const].flatMap(([text, pages]) => {
    const items = pages
      .filter((page) => existsSync(path.join(docs, `${page}.md`)))
      .map((page) => ({ text: titleOf(page), link: `/${page}` }));
    return items.length === 0 ? [] : [{ text, collapsed: text !== 'Begin', items }];
  });
}

interface Token {
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
  readonly type: string;
  readonly content: string;
  readonly children: Token[] | null;
}

/** A file of the repository beyond docs/, as the site holds it; folders and absent files have none. */
function fileAddress(page: string, href: string): string | undefined {
  const [target = ''] = href.split('#');
  const file = path.resolve(docs, path.dirname(page), target);
  if (!file.startsWith(root) || file.startsWith(`${docs}${path.sep}`)) return undefined;
  if (!existsSync(file) || !statSync(file).isFile()) return '';
  return `${base}files/${path.relative(root, file)}.txt`;
}

/** Pages whose rows are looked up one by one: the search finds each, and leads to it. */
const LOOKED_UP: ReadonlySet<string> = new Set([
  'glossary.md',
  'settings.md',
  'commands.md',
  'switch.md',
]);

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

/** Gives the first cell of each row of a table an address in its page: section and name. Only options, if asked so. */
function nameRows(tokens: readonly Token[], onlyOptions: boolean): void {
  let section = '';
  const given = new Map<string, number>();
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') section = slug(tokens[i + 1]?.content ?? '');
    const content = tokens[i + 1]?.content ?? '';
    if (token.type !== 'td_open' || tokens[i - 1]?.type !== 'tr_open') continue;
    if (onlyOptions && !content.startsWith('`-')) continue;
    const name = `${section}--${slug(content)}`;
    const before = given.get(name) ?? 0;
    given.set(name, before + 1);
    token.attrSet('id', before === 0 ? name : `${name}-${before + 1}`);
  }
}

/** The page with a heading in place of the first cell of each row, as the search parts pages at headings. */
const rowsAsSections = (html: string): string =>
  html.replaceAll(/<td id="([^"]*)"[^>]*>(.*?)<\/td>/g, '<h3 id="$1">$2 <a href="#$1">#</a></h3>');

export default defineConfig({
  title: 'HPCC++ on P4',
  description:
    'Congestion control with in-band telemetry: P4 switches, controller, hosts, emulator',
  srcDir: docs,
  base,
  outDir: path.join(root, 'build', 'docs'),
  cacheDir: path.join(root, 'build', 'docs-cache'),
  ignoreDeadLinks: [/files\//],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize }, searchOptions },
        // PERF: of the library's reference the headings are found; its texts would be most of the index.
        _render: (source, environment, markdown) => {
          const isReference = environment.relativePath.startsWith('api/');
          const text = isReference ? (/^# .*$/m.exec(source)?.[0] ?? '') : source;
          const html = markdown.render(text, environment);
          return LOOKED_UP.has(environment.relativePath) ? rowsAsSections(html) : html;
        },
      },
    },
    outline: 'deep',
    sidebar: sidebar(),
    nav: [
      { text: 'Simulate', link: '/tutorial' },
      { text: 'Emulate', link: '/tutorial-mininet' },
      { text: 'Test INT', link: '/tutorial-int' },
      { text: 'Deploy', link: '/tutorial-deploy' },
    ],
  },
  markdown: {
    // Pages are plain Markdown, which every reader of the repository shows.
    html: false,
    config(markdown) {
      const fence = markdown.renderer.rules.fence;
      // ```live holds the part behind the # of an address of the playground, and runs it in the page.
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content } = tokens[index] ?? { info: '', content: '' };
        if (info.trim() !== 'live') return fence?.(tokens, index, ...rest) ?? '';
        const hash = encodeURI(content.trim()).replaceAll('"', '%22');
        return `<iframe class="live" loading="lazy" title="Live run: ${hash}" src="${base}playground/index.html#${hash}&embed"></iframe>\n`;
      };
      markdown.core.ruler.push('files', ({ tokens, env }) => {
        const page = path.relative(docs, (env as { readonly path: string }).path);
        if (LOOKED_UP.has(page)) nameRows(tokens, page !== 'glossary.md');
        for (const token of (tokens as Token[]).flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href === null || /^([a-z]+:|#)/.test(href)) continue;
          const address = fileAddress(page, href);
          if (address !== undefined) token.attrSet('href', address);
        }
      });
    },
  },
});
