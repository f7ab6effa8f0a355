import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../errors';

/**
 * Makes the folder of `--out` if needed. To be called before work that takes time, so that a folder
 * that cannot be written is refused before the run and not after it.
 * @returns the folders that were not there, outermost first.
 * @throws InputError when it cannot be made or written to.
 */
export function openOutputFolder(folder: string): readonly string[] {
  try {
    const made = makeFolder(path.resolve(folder));
    fs.accessSync(folder, fs.constants.W_OK);
    return made;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new InputError(`--out ${folder}: wanted a folder that can be written to, found ${code}`);
  }
}

/**
 * Makes the folder of `--out` if needed, then does the work whose result comes there. When the work
 * fails, what was made and has nothing in it goes again.
 * @throws InputError when it cannot be made or written to, and what the work throws.
 */
export async function withOutputFolder<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const made = openOutputFolder(folder);
  try {
    return await work();
  } catch (error) {
    made.toReversed().forEach(removeIfEmpty);
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder);
  } catch {
    // The folder is not empty any more, or another process has removed it.
  }
}

/** Node's own recursion never ends below /proc, where a parent exists and has no room for children. */
function makeFolder(folder: string): string[] {
  const isThere = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  if (isThere === true) return [];
  const made = makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder);
    return [...made, folder];
  } catch (error) {
    // Another process may have made it meanwhile.
    const isFolder = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder !== true) throw error;
    return made;
  }
}
