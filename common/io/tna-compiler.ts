import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { z } from 'zod';
import { InputError } from '../errors';
import { p4ArtifactFolder, p4SourceFolder, sourcesDigest, TNA_PROGRAMS } from './p4-profiles';
import type { P4Profile } from './p4-profiles';
import { tofinoResources } from './tofino-report';

/** The back end, without which p4c's driver does not know the target. */
const BACK_END = 'p4c-barefoot';
const DRIVER = 'p4c';

/** A chip, and the flags that its programs are compiled with. */
const CHIPS = [
  { chip: 'tofino', architecture: 'tna', flags: [] },
  // Cells of 176 bytes.
  { chip: 'tofino2', architecture: 't2na', flags: ['CELL_SHIFT=7'] },
] as const;

type Chip = (typeof CHIPS)[number];

/** A program compiled for one chip. */
export interface TofinoBuild {
  /** Folder with the files for the chip and its driver. */
  readonly folder: string;
  /** File names and contents of what is committed: report, and P4Info in standard externs. */
  readonly artifacts: ReadonlyMap<string, string>;
}

const reportSchema = z.looseObject({
  program: z.string(),
  chip: z.string(),
  sourcesSha256: z.string(),
  /** Version of p4c's Tofino back end. */
  compiler: z.string(),
  stages: z.object({ used: z.number(), of: z.number() }),
});

/** The committed report of a program: what it takes of a chip, and what it was made from. */
export type TofinoReport = z.infer<typeof reportSchema>;

export const TOFINO_CHIPS = CHIPS.map(({ chip }) => chip);

export const tofinoArtifactFolder = (): string => path.join(p4ArtifactFolder(), 'tna');

const artifactName = (program: P4Profile, { chip }: Chip, suffix: string): string =>
  `${program.name}.${chip}.${suffix}`;

/** Digest of what a program for a chip is made from. */
export const tofinoDigest = (program: P4Profile, chip: string): string =>
  sourcesDigest({ ...program, flags: [...program.flags, ...chipNamed(chip).flags] });

/** Reads a committed report. Throws InputError when there is none. */
export function loadTofinoReport(program: P4Profile, chip: string): TofinoReport {
  const name = artifactName(program, chipNamed(chip), 'report.json');
  const file = path.join(tofinoArtifactFolder(), name);
  if (!fs.existsSync(file)) throw new InputError(`no report of Tofino: ${file} cannot be read`);
  return reportSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')));
}

/**
 * Compiles programs for Tofino 1 and 2 with p4c on PATH, each into `<out>/<chip>/<program>`.
 * @throws InputError when the back end is missing or refuses a program; its messages are quoted.
 */
export async function buildForTofino(
  names: readonly string[],
  out: string,
): Promise<TofinoBuild[]> {
  const programs = names.map(tnaProgram);
  if (!hasTofinoBackEnd()) {
    throw new InputError(
      `needs ${DRIVER} and ${BACK_END} on PATH: p4c that was built with ENABLE_TOFINO`,
    );
  }
  const builds: TofinoBuild[] = [];
  for (const chip of CHIPS) {
    for (const program of programs) builds.push(await compile(program, chip, path.resolve(out)));
  }
  return builds;
}

/** True if the Tofino back end of p4c is installed. */
export const hasTofinoBackEnd = (): boolean => isOnPath(BACK_END) && isOnPath(DRIVER);

function chipNamed(name: string): Chip {
  const found = CHIPS.find(({ chip }) => chip === name);
  if (found !== undefined) return found;
  throw new InputError(`no chip '${name}': expected one of ${TOFINO_CHIPS.join(', ')}`);
}

function tnaProgram(name: string): P4Profile {
  const found = TNA_PROGRAMS.find((program) => program.name === name);
  if (found !== undefined) return found;
  const names = TNA_PROGRAMS.map((program) => program.name).join(', ');
  throw new InputError(`no program '${name}' for Tofino: expected one of ${names}`);
}

async function compile(program: P4Profile, chip: Chip, out: string): Promise<TofinoBuild> {
  const folder = path.join(out, chip.chip, program.name);
  fs.mkdirSync(folder, { recursive: true });
  const file = (suffix: string): string => path.join(folder, `${program.name}.${suffix}`);
  const flags = [...program.flags, ...chip.flags];
  await run([
    '--target',
    chip.chip,
    '--arch',
    chip.architecture,
    '--std',
    'p4-16',
    '-I',
    '.',
    ...flags.map((flag) => `-D${flag}`),
    // With its logs of resources.
    '-g',
    '-o',
    folder,
    '--p4runtime-files',
    file('p4info.txtpb'),
    '--p4runtime-force-std-externs',
    '--bf-rt-schema',
    file('bf-rt.json'),
    program.program,
  ]);
  return { folder, artifacts: artifactsIn(folder, program, chip) };
}

function artifactsIn(folder: string, program: P4Profile, chip: Chip): TofinoBuild['artifacts'] {
  const text = (...names: string[]): string => fs.readFileSync(path.join(folder, ...names), 'utf8');
  const log = (name: string): unknown => JSON.parse(text('pipe', 'logs', name));
  const { compiler, ...taken } = tofinoResources(log('resources.json'), log('phv.json'));
  const report: TofinoReport & { readonly bfRtTables: readonly string[] } = {
    program: program.program,
    chip: chip.chip,
    sourcesSha256: tofinoDigest(program, chip.chip),
    compiler,
    flags: [...program.flags, ...chip.flags],
    ...taken,
    bfRtTables: bfRtTables(text(`${program.name}.bf-rt.json`)),
  };
  return new Map([
    [artifactName(program, chip, 'report.json'), `${JSON.stringify(report, null, 2)}\n`],
    [artifactName(program, chip, 'p4info.txtpb'), text(`${program.name}.p4info.txtpb`)],
  ]);
}

/**
 * Names of the tables in bf-rt JSON. Those of the chip's snapshots are left out: the compiler numbers
 * them another way in each run.
 */
function bfRtTables(json: string): string[] {
  const { tables } = bfRtSchema.parse(JSON.parse(json));
  return tables
    .filter(({ table_type }) => !table_type.startsWith('Snapshot'))
    .map(({ name }) => name)
    .sort();
}

const bfRtSchema = z.looseObject({
  tables: z.array(z.looseObject({ name: z.string(), table_type: z.string() })),
});

/** Writes what is committed of builds. Returns the paths below p4src/artifacts. */
export function writeTofinoArtifacts(builds: readonly TofinoBuild[]): string[] {
  const files = builds.flatMap(({ artifacts }) => [...artifacts]);
  fs.mkdirSync(tofinoArtifactFolder(), { recursive: true });
  for (const [name, text] of files) fs.writeFileSync(path.join(tofinoArtifactFolder(), name), text);
  return files.map(([name]) => path.join('tna', name));
}

function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(DRIVER, args, { cwd: p4SourceFolder(), env: process.env }, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new InputError(`${DRIVER} ${args.at(-1)} failed:\n${stderr || stdout}`));
    });
  });
}

/** Looks for the file: what it says of its version takes seconds to come. */
const isOnPath = (command: string): boolean =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => folder !== '' && fs.existsSync(path.join(folder, command)));
