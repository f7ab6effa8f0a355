/**
 * Stands for `host-agent/io/options/load-algorithm` in the playground's bundle: a custom algorithm is the text
 * that the reader has edited, evaluated as a module of its own in this worker, which has no rights but those
 * of any page.
 */
import { InputError } from '../../../common/errors';
import { customAlgorithm } from '../../../host-agent/algorithm/library/custom-algorithm';
import {
  algorithmNamed,
  isCustomAlgorithm,
  registerCustomAlgorithm,
} from '../../../host-agent/algorithm/library/algorithms';
import type { Algorithm } from '../../../host-agent/algorithm/library/algorithms';

let edited: string | undefined;

/** Gives the text of the module that a scenario may name. */
export function setAlgorithmText(text: string | undefined): void {
  edited = text;
}

/** An algorithm by its name, or the edited one. @throws InputError saying what it lacks. */
export async function loadAlgorithm(name: string): Promise<Algorithm> {
  if (!isCustomAlgorithm(name)) return algorithmNamed(name);
  if (edited === undefined) {
    throw new InputError(`${name}: there are no files here; edit the algorithm in its own field`);
  }
  const algorithm = customAlgorithm(name, await moduleOf(name, edited));
  registerCustomAlgorithm(algorithm);
  return algorithm;
}

async function moduleOf(name: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return (await import(url)) as Record<string, unknown>;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new InputError(`${name}: cannot be loaded as an algorithm: ${said}`);
  } finally {
    URL.revokeObjectURL(url);
  }
}
