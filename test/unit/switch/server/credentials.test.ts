import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { credentials } from '@grpc/grpc-js';
import type { ChannelCredentials } from '@grpc/grpc-js';
import { codeName } from '../../../../common/p4runtime/rpc-code';
import { InputError } from '../../../../common/errors';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4RuntimeClient } from '../../../../common/p4runtime/generated/p4/v1/p4runtime-client';
import { readTlsMaterial } from '../../../../switch/io/start-switch';
import type { TlsFiles } from '../../../../switch/io/start-switch';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import { hasOpenssl, makeCertificate } from '../../../support/certificates';
import { StateSwitch } from '../../../support/p4runtime/state-switch';
import { describeIf } from '../../../support/requires';

describeIf(hasOpenssl(), 'a server with TLS', 'openssl is not on PATH', () => {
  let folder: string;

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-tls-'));
    for (const name of ['server', 'client', 'stranger']) makeCertificate(folder, name);
  });

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const file = (name: string): string => path.join(folder, name);
  const pem = (name: string): Buffer => fs.readFileSync(file(name));
  const files = (): TlsFiles => ({ certificate: file('server.crt'), key: file('server.key') });
  const mutual = (): TlsFiles => ({
    ...files(),
    clientAuthority: file('client.crt'),
    requireClientCertificate: true,
  });
  const asClient = (name?: string): ChannelCredentials =>
    name === undefined
      ? credentials.createSsl(pem('server.crt'))
      : credentials.createSsl(pem('server.crt'), pem(`${name}.key`), pem(`${name}.crt`));

  /** End of a call that comes with these credentials. */
  async function call(tls: TlsFiles, client: ChannelCredentials): Promise<string> {
    const server = await startP4RuntimeServer({
      devices: new Map([[1, new StateSwitch()]]),
      address: '127.0.0.1:0',
      tls: readTlsMaterial(tls),
    });
    const stub = new P4RuntimeClient(`localhost:${server.port}`, client);
    const outcome = await new Promise<string>((resolve) => {
      stub.Capabilities(new p4.CapabilitiesRequest({}), (error, response) =>
        resolve(error === null ? (response?.p4runtimeApiVersion ?? '') : codeName(error.code)),
      );
    });
    stub.close();
    await server.stop();
    return outcome;
  }

  test('answers clients that trust its certificate', async () => {
    expect(await call(files(), asClient())).toBe('1.5.0');
  });

  test('does not answer plain clients', async () => {
    expect(await call(files(), credentials.createInsecure())).toBe('UNAVAILABLE');
  });

  test('answers clients that show a certificate, where it wants one', async () => {
    expect(await call(mutual(), asClient('client'))).toBe('1.5.0');
  });

  test.each([[undefined], ['stranger']])(
    'does not answer a client that shows %s, where it wants another certificate',
    async (name) => {
      expect(await call(mutual(), asClient(name))).toBe('UNAVAILABLE');
    },
  );

  test('files that are missing or of another kind are errors of the input', () => {
    const wrong = [
      { ...files(), key: file('missing') },
      { ...files(), certificate: file('server.key') },
      { ...files(), requireClientCertificate: true },
    ];
    for (const each of wrong) expect(() => readTlsMaterial(each)).toThrow(InputError);
  });
});
