import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../errors';
import { p4ArtifactFolder } from './p4-artifacts';
import type { P4Manifest } from './p4-artifacts';
import type { P4Profile } from './p4-profiles';
import { p4SourceFolder, sourcesDigest } from './p4-sources';

const COMPILER = 'p4c-bm2-ss';
const FLAGS = ['--std', 'p4-16'] as const;

/** Version of p4c's bmv2 back end on PATH, or undefined when there is none. */
export function p4cVersion(): string | undefined {
  const run = spawnSync(COMPILER, ['--version'], { encoding: 'utf8' });
  if (run.error !== undefined || run.status !== 0) return undefined;
  // p4c writes its version to standard error.
  return /\d+\.\d+\.\d+(?:\.\d+)?/.exec(run.stdout + run.stderr)?.[0];
}

/**
 * Compiles a profile with p4c on PATH.
 * @returns file names and contents of its artefacts.
 * @throws InputError when p4c is missing or refuses the program; its messages are quoted.
 */
export function compileP4(profile: P4Profile): ReadonlyMap<string, string> {
  const version = p4cVersion();
  if (version === undefined) throw new InputError(`needs p4c >= 1.2.5 (${COMPILER}) on PATH`);
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-p4-'));
  try {
    const json = path.join(out, 'program.json');
    const info = path.join(out, 'p4info.json');
    const args = [...compilerFlags(profile), '-o', json, '--p4runtime-files', info];
    // Run where the sources lie: p4c writes the names it was given into the JSON.
    const options = { cwd: p4SourceFolder(), encoding: 'utf8' } as const;
    const run = spawnSync(COMPILER, [...args, profile.program], options);
    if (run.status !== 0) {
      throw new InputError(`${COMPILER} ${profile.program} failed:\n${run.stderr}`);
    }
    return new Map([
      [`${profile.name}.json`, fs.readFileSync(json, 'utf8')],
      [`${profile.name}.p4info.json`, fs.readFileSync(info, 'utf8')],
      [`${profile.name}.manifest.json`, manifest(profile, version)],
    ]);
  } finally {
    fs.rmSync(out, { recursive: true });
  }
}

/** Compiles the profiles, then writes their artefacts, so that a failure changes nothing. */
export function buildP4Artifacts(profiles: readonly P4Profile[]): string[] {
  const files = profiles.flatMap((profile) => [...compileP4(profile)]);
  fs.mkdirSync(p4ArtifactFolder(), { recursive: true });
  for (const [name, text] of files) fs.writeFileSync(path.join(p4ArtifactFolder(), name), text);
  return files.map(([name]) => name);
}

const compilerFlags = ({ flags }: P4Profile): string[] => [
  ...FLAGS,
  ...flags.map((flag) => `-D${flag}`),
];

function manifest(profile: P4Profile, p4c: string): string {
  const value: P4Manifest = {
    program: profile.program,
    sourcesSha256: sourcesDigest(profile),
    p4c,
    flags: compilerFlags(profile),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
