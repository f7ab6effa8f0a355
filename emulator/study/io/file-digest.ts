import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';

/**
 * Digest of a file whose code decides what a cell comes to.
 * @param what the file is, for the error.
 * @throws InputError for a file that cannot be read.
 */
export function fileDigest(file: string, what: string): string {
  try {
    return crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  } catch (error) {
    throw new InputError(`cannot read the ${what} ${file}: ${(error as Error).message}`);
  }
}
