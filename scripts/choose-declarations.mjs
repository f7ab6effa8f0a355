// Leaves the declarations out of the package that no part of it mentions: npm reads the files .npmignore of the build
// when it packs. The build has hundreds of them, which nobody can import. PERF: each folder names its own, as npm
// compares every file below a folder with every line of that folder's.
//
//     node scripts/choose-declarations.mjs
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mentionedFiles } from './mentioned-files.mjs';

const root = path.dirname(import.meta.dirname);
const build = path.join(root, 'build');
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
const { files } = mentionedFiles(root, entries, ['.d.ts', '/index.d.ts']);

const linesOf = new Map([[build, ['*.d.ts']]]);
for (const file of [...files].sort().map((name) => path.join(root, name))) {
  const folder = path.dirname(file);
  linesOf.set(folder, [...(linesOf.get(folder) ?? []), `!/${path.basename(file)}`]);
}
for (const file of readdirSync(build, { recursive: true })) {
  if (path.basename(file) === '.npmignore') rmSync(path.join(build, file));
}
for (const [folder, lines] of linesOf) {
  writeFileSync(path.join(folder, '.npmignore'), `${lines.join('\n')}\n`);
}
