// Bundles the playground: one page that holds its script, its style, its worker and the files that the worker
// reads, and a script per compiled P4 program beside it. It works from a file as from any server.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { echartsParts } from './echarts-plugin.mjs';

const out = process.argv[2] ?? 'build/playground';
const folder = path.resolve('emulator/playground/io');
const read = (file) => readFileSync(file, 'utf8');

/** Modules of the program that a browser has others for; each is named by the end of its path. */
const REPLACED = {
  'common/io/bounded-file': 'bounded-file',
  'common/io/loop/optimising': 'optimising',
  'common/io/repository': 'repository',
  'common/io/terminal': 'terminal',
  'controller/io/thrift-switch': 'absent',
  'controller/io/tofino-program': 'absent',
  'emulator/io/run-in-parts': 'absent',
  'emulator/io/inputs/trace-files': 'absent',
  'emulator/io/worker-count': 'absent',
  'host-agent/io/options/load-algorithm': 'load-algorithm',
  'switch/io/keep-text': 'absent',
  'switch/server/listener': 'listener',
};

/** Packages, and modules of Node. */
const PACKAGES = {
  '@grpc/grpc-js': `${folder}/grpc.ts`,
  'node:child_process': `${folder}/absent.ts`,
  'node:crypto': `${folder}/digest.ts`,
  'node:events': 'events/',
  'node:fs': `${folder}/files.ts`,
  'node:fs/promises': `${folder}/files.ts`,
  'node:module': `${folder}/absent.ts`,
  'node:os': `${folder}/absent.ts`,
  'node:path': 'path-browserify',
  'node:timers/promises': `${folder}/turns.ts`,
  buffer: 'buffer/',
};

const standIns = {
  name: 'stand-ins',
  setup({ onResolve }) {
    onResolve({ filter: /^\.{1,2}\// }, ({ path: given, resolveDir }) => {
      const named = path.relative(process.cwd(), path.join(resolveDir, given));
      const found = resolveDir === folder ? undefined : REPLACED[named];
      return found === undefined ? undefined : { path: `${folder}/${found}.ts` };
    });
  },
};

const commit = () => {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
};

const shared = {
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  write: false,
  logLevel: 'error',
};

const worker = await build({
  ...shared,
  entryPoints: ['emulator/playground/io/worker.ts'],
  format: 'iife',
  platform: 'browser',
  alias: PACKAGES,
  plugins: [standIns],
  inject: [`${folder}/globals.ts`],
  define: {
    HPCC_VERSION: JSON.stringify(JSON.parse(read('package.json')).version),
    HPCC_COMMIT: JSON.stringify(commit()),
    __dirname: '"/"',
  },
});
const page = await build({
  ...shared,
  entryPoints: ['emulator/playground/page/main.tsx'],
  format: 'iife',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  tsconfig: 'emulator/playground/page/tsconfig.json',
  plugins: [echartsParts],
});
const style = await build({
  ...shared,
  stdin: {
    contents: ['emulator/view/page/style.css', 'emulator/playground/page/style.css']
      .map(read)
      .join('\n'),
    loader: 'css',
  },
});

/** Files of a folder that end so, by their names in the worker. */
const filesOf = (from, end) =>
  Object.fromEntries(
    readdirSync(from)
      .filter((name) => name.endsWith(end))
      .sort()
      .map((name) => [`/${from}/${name}`, read(`${from}/${name}`)]),
  );

const files = {
  ...filesOf('emulator/scenario/catalogue', '.yaml'),
  ...filesOf('emulator/workload/distributions', '.txt'),
};

const inScript = (text) => text.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
const [workerText, pageText, styleText] = [worker, page, style].map(
  ({ outputFiles }) => outputFiles[0].text,
);
// A link may hold somebody else's algorithm. The worker that runs it has the policy of this page: it reaches nothing
// but the scripts beside the page.
const POLICY = [
  "default-src 'none'",
  "script-src 'self' file: blob: 'unsafe-inline' 'unsafe-eval'",
  'worker-src blob:',
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  "connect-src 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>HPCC++ playground</title>
<link rel="icon" href="data:,">
<style>${styleText}</style>
</head>
<body>
<div id="page"><noscript>The playground runs a network in this page and needs JavaScript.</noscript></div>
<script type="application/json" id="files">${JSON.stringify(files).replace(/</g, '\\u003c')}</script>
<script type="text/plain" id="worker">${inScript(workerText)}</script>
<script>${inScript(pageText)}</script>
</body>
</html>
`;

const write = (name, text) => {
  writeFileSync(`${out}/${name}.partial`, text);
  renameSync(`${out}/${name}.partial`, `${out}/${name}`);
};

rmSync(out, { recursive: true, force: true });
mkdirSync(`${out}/programs`, { recursive: true });
write('index.html', html);
const artifacts = 'p4src/artifacts';
for (const file of readdirSync(artifacts).filter((name) => name.endsWith('.manifest.json'))) {
  const name = file.slice(0, -'.manifest.json'.length);
  const parts = ['json', 'p4info.json', 'manifest.json'].map(
    (end) => `${artifacts}/${name}.${end}`,
  );
  const texts = Object.fromEntries(parts.map((part) => [`/${part}`, read(part)]));
  write(`programs/${name}.js`, `hpccProgram(${JSON.stringify(name)}, ${JSON.stringify(texts)});\n`);
}
