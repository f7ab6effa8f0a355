// Bundles the page of `hpcc view` and of reports into one script and one style sheet. Types are the
// compiler's matter; this only joins and shortens. Puts the lockdown of SES beside the code that runs it.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';

import { drawingOfFile, echartsParts } from './echarts-plugin.mjs';

const out = 'build/emulator/view/page';
mkdirSync(out, { recursive: true });
const result = await build({
  entryPoints: { page: 'emulator/view/page/main.tsx' },
  outdir: out,
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  charset: 'utf8',
  legalComments: 'none',
  tsconfig: 'emulator/view/page/tsconfig.json',
  plugins: [drawingOfFile],
  write: false,
  logLevel: 'error',
});
const style = await build({
  entryPoints: ['emulator/view/page/style.css'],
  minify: true,
  write: false,
  logLevel: 'error',
});
for (const [name, { text }] of [
  ['page.js', result.outputFiles[0]],
  ['page.css', style.outputFiles[0]],
]) {
  writeFileSync(`${out}/${name}.partial`, text);
  renameSync(`${out}/${name}.partial`, `${out}/${name}`);
}

// What draws charts, joined over what the compiler has made of it: the package does not need the rest. Node.js loads
// it as a module, and pages have it before their script.
const picture = 'build/emulator/view/picture';
mkdirSync(picture, { recursive: true });
await build({
  entryPoints: ['emulator/view/picture/echarts.ts'],
  outfile: `${picture}/echarts.js`,
  plugins: [echartsParts],
  bundle: true,
  minify: true,
  format: 'iife',
  globalName: 'hpccDrawing',
  footer: { js: "typeof module === 'object' && (module.exports = hpccDrawing);" },
  platform: 'browser',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'error',
});
for (const name of ['LICENSE', 'NOTICE']) {
  copyFileSync(`node_modules/echarts/${name}`, `${picture}/echarts.${name}`);
}

const code = 'build/common/io/code';
mkdirSync(code, { recursive: true });
copyFileSync('node_modules/ses/dist/lockdown.umd.min.js', `${code}/lockdown.js`);
copyFileSync('node_modules/ses/LICENSE', `${code}/lockdown.LICENSE`);
