import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isLogLevel, Log } from '../../../../../switch/io/live/log';

describe('the log', () => {
  test('writes lines of its level and above to a file with the suffix of bmv2', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-log-'));
    try {
      const log = new Log({ level: 'info', console: false, file: path.join(folder, 'switch') });
      log.write('debug', 'hidden');
      log.write('info', 'first');
      log.write('error', 'second');
      log.close();
      const lines = fs.readFileSync(path.join(folder, 'switch.txt'), 'utf8').trim().split('\n');
      expect(lines).toEqual([
        expect.stringMatching(/^\[[\d:.]+\] \[info\] first$/),
        expect.stringMatching(/^\[[\d:.]+\] \[error\] second$/),
      ]);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  test('knows its levels', () => {
    expect(isLogLevel('trace')).toBe(true);
    expect(isLogLevel('off')).toBe(true);
    expect(isLogLevel('loud')).toBe(false);
  });
});
