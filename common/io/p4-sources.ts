import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../errors';
import { repositoryRoot } from './repository';
import type { P4Profile } from './p4-profiles';

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
