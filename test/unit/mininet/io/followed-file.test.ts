import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { FollowedFile } from '../../../../mininet/io/followed-file';

let folder: string;
beforeAll(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-followed-'))));
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('lines come whole, those of each file to its reader', () => {
  const files = ['a', 'b'].map((name) => new FollowedFile(path.join(folder, name)));
  const read = () => files.map((file) => [...file.lines()]);
  expect(read()).toEqual([[], []]);
  fs.writeFileSync(path.join(folder, 'a'), 'one\ntw');
  fs.writeFileSync(path.join(folder, 'b'), 'eins\nzwei\n');
  expect(read()).toEqual([['one'], ['eins', 'zwei']]);
  fs.appendFileSync(path.join(folder, 'a'), 'o\n');
  expect(read()).toEqual([['two'], []]);
  expect(files[0]?.line).toBe(2);
});

test('all lines of a file that is longer than what is read at a time come in order', () => {
  const file = path.join(folder, 'long');
  const lines = Array.from({ length: 400_000 }, (_, i) => `line ${i}`);
  fs.writeFileSync(file, `${lines.join('\n')}\ncut`);
  expect([...new FollowedFile(file).toEnd()]).toEqual(lines);
  expect([...new FollowedFile(path.join(folder, 'none')).toEnd()]).toEqual([]);
});

test('a line without an end is refused before it has taken all memory', () => {
  const file = path.join(folder, 'endless');
  fs.writeFileSync(file, `one\n${'x'.repeat(5e6)}`);
  const followed = new FollowedFile(file);
  expect([...followed.lines()]).toEqual(['one']);
  expect(() => [...followed.lines()]).toThrow(
    /endless:2: a line has more than 1048576 characters$/,
  );
});
