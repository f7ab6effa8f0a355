import { execFile, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InputError } from '../errors';
import { p4ArtifactFolder, p4SourceFolder, sourcesDigest } from './p4-profiles';
import type { P4Manifest, P4Profile } from './p4-profiles';

const COMPILER = 'p4c-bm2-ss';
/** Flags of p4c that all programs are compiled with. */
export const P4C_FLAGS = ['--std', 'p4-16'] as const;

/** p4c collects garbage from a few megabytes on; with more from the beginning a program takes a third less. */
const HEAP = { GC_INITIAL_HEAP_SIZE: '256M' };

/** Version of p4c's bmv2 back end on PATH, or undefined when there is none. */
export function p4cVersion(): string | undefined {
  const run = spawnSync(COMPILER, ['--version'], { encoding: 'utf8' });
  if (run.error !== undefined || run.status !== 0) return undefined;
  // p4c writes its version to standard error.
  return /\d+\.\d+\.\d+(?:\.\d+)?/.exec(run.stdout + run.stderr)?.[0];
}

/** A source and how it is compiled; includes are found beside the file that has them, or in p4src. */
export interface P4Source {
  /** Working folder of p4c, with `program`: p4c writes the names that it is given into the JSON. */
  readonly folder: string;
  readonly program: string;
  /** More flags than those that all programs share, {@link P4C_FLAGS}. */
  readonly flags: readonly string[];
  /** The format of the P4Info, as the ending of a file by which p4c knows it. */
  readonly p4info: 'json' | 'txtpb';
}

/**
 * Compiles a source with p4c on PATH.
 * @returns the program as BMv2 JSON, and its P4Info.
 * @throws InputError when p4c refuses the program; its messages are quoted.
 */
export async function compileSource(source: P4Source): Promise<{ json: string; p4info: string }> {
  const out = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-p4-'));
  try {
    const json = path.join(out, 'program.json');
    const p4info = path.join(out, `program.p4info.${source.p4info}`);
    const includes = ['-I', path.relative(source.folder, p4SourceFolder()) || '.'];
    const flags = [...P4C_FLAGS, ...source.flags, ...includes];
    flags.push('-o', json, '--p4runtime-files', p4info);
    await runCompiler([...flags, source.program], source.folder);
    return { json: fs.readFileSync(json, 'utf8'), p4info: fs.readFileSync(p4info, 'utf8') };
  } finally {
    fs.rmSync(out, { recursive: true });
  }
}

/**
 * Writes p4c's JSON in one line, without quotations of the source and columns, and with places of the first primitive
 * of each action only: white space is two thirds of it, and quotations and places a fifth of the rest. All other
 * values and their order stay.
 */
export const compactJson = (json: string): string =>
  `${JSON.stringify(JSON.parse(json), withoutPlaces)}\n`;

const LEFT_OUT: ReadonlySet<string> = new Set(['source_fragment', 'column']);

function withoutPlaces(key: string, value: unknown): unknown {
  if (LEFT_OUT.has(key)) return undefined;
  if (key !== 'primitives' || !Array.isArray(value)) return value;
  return (value as readonly object[]).map((each, i) =>
    i === 0 ? each : { ...each, source_info: undefined },
  );
}

/** True if two artefacts of that name say the same; white space, quotations and places in JSON say nothing. */
export const isSameArtifact = (name: string, one: string, other: string): boolean =>
  name.endsWith('.json') ? compactJson(one) === compactJson(other) : one === other;

/**
 * Compiles a profile with p4c on PATH.
 * @returns file names and contents of its artefacts: the program in one line, P4Info as p4c prints it.
 * @throws InputError when p4c is missing or refuses the program; its messages are quoted.
 */
export async function compileP4(profile: P4Profile): Promise<ReadonlyMap<string, string>> {
  const version = p4cVersion();
  if (version === undefined) throw new InputError(`needs p4c >= 1.2.5 (${COMPILER}) on PATH`);
  const { json, p4info } = await compileSource({
    folder: p4SourceFolder(),
    program: profile.program,
    flags: definitions(profile),
    p4info: 'json',
  });
  return new Map([
    [`${profile.name}.json`, compactJson(json)],
    [`${profile.name}.p4info.json`, p4info],
    [`${profile.name}.manifest.json`, manifest(profile, version)],
  ]);
}

/** Compiles the profiles, then writes their artefacts, so that a failure changes nothing. */
export async function buildP4Artifacts(profiles: readonly P4Profile[]): Promise<string[]> {
  const compiled = await Promise.all(profiles.map(compileP4));
  const files = compiled.flatMap((artefacts) => [...artefacts]);
  fs.mkdirSync(p4ArtifactFolder(), { recursive: true });
  for (const [name, text] of files) fs.writeFileSync(path.join(p4ArtifactFolder(), name), text);
  return files.map(([name]) => name);
}

function runCompiler(args: readonly string[], folder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(
      COMPILER,
      args,
      { cwd: folder, env: { ...HEAP, ...process.env } },
      (error, _stdout, stderr) => {
        if (error === null) resolve();
        else reject(new InputError(`${COMPILER} ${args.at(-1)} failed:\n${stderr}`));
      },
    );
  });
}

const definitions = ({ flags }: P4Profile): string[] => flags.map((flag) => `-D${flag}`);

function manifest(profile: P4Profile, p4c: string): string {
  const value: P4Manifest = {
    program: profile.program,
    sourcesSha256: sourcesDigest(profile),
    p4c,
    flags: [...P4C_FLAGS, ...definitions(profile)],
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
