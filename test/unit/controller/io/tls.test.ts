import { execFileSync, spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { readTlsMaterial } from '../../../../switch/io/start-switch';
import { runController } from '../../../support/controller/run-controller';
import { ServedNetwork } from '../../../support/controller/served-network';
import { describeIf } from '../../../support/requires';

/** Generous: a loaded machine is slow. */
const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).error === undefined;

describeIf(hasOpenssl, 'a controller with mutual TLS', 'openssl is not on PATH', () => {
  let certificates: ServedNetwork;
  let network: ServedNetwork;

  beforeAll(async () => {
    certificates = await ServedNetwork.start(0);
    for (const name of ['server', 'client', 'stranger']) makeCertificate(name);
  });
  afterAll(() => certificates.stop());

  beforeEach(async () => {
    const tls = readTlsMaterial({
      certificate: file('server.crt'),
      key: file('server.key'),
      clientAuthority: file('client.crt'),
      requireClientCertificate: true,
    });
    network = await ServedNetwork.start(1, { tls });
  });
  afterEach(() => network.stop());

  const file = (name: string): string => path.join(certificates.folder, name);
  const document = (tls: string): string =>
    network.document((text) => (tls === '' ? text : `tls: {${tls}}\n${text}`));
  const apply = async (tls: string, deadline = '20'): Promise<string> => {
    const { code, err } = await runController('apply', '--deadline', deadline, document(tls));
    return code === 0 ? 'done' : err;
  };
  const shown = (name: string): string => {
    const own = `cert: ${file(`${name}.crt`)}, key: ${file(`${name}.key`)}`;
    return `ca: ${file('server.crt')}, ${own}`;
  };

  test('shows its certificate and is let in', async () => {
    expect(await apply(shown('client'))).toBe('done');
    expect(network.sizes('ingress.ipv4_route')).toEqual([2]);
  });

  test.each([
    ['without TLS', (): string => ''],
    ['without a certificate', (): string => `ca: ${file('server.crt')}`],
    ['with the certificate of a stranger', (): string => shown('stranger')],
    [
      'when the switch is signed by somebody else',
      (): string => shown('client').replace('server.crt', 'stranger.crt'),
    ],
  ])(
    'is one error %s',
    async (_, tls) => {
      const error = await apply(tls(), '1');
      expect(error).toContain(`switch s1 at ${network.addresses[0]}: `);
      expect(error.split('\n')).toHaveLength(1);
    },
    20_000,
  );

  test('names a certificate that cannot be read', async () => {
    const error = await apply('ca: nosuch.crt');
    expect(error).toContain('TLS: the authority cannot be read');
    expect(error).toContain(path.join(network.folder, 'nosuch.crt'));
  });

  function makeCertificate(name: string): void {
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const output = ['-keyout', file(`${name}.key`), '-out', file(`${name}.crt`)];
    execFileSync('openssl', ['req', ...kind, '-days', '2', ...subject, ...output], {
      stdio: 'ignore',
    });
  }
});
