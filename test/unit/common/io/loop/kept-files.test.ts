import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { keptFolder, readKept, writeKept } from '../../../../../common/io/loop/kept-files';

describe('files that are kept for the next process', () => {
  let folder = '';

  beforeEach(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-kept-'));
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  const place = (name: string): string => path.join(folder, 'kept', name);

  test('have what was written', () => {
    writeKept(place('one-1'), Uint8Array.of(1, 2, 3), 2);
    expect(readKept(place('one-1'))).toEqual(Buffer.of(1, 2, 3));
    expect(readKept(place('one-2'))).toBeUndefined();
  });

  test('are as many as are wanted of a kind, the newest', () => {
    writeKept(place('other-1'), Uint8Array.of(9), 2);
    for (const i of [1, 2, 3, 4]) {
      writeKept(place(`one-${i}`), Uint8Array.of(i), 2);
      fs.utimesSync(place(`one-${i}`), i, i);
    }
    writeKept(place('one-5'), Uint8Array.of(5), 2);
    expect(fs.readdirSync(path.dirname(place('any')))).toEqual(['one-4', 'one-5', 'other-1']);
  });

  test('are believed unless somebody else could have written them', () => {
    writeKept(place('one-1'), Uint8Array.of(1), 2);
    fs.chmodSync(place('one-1'), 0o664);
    expect(readKept(place('one-1'))).toEqual(Buffer.of(1));
    fs.chmodSync(place('one-1'), 0o646);
    expect(readKept(place('one-1'))).toBeUndefined();
  });

  test('are of processes that handle packets alone', () => {
    expect(keptFolder()).toBeUndefined();
  });
});
