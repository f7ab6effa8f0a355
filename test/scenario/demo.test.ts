import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { pageDataOf } from '../support/page';
import { ROOT } from '../support/paths';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-demo-'));
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe('hpcc demo', () => {
  const run = spawnSync(process.execPath, [
    path.join(ROOT, 'build/cli/main.js'),
    'demo',
    '--out',
    folder,
  ]);
  const printed = run.stdout.toString();

  test('prints both ways side by side, just as README does', () => {
    expect([run.status, run.stderr.toString()]).toEqual([0, '']);
    const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8');
    const table = printed.split('\n').slice(2, 9);
    expect(table[0]).toContain('HPCC++');
    expect(readme).toContain(table.join('\n'));
  });

  test('draws them in one picture at the head of its report', () => {
    const picture = fs.readFileSync(path.join(folder, 'contrast.svg'), 'utf8');
    for (const text of ['queue (KB)', 'payload (MB)', 'time (us)', 'HPCC++', 'without a gap']) {
      expect(picture).toContain(text);
    }
    expect(picture).toContain('prefers-color-scheme:dark');
    const report = pageDataOf(fs.readFileSync(path.join(folder, 'report.html'), 'utf8'));
    expect(report.charts.slice(0, 3).map(({ id }) => id)).toEqual([
      ...['contrast-queue', 'contrast-payload', 'queue'],
    ]);
    expect(fs.readFileSync(path.join(ROOT, 'docs/images/incast16.svg'), 'utf8')).toBe(picture);
  });
});
