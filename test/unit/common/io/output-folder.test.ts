import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { openOutputFolder, withOutputFolder } from '../../../../common/io/output-folder';

describe('the folder of --out', () => {
  let base: string;
  beforeAll(() => (base = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-out-'))));
  afterAll(() => fs.rmSync(base, { recursive: true }));

  test('is made with those above it, and taken as it is when it is there', () => {
    const folder = path.join(base, 'a', 'b');
    openOutputFolder(folder);
    openOutputFolder(folder);
    expect(fs.statSync(folder).isDirectory()).toBe(true);
  });

  test('row 14: is refused below /proc, and the search for a place ends', () => {
    const message = '--out /proc/results/a: wanted a folder that can be written to, found ENOENT';
    expect(() => openOutputFolder('/proc/results/a')).toThrow(message);
  });

  test.each(['file', 'file/below'])('is refused where a file stands: %s', (name) => {
    fs.writeFileSync(path.join(base, 'file'), '');
    expect(() => openOutputFolder(path.join(base, name))).toThrow('wanted a folder');
  });

  test('goes with those above it that were made for it, when the work fails', async () => {
    const folder = path.join(base, 'refused', 'below');
    const refuse = (): Promise<void> => Promise.reject(new Error('refused'));
    await expect(withOutputFolder(folder, refuse)).rejects.toThrow('refused');
    expect(fs.existsSync(path.dirname(folder))).toBe(false);
  });

  test('stays with what has come into it, and stays where it was there before', async () => {
    const folder = path.join(base, 'half', 'below');
    const halfway = (): Promise<void> => {
      fs.writeFileSync(path.join(base, 'half', 'file'), '');
      return Promise.reject(new Error('halfway'));
    };
    await expect(withOutputFolder(folder, halfway)).rejects.toThrow('halfway');
    expect(fs.readdirSync(path.join(base, 'half'))).toEqual(['file']);
    const old = path.join(base, 'old');
    fs.mkdirSync(old);
    await expect(withOutputFolder(old, () => Promise.reject(new Error('no')))).rejects.toThrow();
    expect(fs.existsSync(old)).toBe(true);
  });
});
