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

  test('prints both ways side by side, just as the tutorial does', () => {
    expect([run.status, run.stderr.toString()]).toEqual([0, '']);
    const page = fs.readFileSync(path.join(ROOT, 'docs', 'tutorial.md'), 'utf8');
    const table = printed.split('\n').slice(2, 9);
    expect(table[0]).toContain('HPCC++');
    expect(page).toContain(table.join('\n'));
  });

  test('shows what a packet saw at the switch that it found longest queue of all in', () => {
    const rows = printed
      .split('\n')
      .slice(14)
      .map((line) => line.split(/ {2,}/));
    const [heads, sent, hop, received] = rows.slice(
      rows.findIndex(([first, second]) => first === '' && second === 'in port'),
    );
    expect(heads?.slice(1)).toEqual([
      'in port',
      'out port',
      'left',
      'queue length (qLen)',
      'bytes sent (txBytes)',
      'capacity (B)',
    ]);
    expect(sent?.[0]).toMatch(/^sent by h\d+$/);
    expect(hop?.slice(0, 1).concat(hop.slice(2, 3), hop.slice(6))).toEqual([
      'switch s1',
      '1',
      '100.0 Gb/s',
    ]);
    expect(received?.[0]).toBe('received by h1');
    // The queue's peak, but for what came while the packet was on the wire.
    const peak = Number(/peak queue.* ([\d.]+) KB/.exec(printed)?.[1]);
    const queue = Number.parseFloat(hop?.[4] ?? '');
    expect(queue).toBeLessThanOrEqual(peak);
    expect(queue).toBeGreaterThan(peak - 10);
    const [left = NaN, arrived = NaN] = [hop?.[3], received?.[1]].map((cell) =>
      Number.parseFloat(cell ?? ''),
    );
    // A microsecond of the link, and the packet's 91 ns.
    expect(arrived - left).toBeCloseTo(1.1, 1);
    const report = pageDataOf(fs.readFileSync(path.join(folder, 'report.html'), 'utf8'));
    expect(report.opening[0]?.rows?.[2]).toEqual(hop);
  });

  test('draws them in one picture at the head of its report', () => {
    const picture = fs.readFileSync(path.join(folder, 'contrast.svg'), 'utf8');
    for (const text of ['queue (KB)', 'payload (MB)', 'time (us)', 'HPCC++', 'without a gap']) {
      expect(picture).toContain(text);
    }
    expect(picture).toContain('prefers-color-scheme:dark');
    const report = pageDataOf(fs.readFileSync(path.join(folder, 'report.html'), 'utf8'));
    expect(report.leading?.map(({ id }) => id)).toEqual(['contrast-queue', 'contrast-payload']);
    expect(report.charts[0]?.id).toBe('queue');
    expect(fs.readFileSync(path.join(ROOT, 'docs/images/incast16.svg'), 'utf8')).toBe(picture);
  });
});
