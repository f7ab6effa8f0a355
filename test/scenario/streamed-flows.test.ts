import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { FlowRows } from '../../emulator/io/results/flow-rows';
import { runScenario } from '../support/shared-runs';
import type { RunOptions } from '../../emulator/io/run-scenario';
import { writeResult } from '../../emulator/io/results/write-result';
import { resultSchema } from '../../emulator/result/result';
import type { Result } from '../../emulator/result/result';
import { csvFiles } from '../../emulator/result/csv';
import { flowSumsOf } from '../../emulator/result/flow-totals';
import { comparisonRow } from '../../emulator/result/comparison';
import { algorithmRow } from '../../emulator/result/algorithm-comparison';
import { summaryOf } from '../../emulator/study/summary';
import { parseScenario } from '../../emulator/scenario/schema';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-streamed-'));

afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

const scenarioOf = (more: readonly string[]) =>
  parseScenario(
    [
      'name: many',
      'title: many short flows',
      'topology: { kind: star, hosts: 3, rateGbps: 100, delayNs: 1000 }',
      'flows: [{ from: h2, to: h1, bytes: 300000, startUs: 60 }, { from: h1, to: h2, bytes: 100, startUs: 0 }]',
      'workloads:',
      '  - { kind: poisson, name: w, load: 0.4, durationUs: 60, distribution: [[500, 40], [3000, 80], [20000, 100]] }',
      'record: { sampledFlows: 2 }',
      ...more,
    ].join('\n'),
    'many.yaml',
  );

async function runs(
  more: readonly string[] = [],
  options: Partial<RunOptions> = {},
): Promise<{ readonly held: Result; readonly streamed: Result; readonly rows: string[] }> {
  const scenario = scenarioOf(more);
  const held = await runScenario({ scenario, seed: 2 });
  const flowSink = new FlowRows(folder);
  const streamed = await runScenario({ scenario, seed: 2, streamedFrom: 10, flowSink, ...options });
  flowSink.close();
  const text = fs.readFileSync(path.join(folder, 'flows.csv'), 'utf8');
  return { held: held.result, streamed: streamed.result, rows: text.trimEnd().split('\n') };
}

const byNumber = (lines: readonly string[]): string[] =>
  [...lines].sort((a, b) => parseInt(a) - parseInt(b));

describe('a run that does not hold its flows', () => {
  it('has the figures of one that does, and a row for each flow', async () => {
    const { held, streamed, rows } = await runs();
    const lines = [...(csvFiles(held).get('flows.csv') ?? [])].map((line) => line.trimEnd());
    expect(rows[0]).toBe(lines[0]);
    expect(byNumber(rows.slice(1))).toEqual(lines.slice(1));
    expect(resultSchema.safeParse(streamed).error).toBeUndefined();
    expect(streamed.flows).toEqual(held.flows);
    expect(streamed.series).toEqual(held.series);
    expect(streamed.links).toEqual(held.links);
    expect(streamed.collectives).toEqual(held.collectives);
    expect(streamed.flowTotals?.rows).toBe('flows.csv');
    expect([...csvFiles(streamed).keys()]).not.toContain('flows.csv');
    const { flowTotals: _, ...withoutTotals } = streamed;
    const sums = flowSumsOf(withoutTotals);
    for (const [name, value] of Object.entries(flowSumsOf(streamed))) {
      const wanted = sums[name as keyof typeof sums];
      if (wanted !== undefined) expect([name, value]).toEqual([name, expect.closeTo(wanted, 6)]);
    }
  });

  it('has percentiles that lie at most as far above the exact ones as it says', async () => {
    const { held, streamed } = await runs();
    const error = streamed.flowTotals?.relativeError ?? NaN;
    const [exact, found] = [summaryOf(held).allFlows, summaryOf(streamed).allFlows];
    for (const kind of ['fctUs', 'slowdown'] as const) {
      for (const [name, value] of Object.entries(exact[kind] ?? {})) {
        const share = (found[kind]?.[name as 'p50'] ?? NaN) / value;
        expect(share).toBeGreaterThan(1 - 1e-9);
        expect(share).toBeLessThan(1 + error + 1e-9);
      }
    }
    const [row, wanted] = [streamed, held].map((each) => comparisonRow('a', each));
    expect(row?.unfinished).toBe(0);
    expect(row?.feedbackPerRtt).toBeCloseTo(wanted?.feedbackPerRtt ?? NaN, 6);
    const [one, other] = [held, streamed].map((each) => algorithmRow('hpcc', [each]));
    expect(other?.slowdowns.map(({ size, flows }) => [size, flows])).toEqual(
      one?.slowdowns.map(({ size, flows }) => [size, flows]),
    );
    const binned = (streamed.slowdowns ?? []).reduce((sum, { flows }) => sum + flows, 0);
    expect(binned).toBe(streamed.flows.length);
  });

  it('names flows that have not finished, and those that never began', async () => {
    const { held, streamed, rows } = await runs(['giveUpAfterUs: 40']);
    expect(streamed.unfinished).toBe(held.unfinished);
    expect(held.unfinished).toMatch(/did not finish/);
    const lines = [...(csvFiles(held).get('flows.csv') ?? [])].map((line) => line.trimEnd());
    const open = (all: readonly string[]) => byNumber(all).filter((row) => row.endsWith(',,'));
    expect(open(rows.slice(1))).toEqual(open(lines.slice(1)));
    expect(rows).toHaveLength(lines.length);
  });

  it('is written with sums alone where nobody takes the flows', async () => {
    const scenario = scenarioOf([]);
    const { result } = await runScenario({ scenario, seed: 2, streamedFrom: 10 });
    expect(result.flowTotals?.rows).toBeNull();
    const out = path.join(folder, 'sums');
    writeResult(result, out);
    const text = fs.readFileSync(path.join(out, 'result.json'), 'utf8');
    expect(resultSchema.parse(JSON.parse(text))).toEqual(result);
  });

  it('holds its flows where threads share the work', async () => {
    const scenario = scenarioOf([]);
    const { result } = await runScenario({ scenario, seed: 2, streamedFrom: 10, workers: 2 });
    expect(result.flowTotals).toBeUndefined();
    expect(result.unfinished).toBeUndefined();
  });
});
