// npm run testgen: tests of the programs for Tofino by p4testgen, for their models.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { Command } from 'commander';
import { TNA_PROGRAMS } from '../../../common/io/p4-profiles';
import { tofinoDigest } from '../../../common/io/tna-compiler';
import { profileJson } from '../support/profile-tests';
import { writeCases } from './cases';
import { copyForTestgen, FRAME_BYTES } from './followable-source';
import { toStf } from './to-stf';
import type { Profiles } from './to-stf';

interface Options {
  readonly include: string;
  readonly made: string;
  readonly kept: string;
}

const CHIPS = [
  { chip: 'tofino', architecture: 'tna', flags: ['__TARGET_TOFINO__=1'] },
  { chip: 'tofino2', architecture: 't2na', flags: ['__TARGET_TOFINO__=2', 'CELL_SHIFT=7'] },
] as const;

type Chip = (typeof CHIPS)[number];

/** Its emits depend on validities that the generator cannot tell, and it gives up. */
const NOT_FOLLOWED = new Set(['hpcc-edge']);

const command = new Command('npm run testgen --')
  .description('Makes tests of the programs for Tofino by p4testgen, which must be on PATH.')
  .requiredOption('--include <folder>', "p4c's p4include with tna.p4")
  .option('--made <n>', 'tests of each program and chip', '1500')
  .option(
    '--kept <n>',
    'of them, those that cover more, those that grow, and others up to this',
    '40',
  )
  .action((options: Options) => {
    for (const { name, program } of TNA_PROGRAMS.filter((each) => !NOT_FOLLOWED.has(each.name))) {
      for (const chip of CHIPS) make({ name, program }, chip, options);
    }
  });

interface Made {
  readonly number: number;
  readonly text: string;
  readonly coverage: number;
}

function make(
  { name, program }: { readonly name: string; readonly program: string },
  chip: Chip,
  { include, made, kept }: Options,
): void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-testgen-'));
  try {
    const sources = path.join(folder, 'p4src');
    const out = path.join(folder, 'out');
    copyForTestgen(program, sources);
    const bits = 8 * FRAME_BYTES;
    const words = [
      '--target',
      chip.chip,
      '--arch',
      chip.architecture,
      '--std',
      'p4-16',
      '-I',
      '.',
      '-I',
      include,
      ...chip.flags.map((flag) => `-D${flag}`),
      '--test-backend',
      'STF',
      '--max-tests',
      made,
      '--seed',
      '1',
      '--out-dir',
      out,
      '--path-selection',
      'GREEDY_STATEMENT_SEARCH',
      '--track-coverage',
      'STATEMENTS',
      '--packet-size-range',
      `${bits}:${bits}`,
      program,
    ];
    execFileSync('p4testgen', words, { cwd: sources, stdio: 'pipe', maxBuffer: 1 << 30 });
    const all = readMade(out);
    const chosen = choose(all, Number(kept));
    const coverage = `${Math.round(100 * (all.at(-1)?.coverage ?? 0))} %`;
    const profiles = profilesOf(`${name}-model`);
    writeCases({
      program: name,
      chip: chip.chip,
      coverage,
      heldSha256: '',
      sourcesSha256: tofinoDigest(tnaProgram(name), chip.chip),
      tests: chosen.map(({ number, text }) => [number, toStf(text, profiles)] as const),
    });
    process.stdout.write(`${name} ${chip.chip}: ${chosen.length} of ${all.length}, ${coverage}\n`);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function tnaProgram(name: string): (typeof TNA_PROGRAMS)[number] {
  const found = TNA_PROGRAMS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is ${name} for TNA`);
  return found;
}

function readMade(folder: string): readonly Made[] {
  return fs
    .readdirSync(folder)
    .map((file) => {
      const text = fs.readFileSync(path.join(folder, file), 'utf8');
      const number = Number(/_(\d+)\.stf$/.exec(file)?.[1]);
      return { number, text, coverage: Number(/statement coverage: (\S+)/.exec(text)?.[1]) };
    })
    .sort((a, b) => a.number - b.number);
}

/** Tests that execute more statements than all before, tests whose packet grows, and others. */
function choose(all: readonly Made[], kept: number): readonly Made[] {
  const first = new Set<Made>();
  let covered = 0;
  for (const each of all) {
    if (each.coverage > covered || grows(each.text)) first.add(each);
    covered = Math.max(covered, each.coverage);
  }
  for (const each of all) if (first.size < kept) first.add(each);
  return all.filter((each) => first.has(each));
}

const grows = (text: string): boolean =>
  (/^expect \d+ ([0-9A-F*]+)/m.exec(text)?.[1]?.length ?? 0) > 2 * FRAME_BYTES;

function profilesOf(model: string): Profiles {
  const { pipelines } = JSON.parse(profileJson(model)) as {
    readonly pipelines: readonly {
      readonly tables: readonly { readonly name: string; readonly action_profile?: string }[];
    }[];
  };
  return new Map(
    pipelines
      .flatMap(({ tables }) => tables)
      .flatMap(({ name, action_profile: profile }) =>
        profile === undefined ? [] : [[name, profile] as const],
      ),
  );
}

command.parse();
