import { credentials } from '@grpc/grpc-js';
import type { ChannelCredentials } from '@grpc/grpc-js';
import { InputError } from '../../../common/errors';
import { readPemFile } from '../../../common/io/pem-file';
import type { PemLabel } from '../../../common/io/pem-file';

/** Files of a controller's certificates, in PEM. */
export interface ClientTlsFiles {
  /** Whose certificates switches may show; those that the system trusts unless given. */
  readonly authority?: string;
  /** Certificate of the controller, for mutual TLS; together with `key`. */
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

function optionalPem(file: string | undefined, label: PemLabel, what: string): Buffer | null {
  return file === undefined ? null : readPemFile(file, label, what);
}
