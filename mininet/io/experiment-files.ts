import * as fs from 'node:fs';
import * as path from 'node:path';
import { readTextFile } from '../../common/io/bounded-file';
import { InputError } from '../../common/errors';
import { repositoryRoot } from '../../common/io/repository';
import type { SourceText } from '../experiment/load-experiment';
import { didYouMean } from '../../common/nearest-word';

export const mininetFolder = (): string => path.join(repositoryRoot(), 'mininet');

const experimentFolder = (): string => path.join(mininetFolder(), 'experiments');

/** Names of the experiments that come with the project. */
export const experimentNames = (): string[] => namesIn(experimentFolder());

/**
 * An experiment by its name, or a YAML file by its path.
 * @throws InputError when there is none, with the name that was probably meant.
 */
export function readExperiment(nameOrPath: string): SourceText {
  return readNamed(nameOrPath, experimentFolder(), 'experiment');
}

/** The topology that an experiment names; paths are relative to the experiment's file. */
export function readTopology(name: string, experimentFile: string): SourceText {
  const folder = path.join(experimentFolder(), 'topologies');
  const own = path.resolve(path.dirname(experimentFile), name);
  return fs.existsSync(own) && fs.statSync(own).isFile()
    ? readText(own)
    : readNamed(name, folder, 'topology');
}

function namesIn(folder: string): string[] {
  const files = fs.readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => path.basename(file, '.yaml')).sort();
}

function readNamed(nameOrPath: string, folder: string, what: string): SourceText {
  const known = namesIn(folder);
  if (known.includes(nameOrPath)) return readText(path.join(folder, `${nameOrPath}.yaml`));
  if (fs.existsSync(nameOrPath)) return readText(nameOrPath);
  const all = `neither a file nor one of ${known.join(', ')}`;
  throw new InputError(`no ${what} '${nameOrPath}'${didYouMean(nameOrPath, known)}: ${all}`);
}

function readText(file: string): SourceText {
  try {
    const shown = path.relative(process.cwd(), file);
    const text = readTextFile(file);
    return { file: shown.startsWith('..') ? file : shown, text };
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
