import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { LineFile } from '../../../../../host-agent/io/process/line-file';

describe('a file of lines', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-lines-'));
  const file = path.join(folder, 'lines.jsonl');
  const text = (): string => fs.readFileSync(file, 'utf8');

  const fail = (sentence: string): void => {
    throw new Error(sentence);
  };

  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test('replaces an older one, and has everything in order once it is closed', () => {
    fs.writeFileSync(file, 'older');
    const lines = new LineFile(file, fail);
    lines.add('one\n');
    lines.add('two\n');
    expect(text()).toBe('');
    lines.close();
    expect(text()).toBe('one\ntwo\n');
    lines.add('three\n');
    lines.close();
    expect(text()).toBe('one\ntwo\n');
  });

  test('writes as soon as a line finds no room in 64 KB, and a longer one at once', () => {
    const lines = new LineFile(file, fail);
    lines.add('a'.repeat(65_535));
    expect(text()).toBe('');
    lines.add(Uint8Array.of(0x62));
    expect(text()).toHaveLength(65_535);
    lines.add('ä'.repeat(40_000));
    expect(text()).toBe(`${'a'.repeat(65_535)}b${'ä'.repeat(40_000)}`);
    lines.add('c');
    lines.close();
    expect(text().endsWith('äc')).toBe(true);
  });

  test('writes a line within 200 ms, for who watches a run by it', () => {
    jest.useFakeTimers();
    const lines = new LineFile(file, fail);
    lines.add('one\n');
    jest.advanceTimersByTime(100);
    lines.add('two\n');
    expect(text()).toBe('');
    jest.advanceTimersByTime(100);
    expect(text()).toBe('one\ntwo\n');
    jest.useRealTimers();
    lines.close();
  });

  test('goes on when the disk is full, says so once, counts lines, and tears none', () => {
    let room = 6;
    const written: string[] = [];
    const told: string[] = [];
    const calls = {
      openSync: () => 7,
      closeSync: () => undefined,
      writeSync: (_fd: number, bytes: Uint8Array, from: number): number => {
        if (room === 0) throw new Error('ENOSPC: no space left on device, write');
        const count = Math.min(room, bytes.length - from);
        written.push(Buffer.from(bytes.subarray(from, from + count)).toString());
        room -= count;
        return count;
      },
    };
    const lines = new LineFile(file, (sentence) => told.push(sentence), calls);
    const long = 'x'.repeat(65_536);
    lines.add(`one\n`);
    lines.add(`${long}\n`);
    lines.add(`${long}\n`);
    expect(told).toEqual([`--trace ${file} loses lines: ENOSPC: no space left on device, write`]);
    expect(lines.linesLost).toBe(2);
    room = 1000;
    lines.add('two\n');
    lines.close();
    expect(written.join('')).toBe('one\nxx\ntwo\n');
    expect([told.length, lines.linesLost]).toEqual([1, 2]);
  });

  test('cannot be written where there is no folder', () => {
    expect(() => new LineFile('/no/such/folder/file', fail)).toThrow('--trace /no/such/folder');
  });
});
