import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hpccHere } from '../../../support/command-line';
import { RESULT } from '../../../support/result';

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-view-options-'));
  fs.writeFileSync(path.join(folder, 'result.json'), JSON.stringify(RESULT));
  fs.mkdirSync(path.join(folder, 'mininet'));
  fs.writeFileSync(path.join(folder, 'mininet', 'plan.json'), '{}');
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

const OWN_SEED = '--seed is of a scenario that is run with --live';

test.each<[string, (folder: string) => string[], string]>([
  ['nothing', () => [], 'give the folder of a result, or --live'],
  ['--live alone', () => ['--live'], '--live: give a scenario, the folder of a run under Mininet'],
  ['metrics of the past', () => ['--metrics', 's1=1'], '--metrics needs --live'],
  ['a second run beside a live one', (at) => ['--live', '--with', at, 'incast16'], 'exclude each'],
  ['one name twice', () => ['--metrics', 's1=1', '--metrics', 's1=2'], 's1 is there twice'],
  ['an address of no port', () => ['--live', '--metrics', 's1=x'], 'must be NAME=HOST:PORT'],
  ['a seed for a result', (at) => [at, '--seed', '3'], OWN_SEED],
  ['a seed for Mininet', (at) => [`${at}/mininet`, '--live', '--seed', '3'], OWN_SEED],
  ['a seed for metrics', () => ['--live', '--metrics', 's1=1', '--seed', '3'], OWN_SEED],
  ['what is no scenario', () => ['--live', 'nonsense'], "no scenario 'nonsense'"],
])('refuses %s', async (_, argv, reason) => {
  const { status, stdout, stderr } = await hpccHere('view', ...argv(folder));
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain(reason);
});
