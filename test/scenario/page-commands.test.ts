import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import type { PageData } from '../../emulator/view/data/page-data';
import { hpcc } from '../support/command-line';
import { ROOT } from '../support/paths';

const SCENARIO = {
  name: 'two',
  title: 'Two flows to one host',
  topology: { kind: 'star', hosts: 3, rateGbps: 100, delayNs: 1000 },
  flows: [
    { from: 'h2', to: 'h1', bytes: 20_000, startUs: 0 },
    { from: 'h3', to: 'h1', bytes: 20_000, startUs: 0 },
  ],
};

/** The launcher would build first. */
const HERE = `'${process.execPath}' '${path.resolve(__dirname, '../../cli/main.js')}'`;

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ['run', ['--seed', '3', '--ack-every', '2']],
  ['compare', ['--algorithms', 'hpccpp,timely', '--seeds', '2']],
];

describe('the command on a page makes the page again', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "hpcc it's a page-"));
  const scenario = path.join(folder, 'two flows.json');
  fs.writeFileSync(scenario, JSON.stringify(SCENARIO));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  test.each(CASES)('%s', (command, options) => {
    const out = path.join(folder, `out of ${command}`);
    const done = hpcc(command, scenario, ...options, '--out', out);
    expect(done.status).toBe(0);
    const first = pageOf(out);
    fs.rmSync(out, { recursive: true });
    const again = spawnSync('sh', ['-c', first.command.replace('./hpcc', HERE)], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    if (again.status !== 0) throw new Error(`${first.command}: ${again.stderr}`);
    // The column is as wide as the number of packet-hops per second, which differs from run to run.
    const timeless = (text: string): string =>
      text.replace(/\(\d+ per second\)/, '').replace(/ +/g, ' ');
    expect(timeless(again.stdout)).toBe(timeless(done.stdout));
    expect(pageOf(out)).toEqual(first);
  });
});

function pageOf(out: string): PageData {
  const html = fs.readFileSync(path.join(out, 'report.html'), 'utf8');
  const [, text = ''] = /id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(text) as PageData;
}
