import { execFileSync, spawn } from 'node:child_process';
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

  test('stays where a link leads, and so does the link', () => {
    const [file, link] = [path.join(folder, 'file'), path.join(folder, 'link')];
    fs.writeFileSync(file, 'before');
    fs.symlinkSync('file', link);
    writeAtomically(link, 'after');
    expect(fs.readFileSync(file, 'utf8')).toBe('after');
    expect(fs.readlinkSync(link)).toBe('file');
    expect(fs.readdirSync(folder).sort()).toEqual(['file', 'link']);
  });

  test('is written through where a device is, which is still there', () => {
    // By a link, so that nothing but the link is lost should this fail.
    const link = path.join(folder, 'nowhere');
    fs.symlinkSync('/dev/null', link);
    writeAtomically(link, 'lost');
    writeAtomically(link, ['lost', 'too']);
    expect(fs.readlinkSync(link)).toBe('/dev/null');
    expect(fs.statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(fs.readdirSync(folder)).toEqual(['nowhere']);
  });

  test('goes into a pipe that somebody reads', async () => {
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('cat', [pipe]);
    const read: string[] = [];
    reader.stdout.on('data', (piece) => read.push(String(piece)));
    const ended = new Promise((resolve) => reader.on('close', resolve));
    writeAtomically(pipe, ['first\n', 'second\n']);
    await ended;
    expect(read.join('')).toBe('first\nsecond\n');
    expect(fs.statSync(pipe).isFIFO()).toBe(true);
  });

  test('takes its place behind what has been printed to a file', () => {
    const file = path.join(folder, 'printed');
    fs.writeFileSync(file, 'before\n');
    const module = require.resolve('../../../../common/io/atomic-file');
    const program = `const { writeAtomically } = require(${JSON.stringify(module)});
      writeAtomically('/dev/stdout', 'written\\n'); process.stdout.write('printed\\n');`;
    execFileSync('sh', ['-c', '"$0" -e "$1" >> "$2"', process.execPath, program, file]);
    expect(fs.readFileSync(file, 'utf8')).toBe('before\nwritten\nprinted\n');
  });
});
