// Leaves the declarations out of the package that no part of it mentions: npm reads build/.npmignore when it packs.
// The build has hundreds of them, which nobody can import.
//
//     node scripts/choose-declarations.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mentionedFiles } from './mentioned-files.mjs';

const root = path.dirname(import.meta.dirname);
const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
const { files } = mentionedFiles(root, entries, ['.d.ts', '/index.d.ts']);
const kept = [...files].sort().map((file) => `!/${path.relative('build', file)}`);
writeFileSync(path.join(root, 'build', '.npmignore'), `${['*.d.ts', ...kept].join('\n')}\n`);
