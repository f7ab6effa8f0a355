import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { P4_PROFILES } from '../../../common/io/p4-profiles';
import { projectVersion, repositoryRoot } from '../../../common/io/repository';
import { programDigest } from './file-digest';

/**
 * Folders whose code affects results: all that the process of a cell loads, its summary included, as a test holds.
 * Commands change no result.
 */
export const DIGESTED_FOLDERS = ['common', 'switch', 'host-agent', 'controller', 'emulator'];

let known: string | undefined;

/**
 * Version of the project and digest of its compiled code, as in `0.1.0+3f2a90c11b7d`. The number in the
 * manifest changes with releases only, and a result of the code of yesterday is none of today's.
 */
export function buildVersion(): string {
  return (known ??= `${projectVersion()}+${codeDigest(buildFolder()).slice(0, 12)}`);
}

let knownWork: string | undefined;

/**
 * Version of what works together on one queue: the build, and a digest of all P4 artefacts, so that a
 * worker with others fails no cell that its neighbours can run.
 * @throws InputError when a program has no artefacts here.
 */
export function workVersion(): string {
  if (knownWork !== undefined) return knownWork;
  const hash = crypto.createHash('sha256');
  for (const { name } of P4_PROFILES) hash.update(programDigest(name));
  return (knownWork = `${buildVersion()}.${hash.digest('hex').slice(0, 8)}`);
}

/** This file is in emulator/study/io of the build. */
const buildFolder = (): string => path.resolve(__dirname, '..', '..', '..');

function codeDigest(root: string): string {
  const hash = crypto.createHash('sha256');
  for (const file of DIGESTED_FOLDERS.flatMap((folder) => filesBelow(root, folder))) {
    hash.update(`${file}\0`);
    hash.update(withoutMapName(fs.readFileSync(path.join(root, file))));
  }
  const manifest = fs.readFileSync(path.join(repositoryRoot(), 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies?: unknown };
  hash.update(JSON.stringify(dependencies));
  return hash.digest('hex');
}

/** Source maps, present or not, change nothing: the last line may name one. */
function withoutMapName(code: Buffer): Buffer {
  const at = code.lastIndexOf('\n//# sourceMappingURL=');
  return at === -1 ? code : code.subarray(0, at);
}

function filesBelow(root: string, folder: string): string[] {
  const entries = fs.readdirSync(path.join(root, folder), { withFileTypes: true });
  const names = entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return names.flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(root, name);
    return name.endsWith('.js') ? [name] : [];
  });
}
