import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { writeAtomically } from '../../../../common/io/atomic-file';

describe('a file that appears whole or not at all', () => {
  let folder = '';
  beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-whole-'))));
  afterEach(() => fs.rmSync(folder, { recursive: true }));

  test('may come in pieces, however many and long', () => {
    const file = path.join(folder, 'pieces');
    const pieces = Array.from({ length: 3000 }, (_, i) => `${'\u00e4'.repeat(i % 100)}${i}\n`);
    pieces.push('x'.repeat(200_000));
    writeAtomically(file, pieces.values());
    expect(fs.readFileSync(file, 'utf8')).toBe(pieces.join(''));
    writeAtomically(file, []);
    expect(fs.readFileSync(file, 'utf8')).toBe('');
  });

  test('keeps what was there when a piece cannot be made, and leaves nothing beside it', () => {
    const file = path.join(folder, 'kept');
    writeAtomically(file, 'before');
    const pieces = function* (): Iterable<string> {
      yield 'x'.repeat(100_000);
      throw new Error('no more');
    };
    expect(() => writeAtomically(file, pieces())).toThrow('no more');
    expect(fs.readFileSync(file, 'utf8')).toBe('before');
    expect(fs.readdirSync(folder)).toEqual(['kept']);
  });
});
