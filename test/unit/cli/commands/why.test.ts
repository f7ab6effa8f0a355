import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { flowCausesSchema } from '../../../../emulator/result/flow-causes';
import { resultSchema } from '../../../../emulator/result/result';
import { hpccHere } from '../../../support/command-line';

let folder: string;
const SCENARIO = `
name: two
title: Two flows to one host
topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }
flows:
  - { from: h2, to: h1, bytes: 50000, startUs: 0 }
  - { from: h3, to: h1, bytes: 50000, startUs: 2 }
`;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-why-'));
  fs.writeFileSync(path.join(folder, 'two.yaml'), SCENARIO);
  const { status } = await hpccHere('run', `${folder}/two.yaml`, '--why', '2', '--out', folder);
  expect(status).toBe(0);
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

test('a run says why flows took so long that it was asked about', () => {
  const result = resultSchema.parse(
    JSON.parse(fs.readFileSync(path.join(folder, 'result.json'), 'utf8')),
  );
  const [causes] = result.causes ?? [];
  expect(causes).toMatchObject({ flow: 2, fctUs: result.flows[1]?.fctUs });
  expect(fs.readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain('"causes":');
});

test('a run is repeated for the flow with the largest slowdown, or another', async () => {
  const text = await hpccHere('why', folder);
  expect(text.stdout).toMatch(/^Flow 2, h3 to h1, took .* times as long as alone: .*\n\ncause/);
  expect(text.stdout).toMatch(/its rate gave way to others +s1 to h1 .* 1\n/);
  const json = await hpccHere('why', folder, '1', '--json');
  expect(flowCausesSchema.parse(JSON.parse(json.stdout)).flow).toBe(1);
});

test.each<[string, string[], string]>([
  ['a flow that there is not', ['why', '', '3'], 'there is no flow 3: the run has 1 to 2'],
  ['no number', ['why', '', 'two'], 'must be a whole number'],
  ['no folder of a run', ['why', 'nowhere'], 'cannot read nowhere'],
  ['a flow twice', ['run', 'incast16', '--why', '1,1'], 'numbers from 1, each once'],
  ['workers beside', ['run', 'incast16', '--why', '1', '--workers', '2'], 'use --workers 1'],
  ['variants beside', ['run', 'loops', '--why', '1'], 'a trace, a capture or --why is of one run'],
])('refuses %s', async (_, argv, reason) => {
  const { status, stderr } = await hpccHere(...argv.map((each) => (each === '' ? folder : each)));
  expect(status).not.toBe(0);
  expect(stderr).toContain(reason);
});
