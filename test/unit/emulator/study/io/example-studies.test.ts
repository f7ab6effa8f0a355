import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { repositoryRoot } from '../../../../../common/io/repository';
import type { Judge, JudgedRun } from '../../../../../emulator/study/io/judge';
import { loadStudy } from '../../../../../emulator/study/io/load-study';

const folder = path.join(repositoryRoot(), 'examples', 'studies');
const studies = fs.readdirSync(folder).filter((name) => name.endsWith('.yaml'));

const judgeOf = (file: string) => (createRequire(__filename)(file) as { judge: Judge }).judge;

/** Runs a judge of the folder on a result, of which it looks at few parts. */
async function judged(file: string, result: object, algorithm = 'dcqcn') {
  const judge = judgeOf(path.join(folder, file));
  const scenario = { parameters: { algorithm } };
  return await judge({ result, scenario, seed: 1 } as unknown as JudgedRun);
}

test.each(studies)('%s can be run, and its head says how many cells it has', (name) => {
  const file = path.join(folder, name);
  const study = loadStudy(file);
  if (study.judge !== undefined) expect(judgeOf(study.judge)).toBeInstanceOf(Function);
  const head = fs.readFileSync(file, 'utf8').split('\nname:')[0] ?? '';
  expect(head).toMatch(new RegExp(`\\b${study.size} cells`));
  expect([...study.cells()]).toHaveLength(study.size);
});

describe('figures by size', () => {
  const flow = (bytes: number, slowdown: number | null) => ({ bytes, slowdown });

  test('are those of the flows of a size, by nearest rank', async () => {
    const tiny = Array.from({ length: 200 }, (_, i) => flow(10_000, i + 1));
    const figures = await judged('by-size.cjs', { flows: [...tiny, flow(10_001, 7)] });
    expect(figures).toMatchObject({ tinyFlows: 200, tinyP50: 100, tinyP95: 190, tinyP99: 198 });
    expect(figures).toMatchObject({ smallFlows: 1, smallP99: 7, largeFlows: 0 });
    expect(figures).not.toHaveProperty('largeP95');
  });

  test('are refused while a flow is open', async () => {
    await expect(judged('by-size.cjs', { flows: [flow(1, null)] })).rejects.toThrow(/1 flows/);
  });
});

describe('how soon joining flows are fair', () => {
  const flows = [{ startUs: 0 }, { startUs: 100 }, { startUs: 300 }];
  const timeline = (jains: number[]) =>
    jains.map((jain, i) => ({ startUs: 100 + 50 * i, endUs: 150 + 50 * i, jain }));

  test('is the longest time after a join', async () => {
    const jainTimeline = timeline([0.5, 0.99, 1, 1, 0.7, 0.98, 0.995, 1]);
    expect(await judged('fair-joins.cjs', { flows, jainTimeline })).toEqual({
      slowestFairUs: 100,
    });
  });

  test('is too long where they never are', async () => {
    const jainTimeline = timeline([0.5, 1, 1, 0.9, 1, 1]);
    expect(await judged('fair-joins.cjs', { flows, jainTimeline })).toEqual({
      slowestFairUs: 1000,
    });
  });
});

test('figures of a bottleneck are in the frames of the simulator', async () => {
  const result = {
    frames: { dataAtBottleneckBytes: 2096 },
    fctUs: { min: 10, median: 20, max: 400 },
    bottleneck: { queuePeakBytes: 4000, queuePeakAtUs: 1, drainedAtUs: 8 },
    queueTimeline: { startUs: 0, intervalUs: 100, bytes: [9000, 9000, 2000, 4000, 6000, 9000] },
    flows: [
      { startUs: 0, fctUs: 400 },
      { startUs: 2, fctUs: 10 },
    ],
  };
  expect(await judged('in-simulator-frames.cjs', result)).toEqual({
    fctMinUs: 5,
    fctMedianUs: 10,
    fctMaxUs: 200,
    peakKB: 2,
    drainedUs: 3,
    laterP50KB: 2,
    laterP99KB: 3,
  });
  await expect(judged('in-simulator-frames.cjs', result, 'swift')).rejects.toThrow(/no such/);
});
