import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { isLogLevel, openLog } from '../../../../common/io/log';
import type { LogLevel } from '../../../../common/log-levels';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-log-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

interface Line {
  readonly time: string;
}

function logged(name: string, level: LogLevel): Line[] {
  const file = path.join(folder, `${name}-${level}`);
  const { log, close } = openLog(name, { level, file });
  log.debug('hidden');
  log.info({ port: 3, up: true }, 'first');
  log.error('second');
  const text = fs.readFileSync(file, 'utf8');
  close();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

describe('the log of every process', () => {
  test.each(['hpcc-switch', 'hpcc-agent', 'hpcc-controller'])(
    'is lines of JSON with the same fields, written at once: %s',
    (name) => {
      const lines = logged(name, 'info');
      const common = { time: expect.any(String) as string, name, pid: process.pid };
      expect(lines).toEqual([
        { level: 'info', ...common, port: 3, up: true, msg: 'first' },
        { level: 'error', ...common, msg: 'second' },
      ]);
      const time = lines[0]?.time ?? '';
      expect(new Date(time).toISOString()).toBe(time);
    },
  );

  test('has what its level lets through, and nothing where it is off', () => {
    expect([logged('all', 'trace').length, logged('some', 'error').length]).toEqual([3, 1]);
    expect(logged('none', 'off')).toEqual([]);
    expect(['trace', 'off', 'loud'].map(isLogLevel)).toEqual([true, true, false]);
  });

  test('row 8: that cannot be opened is named, and one on a full disk stops nothing', () => {
    const open = (file: string) => openLog('it', { level: 'info', file });
    expect(() => open(path.join(folder, 'no', 'log'))).toThrow(/^--log-file .*no\/log: ENOENT/);
    const { log, close } = open('/dev/full');
    for (let i = 0; i < 3; i++) log.info('lost');
    close();
  });
});
