import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpccHere } from '../../../support/command-line';
import { RESULT } from '../../../support/result';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-plot-'));
  fs.writeFileSync(path.join(folder, 'result.json'), JSON.stringify(RESULT));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('lists the charts of a run, and writes one as a picture or as data', async () => {
  expect((await hpccHere('plot', folder)).stdout).toMatch(/^queue +Queues$/m);
  const drawn = await hpccHere('plot', folder, 'queue', '--width', 'page');
  expect([drawn.status, drawn.stdout]).toEqual([0, `${path.join(folder, 'queue.svg')}\n`]);
  expect(fs.readFileSync(path.join(folder, 'queue.svg'), 'utf8')).toContain('width="504pt"');
  const csv = path.join(folder, 'data.csv');
  expect((await hpccHere('plot', folder, 'queue', '--out', csv)).status).toBe(0);
  expect(fs.readFileSync(csv, 'utf8')).toMatch(/^series,time \(us\),queue/);
});

test.each<[string, string[], string]>([
  ['a chart that there is not', ['queues'], "no chart 'queues' (did you mean queue?)"],
  ['a file of another kind', ['queue', '--out', 'queue.gif'], 'ends with .svg, .pdf, .png, .csv'],
  ['a file without a chart', ['--out', 'queue.svg'], '--out needs the name of a chart'],
  ['a width that no paper has', ['queue', '--width', 'half'], 'column, page'],
  ['a folder that there is not', ['queue', '--out', '/nowhere/queue.svg'], 'cannot write /nowhere'],
])('refuses %s', async (_, argv, reason) => {
  const { status, stderr } = await hpccHere('plot', folder, ...argv);
  expect(status).not.toBe(0);
  expect(stderr).toContain(reason);
});
