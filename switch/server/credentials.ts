import * as fs from 'node:fs';
import { ServerCredentials } from '@grpc/grpc-js';
import { InputError } from '../../common/errors';

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
      : readPem(files.clientAuthority, 'CERTIFICATE', 'the client authority');
  const pair = {
    cert_chain: readPem(files.certificate, 'CERTIFICATE', 'the server certificate'),
    private_key: readPem(files.key, 'PRIVATE KEY', 'the server key'),
  };
  return ServerCredentials.createSsl(authority, [pair], mutual);
}

function readPem(file: string, label: string, what: string): Buffer {
  let content: Buffer;
  try {
    content = fs.readFileSync(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InputError(`TLS: ${what} cannot be read: ${reason}`);
  }
  // PEM names keys by their kind too, as in "RSA PRIVATE KEY".
  if (new RegExp(`-----BEGIN [A-Z ]*${label}-----`).test(content.toString('latin1'))) {
    return content;
  }
  throw new InputError(`TLS: ${what}: wanted PEM with a ${label}, found none in '${file}'`);
}
