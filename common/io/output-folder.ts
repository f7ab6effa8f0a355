import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../errors';

/**
 * Makes the folder of `--out` if needed. To be called before what takes time: nobody wants to hear
 * after a run that its result has no place.
 * @throws InputError when it cannot be made or written to.
 */
export function openOutputFolder(folder: string): void {
  try {
    makeFolder(path.resolve(folder));
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    throw new InputError(`--out ${folder}: wanted a folder that can be written to, found ${code}`);
  }
}

/** Node's own recursion never ends below /proc, where a parent exists and has no room for children. */
function makeFolder(folder: string): void {
  const isThere = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  if (isThere === true) return;
  makeFolder(path.dirname(folder));
  try {
    fs.mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    const isFolder = fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if (isFolder !== true) throw error;
  }
}
