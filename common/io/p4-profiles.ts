import { InputError } from '../errors';
import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from './repository';
import { z } from 'zod';

/** One compiled data plane: a top program and the named flags with which it is compiled. */
export interface P4Profile {
  /** Name of the artefacts: `<name>.json`, `<name>.p4info.json`, `<name>.manifest.json`. */
  readonly name: string;
  /** The top program, relative to p4src. */
  readonly program: string;
  /** Preprocessor symbols that the program is compiled with, each `NAME` or `NAME=VALUE`. */
  readonly flags: readonly string[];
}

const HPCC = inFolder('hpcc');

/** A profile whose top program has its name, in a folder of its name. */
function inFolder(name: string): P4Profile {
  return { name, program: `v1model/profiles/${name}/${name}.p4`, flags: [] };
}

/** Every data plane of the project. What is not in this list is never compiled. */
export const P4_PROFILES: readonly P4Profile[] = [
  HPCC,
  inFolder('hpcc-edge'),
  inFolder('hpcc-feedback'),
  inFolder('hpcc-feedback-signed'),
  inFolder('hpcc-queues'),
  inFolder('hpcc-sparse'),
  inFolder('hpcc-relative'),
  inFolder('hpcc-spray'),
  inFolder('hpcc-trim'),
  inFolder('hpcc-spray-trim'),
  inFolder('hpcc-usid'),
  inFolder('hpcc-ccm'),
  inFolder('hpcc-pint'),
  // Counts bytes sent in 32 bits, as Tofino does: the upper word says that it is not available.
  { ...HPCC, name: 'hpcc-counter32', flags: ['TX_BYTES_ABSENT=0xFFFFFFFF00000000'] },
  inFolder('padding'),
  inFolder('ioam'),
  inFolder('ifa'),
  inFolder('csig'),
  inFolder('int-v2'),
];

/** Programs for Tofino, which its back end of p4c compiles; see tna-compiler.ts. */
export const TNA_PROGRAMS: readonly P4Profile[] = [
  'hpcc',
  'hpcc-edge',
  'hpcc-feedback',
  'hpcc-trim',
  'padding',
].map((name) => ({ name, program: `tofino/programs/${name}/${name}.p4`, flags: [] }));

/** Finds a profile. Throws InputError, with the names there are, when there is none. */
export function p4Profile(name: string): P4Profile {
  const found = P4_PROFILES.find((profile) => profile.name === name);
  if (found !== undefined) return found;
  const names = P4_PROFILES.map((profile) => profile.name).join(', ');
  throw new InputError(`no profile '${name}': expected one of ${names}`);
}

const INCLUDE = /^\s*#include\s+"([^"]+)"/gm;

export const p4SourceFolder = (): string => path.join(repositoryRoot(), 'p4src');

/**
 * SHA-256 over flags, and names and contents of all sources that a profile includes, so that a
 * change of another profile's blocks leaves it alone. `folder` is where its top program lies.
 */
export function sourcesDigest(profile: P4Profile, folder = p4SourceFolder()): string {
  const hash = crypto.createHash('sha256');
  for (const flag of profile.flags) hash.update(`-D${flag}\0`);
  for (const [name, text] of [...p4Sources(profile, folder)].sort(byName)) {
    hash.update(`${name}\0`);
    hash.update(text);
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Names and texts of the top program, which lies in the folder, and of all that it includes: files
 * beside the one that includes them, or of p4src. Includes are counted whether or not a flag leaves
 * them out.
 */
export function p4Sources(
  profile: P4Profile,
  folder = p4SourceFolder(),
): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const waiting = [profile.program];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (sources.has(name)) continue;
    const text = readSource(sourceFile(name, folder));
    sources.set(name, text);
    for (const [, included = ''] of text.matchAll(INCLUDE)) {
      const beside = path.posix.join(path.posix.dirname(name), included);
      waiting.push(fs.existsSync(sourceFile(beside, folder)) ? beside : included);
    }
  }
  return sources;
}

/** A source of the folder, or else of p4src. */
function sourceFile(name: string, folder: string): string {
  const own = path.join(folder, name);
  return fs.existsSync(own) ? own : path.join(p4SourceFolder(), name);
}

function readSource(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    throw new InputError(`P4 source ${file} cannot be read`);
  }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  a < b ? -1 : 1;

/** Output of p4c for one program, as committed. */
export interface P4Artifacts {
  readonly name: string;
  /** The BMv2 JSON. */
  readonly deviceConfig: string;
  /** P4Info in protobuf's JSON form. */
  readonly p4info: string;
  readonly manifest: P4Manifest;
}

const manifestSchema = z.strictObject({
  program: z.string(),
  /** SHA-256 over flags and sources, see sourcesDigest in p4-sources. */
  sourcesSha256: z.string(),
  p4c: z.string(),
  flags: z.array(z.string()),
});

export type P4Manifest = z.infer<typeof manifestSchema>;

export const p4ArtifactFolder = (): string => path.join(p4SourceFolder(), 'artifacts');

/** Reads the committed artefacts of a program. Throws InputError when there are none. */
export function loadP4Artifacts(name: string): P4Artifacts {
  const file = (suffix: string): string => path.join(p4ArtifactFolder(), `${name}.${suffix}`);
  const read = (suffix: string): string => {
    try {
      return fs.readFileSync(file(suffix), 'utf8');
    } catch {
      throw new InputError(`no compiled program '${name}': ${file(suffix)} cannot be read`);
    }
  };
  return {
    name,
    deviceConfig: read('json'),
    p4info: read('p4info.json'),
    manifest: manifestSchema.parse(JSON.parse(read('manifest.json'))),
  };
}
