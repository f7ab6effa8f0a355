import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { readTextFile } from '../../../../common/io/bounded-file';
import { readPemFile } from '../../../../common/io/pem-file';
import { readSecretDocument } from '../../../../host-agent/io/keys/secret-document';

let folder: string;
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-bounded-'))));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

test('text is read from files and from pipes', () => {
  const file = path.join(folder, 'text');
  fs.writeFileSync(file, 'hello');
  expect(readTextFile(file)).toBe('hello');
  const read = `console.log(require(${JSON.stringify(path.resolve(__dirname, '../../../../common/io/bounded-file.js'))}).readTextFile("/dev/stdin"))`;
  const { execPath } = process;
  const text = execFileSync('sh', ['-c', `echo hello | ${execPath} -e '${read}'`]).toString();
  expect(text.trim()).toBe('hello');
});

test.each([
  ['a device', () => '/dev/zero', 'wanted a file, and this is a device'],
  ['a folder', () => folder, 'is a folder: wanted a file'],
])('%s is no text', (_name, file, reason) => {
  expect(() => readTextFile(file())).toThrow(reason);
});

test('a file that is too long is refused before it is read', () => {
  const file = path.join(folder, 'long');
  fs.writeFileSync(file, '');
  fs.truncateSync(file, 1e12);
  expect(() => readTextFile(file)).toThrow('is longer than the 268435456 bytes');
});

test('attack 16: a pipe that nobody writes to ends in a sentence, as keys and certificates too', () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  const clock = jest.spyOn(performance, 'now');
  let now = 0;
  clock.mockImplementation(() => (now += 6000));
  const reason = 'is a pipe that brought nothing whole within 10 s';
  expect(() => readTextFile(pipe)).toThrow(reason);
  expect(() =>
    readSecretDocument({ option: '--keys', path: pipe }, ({ z }) => z.unknown()),
  ).toThrow(reason);
  expect(() => readPemFile(pipe, 'CERTIFICATE', 'the certificate')).toThrow(reason);
  clock.mockRestore();
});
