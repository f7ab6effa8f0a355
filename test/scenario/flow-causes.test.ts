import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { explainFlow } from '../../emulator/io/explain-flow';
import { runScenario } from '../support/shared-runs';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';
import { causeVerdict, mainCause } from '../../emulator/result/cause-text';
import type { FlowCauses } from '../../emulator/result/flow-causes';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { CAUSE_CASES, flow, star } from '../support/cause-cases';
import type { CauseCase } from '../support/cause-cases';
import { hpccHere } from '../support/command-line';
import { sampled } from '../support/sampled';

const explained = (document: CauseCase['document'], flow = 1): Promise<FlowCauses> => {
  const scenario = scenarioSchema.parse({ name: 'case', title: 'A case', ...document });
  return explainFlow({ scenario, seed: 1 }, flow);
};

/** With flows of so many bytes at most, which still meet: longer ones have no other causes. */
const atMost = (scenario: ScenarioDocument, bytes: number): ScenarioDocument => ({
  ...scenario,
  flows: scenario.flows.map((each) => ({ ...each, bytes: Math.min(each.bytes, bytes) })),
});

const sumOf = ({ parts }: FlowCauses): number => parts.reduce((sum, { timeUs }) => sum + timeUs, 0);

const othersOf = ({ parts }: FlowCauses): number =>
  parts.filter(({ cause }) => cause === 'other').reduce((sum, { timeUs }) => sum + timeUs, 0);

describe('the time of a flow by cause names the cause of', () => {
  test.each(CAUSE_CASES)('$name', async ({ document, flow: number, cause, at, says }) => {
    const causes = await explained(document, number);
    const main = mainCause(causes);
    expect(main?.cause === 'queue' && main.way === 'data' ? 'sharing' : main?.cause).toBe(cause);
    if (at !== undefined) expect(main?.at).toBe(at);
    expect(causeVerdict(causes)).toContain(says);
    expect(main?.share).toBeGreaterThan(0.4);
    expect(Math.abs(sumOf(causes) / causes.fctUs - 1)).toBeLessThan(1e-9);
  });
});

describe('hpcc why names the cause of', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-causes-'));
  afterAll(() => fs.rmSync(folder, { recursive: true }));

  const some = sampled('causes of test/support/cause-cases.ts', CAUSE_CASES, 4);
  test.each(some)('$name', async ({ document, flow: number, says }) => {
    const file = path.join(folder, 'case.json');
    fs.writeFileSync(file, JSON.stringify({ name: 'case', title: 'A case', ...document }));
    await hpccHere('run', file, '--no-check', '--workers', '1', '--out', folder);
    const { status, stdout } = await hpccHere('why', folder, String(number));
    expect([status, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining(says)]);
  });
});

describe('the time of a flow by cause', () => {
  const SCENARIOS: readonly (readonly [string, number[]])[] = [
    ['incast16', [1, 9, 16]],
    ['incast16-rocev2', [1, 9]],
    ['incast16-rocev2 by READ', [1, 9]],
    ['join', [1, 2]],
    ['leaf-spine', [1, 4]],
    ['link-failure', [1]],
    ['lossless-incast', [1, 64, 65]],
    ['priorities-burst', [1, 2]],
    ['loops', [1]],
    ['four-spines', [1, 3]],
  ];

  test.each(sampled('scenarios', SCENARIOS, 4))(
    'of %s adds up to what the run says',
    async (name, flows) => {
      const [stem = '', operation = 'WRITE'] = name.split(' by ');
      const loaded = atMost(loadScenario(stem), 10_000_000);
      const parameters = { ...loaded.parameters, operation: operation.toLowerCase() as 'read' };
      const scenario = { ...loaded, parameters };
      const { result } = await runScenario({ scenario, seed: 1, causesOf: flows });
      const finished = flows.filter((each) => result.flows[each - 1]?.fctUs !== null);
      expect((result.causes ?? []).map((each) => each.flow)).toEqual(finished);
      for (const causes of result.causes ?? []) {
        const fctUs = result.flows[causes.flow - 1]?.fctUs ?? NaN;
        expect(Math.abs(sumOf(causes) / fctUs - 1)).toBeLessThan(1e-9);
        expect(othersOf(causes) / fctUs).toBeLessThan(0.001);
      }
    },
  );

  test('begins with the way of the request where the receiver reads, also of one that is lost', async () => {
    const lossy = (host: string) => ({
      between: ['s1', host] as [string, string],
      rateGbps: 100,
      delayNs: 1000,
      lossRate: 0.15,
    });
    const links = ['h1', 'h2', 'h3'].map(lossy);
    const scenario = scenarioSchema.parse({
      name: 'read',
      title: 'READ over links that lose packets',
      topology: { kind: 'custom', switches: ['s1'], hosts: ['h1', 'h2', 'h3'], links },
      flows: [1, 2, 3, 4, 5, 6].map((i) => flow(`h${1 + (i % 2)}`, 'h3', 30_000, i)),
      parameters: { framing: 'rocev2', operation: 'read', mss: 1024 },
    });
    const { result } = await runScenario({ scenario, seed: 1, causesOf: [1, 2, 3, 4, 5, 6] });
    expect(result.causes).toHaveLength(6);
    for (const causes of result.causes ?? []) {
      expect(Math.abs(sumOf(causes) / causes.fctUs - 1)).toBeLessThan(1e-9);
      expect(othersOf(causes) / causes.fctUs).toBeLessThan(0.001);
      expect(causes.parts.map(({ way }) => way)).toContain('request');
      expect(causes.parts.map(({ way }) => way)).not.toContain('acknowledgement');
    }
    const lost = (result.causes ?? []).flatMap(({ parts }) =>
      parts.flatMap(({ cause, at }) => (cause === 'retransmission' ? [at] : [])),
    );
    // At the host that asks, whose request was lost, and at those that it asks.
    expect(new Set(lost)).toEqual(new Set(['h1', 'h2', 'h3']));
  });

  test('knows what the interface sent when the flow began', async () => {
    const scenario = scenarioSchema.parse({
      name: 'all',
      title: 'All to all',
      topology: star(4),
      workloads: [
        { kind: 'all-to-all', name: 'a', hosts: ['h1', 'h2', 'h3', 'h4'], bytesPerPair: 20_000 },
      ],
    });
    const all = Array.from({ length: 12 }, (_, i) => i + 1);
    const { result } = await runScenario({ scenario, seed: 1, causesOf: all });
    expect(result.causes).toHaveLength(12);
    for (const causes of result.causes ?? []) {
      expect(othersOf(causes) / causes.fctUs).toBeLessThan(0.001);
    }
  });

  test('changes nothing of the run', async () => {
    const scenario = loadScenario('incast16');
    const alone = await runScenario({ scenario, seed: 1 });
    const watched = await runScenario({ scenario, seed: 1, causesOf: [3] });
    expect({ ...watched.result, causes: undefined }).toEqual({
      ...alone.result,
      causes: undefined,
    });
  });

  test('is refused for a flow that there is not, and one that does not finish', async () => {
    const document = {
      topology: star(2),
      flows: [flow('h1', 'h2', 50_000_000)],
      giveUpAfterUs: 50,
    };
    await expect(explained(document, 2)).rejects.toThrow('there is no flow 2: the run has 1 to 1');
    await expect(explained(document)).rejects.toThrow('flow 1 did not finish');
  });
});
