import { Watchdog } from '../../../common/io/code/watchdog';
import type { Algorithm } from '../../algorithm/library/algorithms';
import {
  algorithmNamed,
  isCustomAlgorithm,
  registerCustomAlgorithm,
} from '../../algorithm/library/algorithms';
import { customAlgorithm } from '../../algorithm/library/custom-algorithm';
import type { fileExports } from './algorithm-file';

/** PERF: a start without an algorithm of a file needs no parser of code. */
const read = (): typeof fileExports =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when there is such a file
  (require('./algorithm-file') as typeof import('./algorithm-file')).fileExports;

/** Rules for loading a file's code. */
export interface LoadRules {
  /** File in place of the one that the name is the path of, from now on. */
  readonly file?: string | undefined;
  /** True if it has all rights of the process; otherwise it runs in a compartment. */
  readonly trust?: boolean | undefined;
}

/** Rules of files that were loaded, by their names. */
const RULES = new Map<string, LoadRules>();

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
  const exported = await read()(file, { trust, watched });
  const algorithm = customAlgorithm(name, exported, { watched, copiesInput: !trust });
  registerCustomAlgorithm(algorithm);
  return algorithm;
}
