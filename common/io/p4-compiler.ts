import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../errors';
import { p4ArtifactFolder, p4SourceFolder, sourcesDigest } from './p4-artifacts';
import type { P4Manifest } from './p4-artifacts';

const COMPILER = 'p4c-bm2-ss';
const FLAGS = ['--std', 'p4-16'] as const;
/** Programs whose output is committed. */
export const P4_PROGRAMS = ['hpcc'] as const;

/** Version of p4c's bmv2 back end on PATH, or undefined when there is none. */
export function p4cVersion(): string | undefined {
  const run = spawnSync(COMPILER, ['--version'], { encoding: 'utf8' });
  if (run.error !== undefined || run.status !== 0) return undefined;
  // p4c writes its version to standard error.
  return /\d+\.\d+\.\d+(?:\.\d+)?/.exec(run.stdout + run.stderr)?.[0];
}

/**
 * Compiles a program with p4c on PATH.
 * @returns file names and contents of its artefacts.
 * @throws InputError when p4c is missing or refuses the program; its messages are quoted.
 */
export function compileP4(program: string): ReadonlyMap<string, string> {
  const version = p4cVersion();
  if (version === undefined) throw new InputError(`needs p4c >= 1.2.5 (${COMPILER}) on PATH`);
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-p4-'));
  try {
    const json = path.join(out, 'program.json');
    const info = path.join(out, 'p4info.json');
    const args = [...FLAGS, '-o', json, '--p4runtime-files', info, `${program}.p4`];
    // Run where the sources lie: p4c writes the names it was given into the JSON.
    const run = spawnSync(COMPILER, args, { cwd: p4SourceFolder(), encoding: 'utf8' });
    if (run.status !== 0) throw new InputError(`${COMPILER} ${program}.p4 failed:\n${run.stderr}`);
    return new Map([
      [`${program}.json`, fs.readFileSync(json, 'utf8')],
      [`${program}.p4info.json`, fs.readFileSync(info, 'utf8')],
      [`${program}.manifest.json`, manifest(program, version)],
    ]);
  } finally {
    fs.rmSync(out, { recursive: true });
  }
}

/** Compiles all programs, then writes their artefacts. */
export function buildP4Artifacts(): string[] {
  const files = P4_PROGRAMS.flatMap((program) => [...compileP4(program)]);
  fs.mkdirSync(p4ArtifactFolder(), { recursive: true });
  for (const [name, text] of files) fs.writeFileSync(path.join(p4ArtifactFolder(), name), text);
  return files.map(([name]) => name);
}

function manifest(program: string, p4c: string): string {
  const value: P4Manifest = {
    program: `${program}.p4`,
    sourcesSha256: sourcesDigest(),
    p4c,
    flags: [...FLAGS],
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
