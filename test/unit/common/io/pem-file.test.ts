import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { readPemFile } from '../../../../common/io/pem-file';

let folder = '';
const file = (name: string, text: string): string => {
  const full = path.join(folder, name);
  fs.writeFileSync(full, text);
  return full;
};
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-pem-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe('a PEM file', () => {
  test.each(['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY'])('may hold a %s', (kind) => {
    const text = `-----BEGIN ${kind}-----\nAAAA\n-----END ${kind}-----\n`;
    const found = readPemFile(file('key.pem', text), 'PRIVATE KEY', 'the key');
    expect(found.toString()).toBe(text);
  });

  test.each([
    ['another label', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    ['nothing', ''],
    ['bytes that are no text', '\u0000\u00ff'],
  ])('with %s is refused by name', (_what, text) => {
    const wrong = file('wrong.pem', text);
    expect(() => readPemFile(wrong, 'PRIVATE KEY', 'the server key')).toThrow(
      `TLS: the server key: wanted PEM with a PRIVATE KEY, found none in '${wrong}'`,
    );
  });

  test('that is not there is refused with the reason', () => {
    expect(() => readPemFile('/nosuch.pem', 'CERTIFICATE', 'the authority')).toThrow(
      /^TLS: the authority cannot be read: .*ENOENT/,
    );
  });
});
