// npm run fuzz: coverage-guided fuzzing of what takes bytes of strangers.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { Command } from 'commander';
import { wholeOption, within } from '../../cli/shared/option-values';
import { ROOT } from '../support/paths';
import { keep, readInputs, writeInputs } from './corpus';
import { runCampaign } from './guidance/campaign';
import type { Progress } from './guidance/shared';
import { targetNames, targetNamed } from './targets';

interface Options {
  readonly all?: true;
  readonly inputs: number;
  readonly seconds: number;
  readonly seed: number;
  readonly input?: string;
  readonly keep?: true;
}

/** Where corpora grow and findings are written; not committed. */
const OUT = path.join(ROOT, 'out', 'fuzz');
const WEEK_SECONDS = 604_800;

const program = new Command('npm run fuzz --')
  .description(
    'Tries changed inputs, guided by what they reach in the code. An input that breaks a rule is ' +
      'written to a file, with the command that repeats it; the exit code tells.',
  )
  .argument('[target...]', 'what is fuzzed')
  .option('--all', 'every target, one after the other')
  .option('--inputs <n>', 'of each target', within(1, 2 ** 31 - 1, wholeOption), 100_000)
  .option(
    '--seconds <n>',
    'of each target at most',
    within(1, WEEK_SECONDS, wholeOption),
    WEEK_SECONDS,
  )
  .option('--seed <n>', 'of the changes', within(0, 2 ** 31 - 1, wholeOption), 1)
  .option('--input <file>', 'gives the target this input, once')
  .option('--keep', 'keeps the shortest inputs that reach most in test/fuzz/corpus')
  .addHelpText('after', () => `\nTargets:\n${listing()}`)
  .action(async (names: readonly string[], options: Options) => {
    const wanted = options.all === true ? targetNames() : names;
    if (wanted.length === 0) program.error(`error: wanted a target:\n${listing()}`);
    const unknown = wanted.find((name) => targetNamed(name) === undefined);
    if (unknown !== undefined)
      program.error(`error: no target '${unknown}'; there are:\n${listing()}`);
    const interruption = new AbortController();
    process.once('SIGINT', () => interruption.abort());
    for (const name of wanted) {
      if (!interruption.signal.aborted) await one(name, options, interruption.signal);
    }
  });

const listing = (): string =>
  targetNames()
    .map((name) => `  ${name.padEnd(16)} ${targetNamed(name)?.target.about ?? ''}`)
    .join('\n');

async function one(name: string, options: Options, interruption: AbortSignal): Promise<void> {
  const named = targetNamed(name);
  if (named === undefined) return;
  if (options.input !== undefined) {
    await named.target.start()(fs.readFileSync(options.input));
    process.stdout.write(`${name}: ${options.input} breaks no rule\n`);
    return;
  }
  const { inputs, seed, seconds } = options;
  const grown = path.join(OUT, `${name}.txt`);
  const began = performance.now();
  const task = { name, file: named.file, inputs, seed, seconds, more: readInputs(grown) };
  let last = 0;
  const show = ({ tried, reached, good }: Progress): void => {
    last = tried;
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${tried} ${reached} ${good} `);
  };
  const result = await runCampaign(task, show, interruption);
  if (result.kind === 'found') {
    report(name, { ...result, after: last });
    return;
  }
  const { tried, reached, good } = result.end;
  const took = (performance.now() - began) / 1000;
  writeInputs(grown, good);
  const rate = Math.round(tried / took);
  process.stdout.write(
    `${name}: ${tried} inputs in ${took.toFixed(0)} s (${rate}/s), seed ${seed}, ` +
      `${reached} branches, corpus ${good.length}: no rule broken\n`,
  );
  if (options.keep === true) process.stdout.write(`${name}: ${keep(name, good)} inputs kept\n`);
}

interface Finding {
  readonly input: Uint8Array;
  readonly why: string;
  /** Inputs that were tried before it, about. */
  readonly after: number;
}

function report(name: string, { input, why, after }: Finding): void {
  fs.mkdirSync(OUT, { recursive: true });
  const file = path.join(OUT, `${name}-finding-${Date.now()}`);
  fs.writeFileSync(file, input);
  const again = `npm run fuzz -- ${name} --input ${path.relative(ROOT, file)}`;
  process.stdout.write(
    `${name}: a rule is broken after ${after} inputs: ${why}\nrepeat: ${again}\n`,
  );
  process.exitCode = 1;
}

void program.parseAsync();
