import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { LineFile } from '../../../../../host-agent/io/process/line-file';

describe('a file of lines', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-lines-'));
  const file = path.join(folder, 'lines.jsonl');
  const text = (): string => fs.readFileSync(file, 'utf8');

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('replaces an older one, and has everything in order once it is closed', () => {
    fs.writeFileSync(file, 'older');
    const lines = new LineFile(file);
    lines.add('one\n');
    lines.add('two\n');
    expect(text()).toBe('');
    lines.close();
    expect(text()).toBe('one\ntwo\n');
    lines.add('three\n');
    lines.close();
    expect(text()).toBe('one\ntwo\n');
  });

  test('writes as soon as 64 Ki characters wait', () => {
    const lines = new LineFile(file);
    lines.add('a'.repeat(65_535));
    expect(text()).toBe('');
    lines.add('b');
    expect(text()).toHaveLength(65_536);
    lines.add('c');
    lines.close();
    expect(text()).toHaveLength(65_537);
  });

  test('cannot be written where there is no folder', () => {
    expect(() => new LineFile('/no/such/folder/file')).toThrow('--trace /no/such/folder');
  });
});
