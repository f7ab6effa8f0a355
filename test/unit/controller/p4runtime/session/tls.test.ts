import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { P4RuntimeClient } from '../../../../../controller/p4runtime/client';
import { readClientCredentials } from '../../../../../controller/p4runtime/session/tls';
import type { ClientTlsFiles } from '../../../../../controller/p4runtime/session/tls';
import { readTlsMaterial } from '../../../../../switch/io/start-switch';
import type { TlsFiles } from '../../../../../switch/io/start-switch';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';
import { describeIf } from '../../../../support/requires';

const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).error === undefined;

describeIf(hasOpenssl, 'a client with TLS', 'openssl is not on PATH', () => {
  let folder: string;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-client-tls-'));
    for (const name of ['server', 'client', 'stranger']) makeCertificate(name);
  });

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const file = (name: string): string => path.join(folder, name);
  const makeCertificate = (name: string): void => {
    const names = ['-subj', `/CN=${name}.test`, '-addext', `subjectAltName=DNS:${name}.test`];
    const output = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', ['req', ...kind, '-days', '2', ...names, ...output], {
      stdio: 'ignore',
    });
  };
  const serverFiles = (): TlsFiles => ({
    certificate: file('server.crt'),
    key: file('server.key'),
  });
  const mutualFiles = (): TlsFiles => ({
    ...serverFiles(),
    clientAuthority: file('client.crt'),
    requireClientCertificate: true,
  });
  const as = (name: string): ClientTlsFiles => ({
    authority: file('server.crt'),
    certificate: file(`${name}.crt`),
    key: file(`${name}.key`),
  });

  /** The version that a client with these files learns from a server with those. */
  async function versionOver(
    tls: TlsFiles,
    files: ClientTlsFiles,
    serverName = 'server.test',
  ): Promise<string> {
    const server = await startP4RuntimeServer({
      devices: new Map([[1, new StateSwitch()]]),
      address: '127.0.0.1:0',
      tls: readTlsMaterial(tls),
    });
    try {
      const client = await P4RuntimeClient.connect({
        name: 's1',
        address: `127.0.0.1:${server.port}`,
        deviceId: 1n,
        electionId: 1n,
        deadline: 1000,
        serverName,
        credentials: readClientCredentials(files),
      });
      try {
        await client.becomePrimary();
        return (await client.capabilities()).apiVersion;
      } finally {
        client.close();
      }
    } finally {
      await server.stop();
    }
  }

  test('it reaches a switch whose certificate it trusts', async () => {
    const files = { authority: file('server.crt') };
    expect(await versionOver(serverFiles(), files)).toBe('1.5.0');
  });

  test('it shows its own certificate to a switch that wants one', async () => {
    expect(await versionOver(mutualFiles(), as('client'))).toBe('1.5.0');
  });

  test('a switch with another certificate, or another name, is not reached', async () => {
    const stranger = { authority: file('stranger.crt') };
    await expect(versionOver(serverFiles(), stranger)).rejects.toThrow('switch s1 at');
    const files = { authority: file('server.crt') };
    await expect(versionOver(serverFiles(), files, 'other.test')).rejects.toThrow('switch s1 at');
  });

  test('a switch that does not trust the client is not reached', async () => {
    await expect(versionOver(mutualFiles(), as('stranger'))).rejects.toThrow('switch s1 at');
    const nothing = { authority: file('server.crt') };
    await expect(versionOver(mutualFiles(), nothing)).rejects.toThrow('switch s1 at');
  });

  test.each<[string, () => ClientTlsFiles, RegExp]>([
    [
      'a missing file',
      () => ({ authority: file('nowhere') }),
      /^TLS: the authority cannot be read: .*ENOENT/,
    ],
    [
      'a key as certificate',
      () => ({ ...as('client'), certificate: file('client.key') }),
      /^TLS: the client certificate: wanted PEM with a CERTIFICATE, found none in /,
    ],
    [
      'a certificate without key',
      () => ({ certificate: file('client.crt') }),
      /^TLS: a client certificate wants a key, and a key a certificate$/,
    ],
  ])('%s is one clear error', (_, files, message) => {
    expect(() => readClientCredentials(files())).toThrow(message);
  });
});
