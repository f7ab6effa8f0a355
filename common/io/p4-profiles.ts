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
  /** The profile whose packet tests this one passes too, up to how it counts bytes sent. */
  readonly twinOf?: string;
}

/** A v1model program made of the blocks that Tofino runs, and which counts in 32 bits as they do. */
const twin = ({ name }: P4Profile): P4Profile => ({
  ...{ name: `${name}-twin`, program: `targets/v1model/${name}-twin.p4`, flags: [], twinOf: name },
});

const HPCC: P4Profile = { name: 'hpcc', program: 'hpcc.p4', flags: [] };
const EDGE = inFolder('hpcc-edge');
const FEEDBACK = inFolder('hpcc-feedback');
const PADDING = inFolder('padding');

/** A profile whose top program has its name, in a folder of its name. */
function inFolder(name: string): P4Profile {
  return { name, program: `profiles/${name}/${name}.p4`, flags: [] };
}

/** Every data plane of the project. What is not in this list is never compiled. */
export const P4_PROFILES: readonly P4Profile[] = [
  HPCC,
  EDGE,
  FEEDBACK,
  inFolder('hpcc-feedback-signed'),
  inFolder('hpcc-queues'),
  inFolder('hpcc-sparse'),
  inFolder('hpcc-ccm'),
  inFolder('hpcc-pint'),
  PADDING,
  inFolder('ioam'),
  inFolder('ifa'),
  inFolder('csig'),
  ...[HPCC, EDGE, FEEDBACK, PADDING].map(twin),
];

/** Programs for Tofino, which its back end of p4c compiles; see tna-compiler.ts. */
export const TNA_PROGRAMS: readonly P4Profile[] = [
  ...['hpcc', 'hpcc-edge', 'hpcc-feedback', 'padding'].map((name) => ({
    name,
    program: `targets/tna/${name}.p4`,
    flags: [],
  })),
];

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
 * change of another profile's blocks leaves it alone.
 */
export function sourcesDigest(profile: P4Profile): string {
  const hash = crypto.createHash('sha256');
  for (const flag of profile.flags) hash.update(`-D${flag}\0`);
  for (const [name, text] of [...p4Sources(profile)].sort(byName)) {
    hash.update(`${name}\0`);
    hash.update(text);
    hash.update('\0');
  }
  return hash.digest('hex');
}

/**
 * Names, relative to p4src, and texts of the top program and of all that it includes. Includes are
 * counted whether or not a flag leaves them out.
 */
export function p4Sources(profile: P4Profile): ReadonlyMap<string, string> {
  const sources = new Map<string, string>();
  const waiting = [profile.program];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (sources.has(name)) continue;
    const text = readSource(name);
    sources.set(name, text);
    for (const [, included] of text.matchAll(INCLUDE)) {
      waiting.push(path.posix.join(path.posix.dirname(name), included ?? ''));
    }
  }
  return sources;
}

function readSource(name: string): string {
  const file = path.join(p4SourceFolder(), name);
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    throw new InputError(`P4 source ${file} cannot be read`);
  }
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number =>
  a < b ? -1 : 1;

/** What p4c made of one program, as committed. */
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
