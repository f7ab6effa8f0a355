// Packs the P4Runtime client alone, as the package hpcc-plus-plus-p4runtime: the modules that its entry loads, their
// declarations, and the dependencies that these name, in the versions of package.json. Prints the path of the tarball.
//
//     node scripts/pack-p4runtime.mjs [FOLDER]
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mentionedFiles } from './mentioned-files.mjs';

const [out = 'out'] = process.argv.slice(2);
const root = path.dirname(import.meta.dirname);
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const { types, default: entry } = manifest.exports['./p4runtime'];

const code = mentionedFiles(root, [entry], ['.js', '/index.js', '']);
const declared = mentionedFiles(root, [types], ['.d.ts', '/index.d.ts']);
const names = [...code.packages, ...declared.packages].filter(
  (name) => !name.startsWith('node:') && !builtinModules.includes(name),
);
const typesOf = (name) => `@types/${name}`;
const dependencies = Object.fromEntries(
  [...names, ...names.map(typesOf).filter((name) => name in manifest.dependencies)]
    .sort()
    .map((name) => {
      const version = manifest.dependencies[name];
      if (version === undefined) throw new Error(`${name} is no dependency of package.json`);
      return [name, version];
    }),
);

const { version, license, type, engines, repository } = manifest;
const folder = mkdtempSync(path.join(tmpdir(), 'hpcc-pack-'));
try {
  for (const file of [...code.files, ...declared.files]) {
    cpSync(path.join(root, file), path.join(folder, file));
  }
  copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
  copyFileSync(
    path.join(root, 'controller', 'p4runtime', 'README.md'),
    path.join(folder, 'README.md'),
  );
  const own = {
    name: `${manifest.name}-p4runtime`,
    version,
    description: 'P4Runtime 1.5 client: everything by name, every value as text or number',
    license,
    ...(repository && { repository }),
    type,
    engines,
    exports: { '.': { types, default: entry }, './package.json': './package.json' },
    dependencies,
  };
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
  mkdirSync(out, { recursive: true });
  const words = ['pack', folder, '--silent', '--pack-destination', path.resolve(out)];
  process.stdout.write(path.join(out, execFileSync('npm', words, { encoding: 'utf8' })));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
