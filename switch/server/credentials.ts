import { ServerCredentials } from '@grpc/grpc-js';
import { InputError } from '../../common/errors';
import { readPemFile } from '../../common/io/pem-file';

/** Where the server's certificates are; every file is PEM. */
export interface TlsFiles {
  readonly certificate: string;
  readonly key: string;
  /** Whose certificates clients may show; wanted for mutual TLS. */
  readonly clientAuthority?: string;
  /** Refuse clients that show no certificate of `clientAuthority`. */
  readonly requireClientCertificate?: boolean;
}

/**
 * Credentials of a server that is reached by TLS, and by mutual TLS when clients must show
 * certificates too.
 * @throws InputError naming the file that cannot be read or is not PEM.
 */
export function readServerCredentials(files: TlsFiles): ServerCredentials {
  const mutual = files.requireClientCertificate === true;
  if (mutual && files.clientAuthority === undefined) {
    throw new InputError('TLS: client certificates are wanted, but no authority to check them by');
  }
  const authority =
    files.clientAuthority === undefined
      ? null
      : readPemFile(files.clientAuthority, 'CERTIFICATE', 'the client authority');
  const pair = {
    cert_chain: readPemFile(files.certificate, 'CERTIFICATE', 'the server certificate'),
    private_key: readPemFile(files.key, 'PRIVATE KEY', 'the server key'),
  };
  return ServerCredentials.createSsl(authority, [pair], mutual);
}
