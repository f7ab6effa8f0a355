// npm run mutation: changes the product in small ways, one at a time, and shows which change no test notices.
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { ROOT } from '../support/paths';
import { percent, scoreOf, survivorLines } from './score';
import type { Equivalent, Report, Score } from './score';

/** What each folder must reach, in percent. */
const BAR = 85;

const FOLDER = path.join(ROOT, 'test', 'mutation');
const readJson = (...names: string[]): unknown =>
  JSON.parse(fs.readFileSync(path.join(...names), 'utf8'));

const known = (readJson(FOLDER, 'folders.json') as { folder: string }[]).map(
  ({ folder }) => folder,
);
const equivalents = readJson(FOLDER, 'equivalents.json') as readonly Equivalent[];

function run(args: readonly string[]): number {
  const wanted = args.filter((argument) => known.includes(argument));
  const options = args.filter((argument) => !wanted.includes(argument));
  if (options[0]?.startsWith('-') === false) {
    console.error(`mutation: ${options[0]} is none of ${known.join(', ')}`);
    return 2;
  }
  const folders = wanted.length > 0 ? wanted : known;
  const scores: Score[] = [];
  for (const folder of folders) {
    if (stryker(folder, options) !== 0) return 1;
    scores.push(score(folder));
  }
  folders.forEach((folder, i) => console.log(summary(folder, scores[i] ?? NONE)));
  if (folders.length > 1) console.log(summary('together', scores.reduce(added, NONE)));
  return scores.every((each) => percent(each) >= BAR) ? 0 : 1;
}

function stryker(folder: string, options: readonly string[]): number {
  const program = path.join(ROOT, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const config = path.join('test', 'mutation', 'stryker.config.mjs');
  const { status } = spawnSync(process.execPath, [program, 'run', config, ...options], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, HPCC_MUTATED_FOLDER: folder },
  });
  return status ?? 1;
}

function score(folder: string): Score {
  const file = path.join(ROOT, 'out', 'mutation', `${folder.replaceAll('/', '-')}.json`);
  const found = scoreOf(readJson(file) as Report, equivalents);
  for (const line of survivorLines(found)) console.log(line);
  return found;
}

const NONE: Score = { killed: 0, total: 0, equivalent: 0, survivors: [] };

const added = (a: Score, b: Score): Score => ({
  killed: a.killed + b.killed,
  total: a.total + b.total,
  equivalent: a.equivalent + b.equivalent,
  survivors: [...a.survivors, ...b.survivors],
});

const summary = (name: string, one: Score): string =>
  `${name}: ${percent(one).toFixed(1)} % (${one.killed} of ${one.total} noticed, ${one.equivalent} equivalent)`;

process.exitCode = run(process.argv.slice(2));
