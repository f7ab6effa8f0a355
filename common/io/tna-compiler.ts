import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../errors';
import { p4SourceFolder, TNA_PROGRAMS } from './p4-profiles';
import type { P4Profile } from './p4-profiles';

/** The back end, without which p4c's driver does not know the target. */
const BACK_END = 'p4c-barefoot';
const DRIVER = 'p4c';

/** A chip, and the flags that its programs are compiled with. */
const CHIPS = [
  { chip: 'tofino', flags: [] },
  // Cells of 176 bytes.
  { chip: 'tofino2', flags: ['CELL_SHIFT=7'] },
] as const;

type Chip = (typeof CHIPS)[number];

/**
 * Compiles programs for Tofino 1 and 2 with p4c on PATH, each into `<out>/<chip>/<program>`: what the
 * chip runs and what its driver reads, P4Info in standard externs, and bf-rt JSON.
 * @returns the folders.
 * @throws InputError when the back end is missing or refuses a program; its messages are quoted.
 */
export async function buildForTofino(names: readonly string[], out: string): Promise<string[]> {
  const programs = names.map(tnaProgram);
  if (!isOnPath(BACK_END) || !isOnPath(DRIVER)) {
    throw new InputError(
      `needs ${DRIVER} and ${BACK_END} on PATH: p4c that was built with ENABLE_TOFINO`,
    );
  }
  const folders: string[] = [];
  for (const chip of CHIPS) {
    for (const program of programs) folders.push(await compile(program, chip, path.resolve(out)));
  }
  return folders;
}

function tnaProgram(name: string): P4Profile {
  const found = TNA_PROGRAMS.find((program) => program.name === name);
  if (found !== undefined) return found;
  const names = TNA_PROGRAMS.map((program) => program.name).join(', ');
  throw new InputError(`no program '${name}' for Tofino: expected one of ${names}`);
}

async function compile(program: P4Profile, { chip, flags }: Chip, out: string): Promise<string> {
  const folder = path.join(out, chip, program.name);
  fs.mkdirSync(folder, { recursive: true });
  const file = (suffix: string): string => path.join(folder, `${program.name}.${suffix}`);
  const definitions = [...program.flags, ...flags].map((flag) => `-D${flag}`);
  await run([
    ...['--target', chip, '--arch', 'tna', '--std', 'p4-16', ...definitions, '-o', folder],
    ...['--p4runtime-files', file('p4info.txtpb'), '--p4runtime-force-std-externs'],
    ...['--bf-rt-schema', file('bf-rt.json'), program.program],
  ]);
  return folder;
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
