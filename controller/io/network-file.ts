import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { InputError } from '../../common/errors';
import { networkSpec } from '../document/network';
import type { NetworkSpec } from '../document/network';
import { checkedNetwork, parseNetwork } from '../document/load';
import { isP4AppManifest, parseP4AppManifest } from '../document/p4app';
import { isP4UtilsTopology, parseP4UtilsTopology } from '../document/p4-utils';
import { isTutorialTopology, parseTutorialTopology } from '../document/tutorials';
import type { RuntimeText } from '../document/tutorials';
import type { NetworkDocument, NetworkText } from '../document/schema';
import type { Unsupported } from '../intent/unsupported';
import { unsupportedIn, prepareNetwork } from './prepare';
import type { PreparedSwitch } from './prepare';
import { ProgramFiles } from './program-files';

/** A document as it was read, and the folder of the files that it names. */
export interface NetworkFile {
  readonly file: string;
  readonly folder: string;
  readonly document: NetworkDocument;
}

/** A network whose switches are known, but not asked yet. */
export interface PreparedNetwork extends NetworkFile {
  readonly spec: NetworkSpec;
  readonly switches: readonly PreparedSwitch[];
  /** Parts of the document that the switches do not support. */
  readonly unsupported: readonly Unsupported[];
}

/**
 * Reads a document: this project's own, a topology of the p4lang tutorials with its runtime files,
 * one that p4-utils has written, or its manifest.
 * @throws InputError naming file, line and path of what is wrong.
 */
export async function readNetworkFile(file: string): Promise<NetworkFile> {
  const text = await readText(file);
  const folder = path.dirname(path.resolve(file));
  const own = await foreignDocument(text, file, folder);
  // A document made of a foreign file has other lines than the file.
  const document = own === undefined ? parseNetwork(text, file) : checkedNetwork(own, file);
  return { file, folder, document };
}

/** The document that a foreign file stands for; undefined when the file is one of our own. */
export async function foreignDocument(
  text: string,
  file: string,
  folder: string,
): Promise<NetworkText | undefined> {
  const content = jsonContent(text);
  if (isP4AppManifest(content)) return parseP4AppManifest(text, file);
  if (isP4UtilsTopology(content)) return parseP4UtilsTopology(text, file);
  if (!isTutorialTopology(content)) return undefined;
  const topology = parseTutorialTopology(text, file);
  const runtimes = new Map<string, RuntimeText>();
  for (const [name, runtime] of topology.runtimeFiles) {
    runtimes.set(name, await runtimeText(file, folder, runtime));
  }
  return topology.network(runtimes);
}

/** The tutorials write names of files as seen from the exercise, above the topology's folder. */
async function runtimeText(file: string, folder: string, name: string): Promise<RuntimeText> {
  for (const base of [folder, path.dirname(folder)]) {
    try {
      const text = await fs.readFile(path.resolve(base, name), 'utf8');
      return { file: path.resolve(base, name), text, folder: base };
    } catch (error) {
      // A file may stand where the name wants a folder.
      if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  throw new InputError(`${file}: there is no runtime file ${name} in ${folder} or above it`);
}

/** Parses JSON text; undefined for YAML and whatever else. */
function jsonContent(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads a document and derives everything from it. @throws InputError */
export async function loadNetwork(file: string): Promise<PreparedNetwork> {
  const read = await readNetworkFile(file);
  const spec = networkSpec(read.document);
  const switches = await prepareNetwork(spec, new ProgramFiles(read.folder));
  return { ...read, spec, switches, unsupported: unsupportedIn(spec, switches) };
}

/** Derives everything from a document that a program has made. @throws InputError */
export async function prepareDocument(
  document: NetworkText,
  folder = '.',
): Promise<PreparedNetwork> {
  const file = 'network';
  const parsed = checkedNetwork(document, file);
  const spec = networkSpec(parsed);
  const switches = await prepareNetwork(spec, new ProgramFiles(folder));
  const unsupported = unsupportedIn(spec, switches);
  return { file, folder, document: parsed, spec, switches, unsupported };
}

async function readText(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`cannot read ${file}: ${code ?? String(error)}`);
  }
}
