import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { NetworkIndex } from '../../../../emulator/view/network/network-index';
import type { PageData } from '../../../../emulator/view/data/page-data';
import { followRun } from '../../../../mininet/io/follow-run';
import { ROOT } from '../../../support/paths';
import { preparedCases } from '../../../support/mininet-fixture';

const FIXTURE = path.join(ROOT, 'test', 'fixtures', 'mininet', 'single-flow');

let folder: string;
const stop = new AbortController();
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-follow-'));
  const [prepared] = preparedCases('single-flow', {
    folder,
    set: ['rate=20', 'hostRate=40', 'rttUs=5000'],
  });
  if (prepared === undefined) throw new Error('single-flow has no case');
  fs.writeFileSync(path.join(folder, 'plan.json'), JSON.stringify(prepared.plan));
  fs.writeFileSync(path.join(folder, 'network.json'), JSON.stringify(prepared.network.text));
});
afterAll(() => {
  stop.abort();
  fs.rmSync(folder, { recursive: true });
});

/** Writes a part of what a real run wrote, as that run did. */
function write(name: string, from: number, to: number): void {
  const lines = fs.readFileSync(path.join(FIXTURE, name), 'utf8').trim().split('\n');
  const text = lines.slice(from, to).map((line) => `${line}\n`);
  fs.appendFileSync(path.join(folder, name), text.join(''));
}

test('a run under Mininet is followed by the files that it writes, until it is over', async () => {
  const { session, over } = followRun(folder, stop.signal);
  const told: string[] = [];
  let newest: PageData | undefined;
  session.follow?.({ page: (page) => (newest = page), status: (text) => told.push(text) });
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await until(() => told.includes('the network is being set up'));

  const { readySince } = JSON.parse(fs.readFileSync(path.join(FIXTURE, 'run.json'), 'utf8')) as {
    readySince: number;
  };
  fs.writeFileSync(path.join(folder, 'ready.json'), JSON.stringify({ readySince }));
  write('f1.trace.jsonl', 0, 40);
  write('ports.jsonl', 0, 3);
  await until(() => (newest?.run?.durationUs ?? 0) > 1e6);
  expect(newest?.run?.flows).toMatchObject([{ source: 'h1', destination: 'h2' }]);
  const first = newest?.run?.durationUs ?? 0;
  expect(told.at(-1)).toMatch(/^live, \d+\.\d\d s behind$/);

  write('f1.trace.jsonl', 40, 1000);
  write('ports.jsonl', 3, 1000);
  await until(() => (newest?.run?.durationUs ?? 0) > first);
  const { charts = [], run } = newest ?? {};
  const queue = charts.find(({ id }) => id === 'queue');
  expect(queue?.series[0]?.name).toBe('s1:3->s2:3');
  expect(Math.max(...(queue?.series[0]?.y ?? []).map(Number))).toBeGreaterThan(2);
  const load =
    run === undefined
      ? []
      : (new NetworkIndex(run.network).links.find(({ name }) => name === 's1:3->s2:3')?.series
          ?.load ?? []);
  expect(Math.max(...load)).toBeGreaterThan(150);
  expect(charts.map(({ id }) => id)).toEqual(expect.arrayContaining(['rates', 'windows', 'u']));

  fs.copyFileSync(path.join(FIXTURE, 'run.json'), path.join(folder, 'run.json'));
  await over;
  expect(told.at(-1)).toContain('the run is over');
  expect(() => followRun(folder, stop.signal)).toThrow('is over: view it without --live');
});

test('a line that is none is refused with its place', async () => {
  fs.rmSync(path.join(folder, 'run.json'));
  fs.appendFileSync(path.join(folder, 'ports.jsonl'), '{"seconds": "soon"}\n');
  const { over } = followRun(folder, stop.signal);
  await expect(over).rejects.toThrow(/ports\.jsonl:\d+: seconds: /);
});
