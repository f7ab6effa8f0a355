import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import {
  readAnswerKeys,
  readNotificationKeys,
} from '../../../../../host-agent/io/keys/switch-key-file';

describe('a file with keys of switches', () => {
  let folder: string;
  beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-keys-'))));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const fileOf = (text: string): string => {
    const file = path.join(folder, 'keys.json');
    fs.writeFileSync(file, text, { mode: 0o600 });
    return file;
  };

  it('has SipHash keys of 16 bytes and HMAC keys of 32, for every switch', () => {
    const text = JSON.stringify({ 1: '00'.repeat(16), 200: 'ff'.repeat(32) });
    const keys = readNotificationKeys(fileOf(text));
    expect(keys.key(1, 7)).toEqual({ algorithm: 'siphash-2-4-64', bytes: new Uint8Array(16) });
    expect(keys.key(200, 8)?.algorithm).toBe('hmac-sha-256-128');
    expect(keys.key(2, 7)).toBeUndefined();
  });

  it.each([
    ['no JSON', '{"1": "5ec3e7', 'is not JSON'],
    ['a short key', '{"1": "5ec3e7"}', '1: must be 16 bytes (SipHash) or 32 (HMAC)'],
    ['no number as id', '{"x": "5ec3e7"}', 'x: '],
    ['an id out of range', `{"0": "${'5e'.repeat(16)}"}`, 'from 1 to 255, got 0'],
  ])('is refused with a reason and without the key: %s', (_what, text, reason) => {
    const file = fileOf(text);
    expect(() => readNotificationKeys(file)).toThrow(reason);
    expect(() => readNotificationKeys(file)).not.toThrow('5ec3e7');
  });

  it('is named when it is missing', () => {
    expect(() => readNotificationKeys('/nowhere/keys.json')).toThrow(
      '--coordination /nowhere/keys.json: ENOENT',
    );
  });

  it('has SipHash keys only, if it is for answers of switches', () => {
    const keys = readAnswerKeys(fileOf(JSON.stringify({ 3: '00'.repeat(16) })));
    expect(keys.key(3, 7)).toEqual({ algorithm: 'siphash-2-4-64', bytes: new Uint8Array(16) });
    const hmac = fileOf(JSON.stringify({ 3: 'ff'.repeat(32) }));
    expect(() => readAnswerKeys(hmac)).toThrow('3: must be 16 bytes (SipHash) as hexadecimal');
    expect(() => readAnswerKeys('/nowhere/keys.json')).toThrow('--answer-keys /nowhere/keys.json');
  });
});
