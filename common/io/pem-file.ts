import * as fs from 'node:fs';
import { InputError } from '../errors';

/** Kinds of PEM blocks; a file must hold at least one of the wanted kind. */
export type PemLabel = 'CERTIFICATE' | 'PRIVATE KEY';

/**
 * Reads a PEM file for TLS.
 * @param what whose it is, for the message.
 * @throws InputError when the file cannot be read, or holds nothing of that label.
 */
export function readPemFile(file: string, label: PemLabel, what: string): Buffer {
  let content: Buffer;
  try {
    content = fs.readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`TLS: ${what} cannot be read: ${reason}`);
  }
  // PEM names keys by their kind too, as in "EC PRIVATE KEY".
  if (new RegExp(`-----BEGIN [A-Z ]*${label}-----`).test(content.toString('latin1'))) {
    return content;
  }
  throw new InputError(`TLS: ${what}: wanted PEM with a ${label}, found none in '${file}'`);
}
