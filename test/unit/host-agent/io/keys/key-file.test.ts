import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { readKeyFile, ringOf, rotate } from '../../../../../host-agent/io/keys/key-file';

const hex = (byte: string): string => byte.repeat(32);
const bytes = (value: number): Uint8Array => new Uint8Array(32).fill(value);

describe('a file of keys', () => {
  let folder: string;
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-keys-'));
  });
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const write = (content: unknown): string => {
    const file = path.join(folder, 'keys.json');
    fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), {
      mode: 0o600,
    });
    return file;
  };

  test('has keys by id, and the one that signs', () => {
    const file = readKeyFile(write({ signing: 7, keys: { 7: hex('0a'), 255: hex('FF') } }));
    expect(file.signing).toBe(7);
    expect([...file.keys]).toEqual([
      [7, bytes(10)],
      [255, bytes(255)],
    ]);
    const ring = ringOf(file);
    expect([ring.signing, ring.key(7), ring.key(255), ring.key(1)]).toEqual([
      7,
      bytes(10),
      bytes(255),
      undefined,
    ]);
  });

  test.each([
    ['{"signing": 1, "keys": {"1": "secret', 'is not JSON'],
    [{ signing: 1, keys: { 1: 'ab' } }, 'keys.1: must be 32 bytes as 64 hexadecimal digits'],
    [{ signing: 1, keys: { one: hex('01') } }, 'keys'],
    [{ signing: 1, keys: { 1: hex('01'), 256: hex('01') } }, 'key id 256 is above 255'],
    [{ signing: 2, keys: { 1: hex('01') } }, 'key 2 shall sign and is not among the keys'],
    [{ signing: 256, keys: { 1: hex('01') } }, 'signing'],
    [{ keys: { 1: hex('01') } }, 'signing'],
    [{ signing: 1, keys: { 1: hex('01') }, extra: 1 }, 'extra'],
  ])('is refused: %j', (content, message) => {
    const file = write(content);
    expect(() => readKeyFile(file)).toThrow(message);
    expect(() => readKeyFile(file)).toThrow(`--keys ${file}: `);
    expect(() => readKeyFile(file)).not.toThrow('secret');
  });

  test.each([
    ['0644', 0o644],
    ['0620', 0o620],
    ['0606', 0o606],
  ])('row 17: is refused when others may read or write it: mode %s', (mode, bits) => {
    const file = write({ signing: 1, keys: { 1: hex('01') } });
    fs.chmodSync(file, bits);
    expect(() => readKeyFile(file)).toThrow(
      `--keys ${file}: others may read or write it (mode ${mode}): wanted 0600`,
    );
    fs.chmodSync(file, 0o600);
    expect(readKeyFile(file).signing).toBe(1);
  });

  test('is refused when there is none', () => {
    expect(() => readKeyFile(path.join(folder, 'none'))).toThrow('no such file');
  });

  test('rotates a ring: new keys come, another one signs, old ones go', () => {
    const ring = ringOf(readKeyFile(write({ signing: 1, keys: { 1: hex('01') } })));
    rotate(ring, readKeyFile(write({ signing: 1, keys: { 1: hex('01'), 2: hex('02') } })));
    expect([ring.signing, ring.key(2)]).toEqual([1, bytes(2)]);
    rotate(ring, readKeyFile(write({ signing: 2, keys: { 2: hex('02') } })));
    expect([ring.signing, ring.key(1), ring.key(2)]).toEqual([2, undefined, bytes(2)]);
  });

  test('changes nothing when an id stands for another key than before', () => {
    const ring = ringOf(readKeyFile(write({ signing: 1, keys: { 1: hex('01') } })));
    const other = readKeyFile(write({ signing: 2, keys: { 1: hex('0b'), 2: hex('02') } }));
    expect(() => rotate(ring, other)).toThrow('key 1 has changed: a new key needs a new id');
    expect([ring.signing, ring.key(1), ring.key(2)]).toEqual([1, bytes(1), undefined]);
  });
});
