import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { TraceFile } from '../../../../emulator/io/trace-file';

let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trace-'))));
afterEach(() => fs.rmSync(folder, { recursive: true }));

test('a trace reaches the disk whole, in its order, whatever the lengths of its parts', () => {
  const name = path.join(folder, 'a');
  const file = new TraceFile(name, 1e8);
  const parts = [10, 1_048_570, 3, 2_000_000, 7].map((length, i) => Buffer.alloc(length, i + 1));
  for (const part of parts) file.write(part);
  file.close();
  expect(fs.readFileSync(name).equals(Buffer.concat(parts))).toBe(true);
  expect(file.isFull).toBe(false);
});

test('it is no longer than its limit, and ends with a whole packet', () => {
  const name = path.join(folder, 'a');
  const file = new TraceFile(name, 25);
  for (let i = 0; i < 5; i++) file.write(Buffer.alloc(10, i));
  file.close();
  expect(fs.readFileSync(name)).toHaveLength(20);
  expect(file.isFull).toBe(true);
});

test('a file that cannot be written is named with the reason', () => {
  expect(() => new TraceFile(path.join(folder, 'no', 'such'), 10)).toThrow(
    /cannot write the trace .*such: ENOENT/,
  );
});
