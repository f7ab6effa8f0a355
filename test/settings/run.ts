// npm run settings: the tests in fresh clones, on machines that have everything and on such that lack things.
import { execFileSync, spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Command } from 'commander';
import { InputError } from '../../common/errors';
import { ROOT } from '../support/paths';
import { countsIn, isGood, table } from './outcome';
import type { Outcome } from './outcome';
import { ownPath, settings, withoutNpm } from './settings';
import type { Setting } from './settings';

interface Options {
  readonly only?: string;
  readonly otherBmv2?: string;
  readonly keep?: boolean;
}

/** User and group of nobody. */
const NOBODY = 65534;

const LOGS = path.join(ROOT, 'out', 'settings');

const program = new Command('npm run settings --')
  .description(
    'Clones HEAD afresh for each setting and runs ./hpcc test there: with everything that this ' +
      'machine has, without P4 compiler and bmv2, without root, and with nothing but Node.js and npm.',
  )
  .option('--only <names>', 'only these settings, separated by commas')
  .option('--other-bmv2 <folder>', 'everything once more with the bmv2 of this folder')
  .option('--keep', 'leave the clones behind')
  .argument('[args...]', 'arguments for jest, such as a path; without them all is tested')
  .passThroughOptions()
  .action(async (args: string[], options: Options) => {
    process.exitCode = await runAll(chosen(options), args, options.keep ?? false);
  });

function chosen({ only, otherBmv2 }: Options): readonly Setting[] {
  const folder = otherBmv2 === undefined ? undefined : path.resolve(otherBmv2);
  if (folder !== undefined && !fs.existsSync(path.join(folder, 'simple_switch_grpc'))) {
    throw new InputError(`no simple_switch_grpc in ${folder}`);
  }
  const all = settings(ownPath(process.env.PATH ?? ''), folder);
  if (only === undefined) return all;
  return only.split(',').map((name) => {
    const found = all.find((setting) => setting.name === name);
    const known = all.map((setting) => setting.name).join(', ');
    if (found === undefined) throw new InputError(`no setting ${name}; there are ${known}`);
    return found;
  });
}

async function runAll(
  wanted: readonly Setting[],
  args: readonly string[],
  keep: boolean,
): Promise<number> {
  if (execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }) !== '') {
    console.error('settings: what is not committed is not tested');
  }
  fs.mkdirSync(LOGS, { recursive: true });
  const outcomes: Outcome[] = [];
  for (const setting of wanted) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), `hpcc-${setting.name}-`));
    // Servers that tests start as users of their own, such as PostgreSQL's, have their files in it.
    fs.chmodSync(folder, 0o755);
    try {
      outcomes.push(await runIn(folder, setting, args));
    } finally {
      if (keep) console.error(`settings: ${setting.name} is in ${folder}`);
      else fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  process.stdout.write(table(outcomes));
  return outcomes.every(isGood) ? 0 : 1;
}

/** Clones, installs, builds and tests, all of it in the setting. */
async function runIn(folder: string, setting: Setting, args: readonly string[]): Promise<Outcome> {
  const [clone, home, temporary] = ['hpcc', 'home', 'tmp'].map((name) => path.join(folder, name));
  const log = path.join(LOGS, `${setting.name}.log`);
  console.error(`settings: ${setting.name} (${path.relative(process.cwd(), log)})`);
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', ROOT, clone ?? '']);
  for (const made of [home, temporary]) fs.mkdirSync(made ?? '');
  copyNpmSettings(home ?? '');
  const env = {
    ...withoutNpm(process.env),
    HOME: home,
    TMPDIR: temporary,
    PATH: setting.searchPath(path.join(folder, 'bin')),
  };
  const command = [...asNobody(setting, folder), './hpcc', 'test', ...args];
  const started = process.hrtime.bigint();
  const exitCode = await logged(command, { cwd: clone ?? '', env, log });
  const minutes = Number(process.hrtime.bigint() - started) / 60e9;
  const counts = countsIn(fs.readFileSync(log, 'utf8'));
  return { setting: setting.name, exitCode, minutes, ...(counts && { counts }) };
}

/** Where packages come from is the developer's choice and no part of the setting. */
function copyNpmSettings(home: string): void {
  const own = path.join(os.homedir(), '.npmrc');
  if (fs.existsSync(own)) fs.copyFileSync(own, path.join(home, '.npmrc'));
}

/** What precedes a command so that it has no rights; nothing where there are none to lose. */
function asNobody({ unprivileged = false }: Setting, folder: string): readonly string[] {
  if (!unprivileged || process.getuid?.() !== 0) return [];
  execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]);
  return ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
}

interface Run {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: string;
}

function logged(command: readonly string[], { cwd, env, log }: Run): Promise<number> {
  const [executable = '', ...args] = command;
  const output = fs.openSync(log, 'w');
  const child = spawn(executable, args, { cwd, env, stdio: ['ignore', output, output] });
  fs.closeSync(output);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

program.parseAsync().catch((error: unknown) => {
  if (!(error instanceof InputError)) throw error;
  console.error(`settings: ${error.message}`);
  process.exitCode = 2;
});
