import * as fs from 'node:fs';
import { credentials } from '@grpc/grpc-js';
import type { ChannelCredentials } from '@grpc/grpc-js';
import { InputError } from '../../common/errors';

/** Where a controller's certificates are; every file is PEM. */
export interface ClientTlsFiles {
  /** Whose certificates switches may show; those that the system trusts unless given. */
  readonly authority?: string;
  /** What the controller shows, for mutual TLS; together with `key`. */
  readonly certificate?: string;
  readonly key?: string;
}

/**
 * Credentials for switches that are reached by TLS, and by mutual TLS with certificate and key.
 * @throws InputError naming the file that cannot be read or is not PEM.
 */
export function readClientCredentials(files: ClientTlsFiles): ChannelCredentials {
  const { authority, certificate, key } = files;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new InputError('TLS: a client certificate wants a key, and a key a certificate');
  }
  return credentials.createSsl(
    optionalPem(authority, 'CERTIFICATE', 'the authority'),
    optionalPem(key, 'PRIVATE KEY', 'the client key'),
    optionalPem(certificate, 'CERTIFICATE', 'the client certificate'),
  );
}

function optionalPem(file: string | undefined, label: string, what: string): Buffer | null {
  if (file === undefined) return null;
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
