import * as fs from 'node:fs';
import { InputError } from '../../common/errors';

/** Text of a file, or of standard input for `-`. @throws InputError when it cannot be read. */
export function readInput(file: string): string {
  try {
    return fs.readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
