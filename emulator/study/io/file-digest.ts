import * as crypto from 'node:crypto';
import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { loadP4Artifacts } from '../../../common/io/p4-profiles';

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

/**
 * Digest of what p4c has made of a program.
 * @throws InputError when it is not there.
 */
export function programDigest(name: string): string {
  const { deviceConfig, p4info } = loadP4Artifacts(name);
  return crypto.createHash('sha256').update(deviceConfig).update('\0').update(p4info).digest('hex');
}
