import { execFileSync, spawnSync } from 'node:child_process';
import * as path from 'node:path';

export const hasOpenssl = (): boolean =>
  spawnSync('openssl', ['version'], { stdio: 'ignore' }).error === undefined;

/** A certificate of localhost that nobody else has signed, with its key; both are PEM files. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/** Makes `<folder>/<name>.crt` and `.key`. */
export function makeCertificate(folder: string, name: string): Certificate {
  const [certificate, key] = [`${name}.crt`, `${name}.key`].map((each) => path.join(folder, each));
  const subject = ['-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const output = ['-keyout', key ?? '', '-out', certificate ?? ''];
  const args = ['req', ...kind, '-days', '2', ...subject, ...names, ...output];
  execFileSync('openssl', args, { stdio: 'ignore' });
  return { certificate: certificate ?? '', key: key ?? '' };
}
