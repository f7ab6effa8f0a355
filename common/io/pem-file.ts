import { InputError } from '../errors';
import { readTextFile } from './bounded-file';

const PEM_BYTES_MAX = 4 * 1024 * 1024;

/** Kinds of PEM blocks; a file must hold at least one of the wanted kind. */
export type PemLabel = 'CERTIFICATE' | 'PRIVATE KEY';

/**
 * Reads a PEM file for TLS.
 * @param what whose it is, for the message.
 * @throws InputError when the file cannot be read, or holds nothing of that label.
 */
export function readPemFile(file: string, label: PemLabel, what: string): Buffer {
  let content: string;
  try {
    content = readTextFile(file, PEM_BYTES_MAX);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`TLS: ${what} cannot be read: ${reason}`);
  }
  // PEM names keys by their kind too, as in "EC PRIVATE KEY".
  if (new RegExp(`-----BEGIN [A-Z ]*${label}-----`).test(content)) {
    return Buffer.from(content);
  }
  throw new InputError(`TLS: ${what}: wanted PEM with a ${label}, found none in '${file}'`);
}
