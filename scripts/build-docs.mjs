// Builds the site of the documentation into build/docs: the library's reference from docstrings, the pages of
// docs/, the playground, and the files of the repository that pages link to.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const OUT = 'build/docs';
const node = (...args) =>
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });

rmSync('docs/api', { recursive: true, force: true });
node('node_modules/typedoc/bin/typedoc', '--options', 'docs/.vitepress/typedoc.json');
node('node_modules/vitepress/bin/vitepress.js', 'build', 'docs');
node('scripts/build-playground.mjs', `${OUT}/playground`);

const pages = readdirSync(OUT, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.html'),
);
const linked = new Set(
  pages.flatMap((page) =>
    [
      ...readFileSync(path.join(OUT, page), 'utf8').matchAll(/"[^"]*\/files\/([^"#]+)\.txt["#]/g),
    ].map(([, file]) => file),
  ),
);
for (const file of linked) {
  const target = path.join(OUT, 'files', `${file}.txt`);
  mkdirSync(path.dirname(target), { recursive: true });
  cpSync(file, target);
}
