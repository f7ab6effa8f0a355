import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import { InputError } from '../../../common/errors';
import { readTextFile } from '../../../common/io/bounded-file';
import { Compartment } from '../../../common/io/code/compartment';
import { CODE_BYTES_MAX } from '../../../common/io/code/module-text';
import { Watchdog } from '../../../common/io/code/watchdog';
import type { Algorithm } from '../../algorithm/library/algorithms';
import {
  algorithmNamed,
  isCustomAlgorithm,
  registerCustomAlgorithm,
} from '../../algorithm/library/algorithms';
import { customAlgorithm } from '../../algorithm/library/custom-algorithm';
import type { InsideModule } from '../../algorithm/library/flow-inside';
import { exportsOf, newNumbers } from '../../algorithm/library/flow-outside';

/** Rules for loading a file's code. */
export interface LoadRules {
  /** File in place of the one that the name is the path of, from now on. */
  readonly file?: string | undefined;
  /** True if it has all rights of the process; otherwise it runs in a compartment. */
  readonly trust?: boolean | undefined;
}

/** Rules of files that were loaded, by their names. */
const RULES = new Map<string, LoadRules>();

/** Longest time that a trusted file may take until it has exported, in ms. */
const IMPORT_MS = 3000;

type Exported = Readonly<Record<string, unknown>>;

/**
 * An algorithm by its name, or from somebody's file, which then has its path for a name. What was loaded before keeps
 * its file and its rights.
 * @throws InputError naming the file that cannot be read, or what it lacks.
 */
export async function loadAlgorithm(name: string, given: LoadRules = {}): Promise<Algorithm> {
  if (!isCustomAlgorithm(name)) return algorithmNamed(name);
  const before = RULES.get(name);
  const file = given.file ?? before?.file ?? name;
  const trust = given.trust ?? before?.trust ?? false;
  RULES.set(name, { file, trust });
  const watched = new Watchdog(name);
  const exported = trust ? await importFile(file) : compartmentExports(file, watched);
  const algorithm = customAlgorithm(name, exported, { watched, copiesInput: !trust });
  registerCustomAlgorithm(algorithm);
  return algorithm;
}

async function importFile(file: string): Promise<Exported> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const said = `awaits at its top level what has not come for ${IMPORT_MS / 1000} s`;
    timer = setTimeout(() => reject(new Error(said)), IMPORT_MS);
  });
  try {
    const loading = import(pathToFileURL(path.resolve(file)).href) as Promise<Exported>;
    return await Promise.race([loading, late]);
  } catch (error) {
    throw notLoaded(file, error);
  } finally {
    clearTimeout(timer);
  }
}

function compartmentExports(file: string, watched: Watchdog): Exported {
  const numbers = newNumbers();
  const compartment = new Compartment({ mayAwait: false });
  const code = compartment.inside(require.resolve('../../algorithm/library/flow-inside'));
  const inside = (code as { insideModule: (numbers: Float64Array) => InsideModule }).insideModule(
    numbers,
  );
  const run = compartment.prepare(file, readText(file));
  const threw = watched.during(() => inside.load(run));
  if (threw !== undefined) throw notLoaded(file, new Error(threw));
  try {
    return watched.during(() => exportsOf(inside, numbers));
  } catch (error) {
    throw notLoaded(file, error);
  }
}

function readText(file: string): string {
  try {
    return readTextFile(file, CODE_BYTES_MAX);
  } catch (error) {
    throw error instanceof InputError ? error : notLoaded(file, error);
  }
}

function notLoaded(file: string, error: unknown): InputError {
  const said = error instanceof Error ? error.message : String(error);
  return new InputError(`${file}: cannot be loaded as an algorithm: ${said}`);
}
