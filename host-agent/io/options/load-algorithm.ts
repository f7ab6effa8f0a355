import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../../common/errors';
import type { Algorithm } from '../../algorithm/library/algorithms';
import {
  algorithmNamed,
  isCustomAlgorithm,
  registerCustomAlgorithm,
} from '../../algorithm/library/algorithms';
import { customAlgorithm } from '../../algorithm/library/custom-algorithm';

/** Files of algorithms, by their names. */
const FILES = new Map<string, string>();

/**
 * An algorithm by its name, or from somebody's file, which then has its path for a name.
 * @param given the file in place of the one that the name is the path of, from now on.
 * @throws InputError naming the file that cannot be read, or what it lacks.
 */
export async function loadAlgorithm(name: string, given?: string): Promise<Algorithm> {
  if (!isCustomAlgorithm(name)) return algorithmNamed(name);
  const file = given ?? FILES.get(name) ?? name;
  FILES.set(name, file);
  const algorithm = customAlgorithm(name, await importFile(file));
  registerCustomAlgorithm(algorithm);
  return algorithm;
}

async function importFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(path.resolve(file)).href)) as Record<string, unknown>;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new InputError(`${file}: cannot be loaded as an algorithm: ${said}`);
  }
}
