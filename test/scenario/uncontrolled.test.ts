import { runScenario } from '../support/shared-runs';
import type { Result } from '../../emulator/result/result';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioInput } from '../../emulator/scenario/schema';
import { runPage } from '../../emulator/view/data/run-page';

/** One flow between two switches, of which the second link is the slower one. */
async function run(given: Partial<ScenarioInput>): Promise<Result> {
  const scenario = scenarioSchema.parse({
    name: 'uncontrolled',
    title: 'one flow',
    topology: {
      kind: 'dumbbell',
      left: 1,
      right: 1,
      rateGbps: 100,
      trunkRateGbps: 400,
      delayNs: 1000,
    },
    flows: [{ from: 'h1', to: 'h2', bytes: 2_000_000, startUs: 0 }],
    ...given,
  });
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  return result;
}

describe('flows that send without control', () => {
  test('are named, with the time, where telemetry misses a link for long', async () => {
    const result = await run({ parameters: { hopLimit: 1 } });
    expect(result.uncontrolled).toMatch(
      /^1 of 1 flows sent without control \(the first is flow 1 from h1 to h2, for \d+/,
    );
    const [flow] = result.flows;
    expect(flow?.uncontrolledUs).toBeGreaterThan(0.8 * (flow?.fctUs ?? Infinity));
    const titles = runPage(result).opening?.map(({ title }) => title);
    expect(titles).toContain('Flows without control');
  });

  test.each(['ack', 'notification', 'probe', 'receiver', 'receiver-probe'] as const)(
    'are none that have a link for themselves: %s',
    async (feedback) => {
      const between: [string, string] = ['h1', 'h2'];
      const links = [{ between, rateGbps: 10, delayNs: 5000 }];
      const result = await run({
        topology: { kind: 'custom', switches: [], hosts: ['h1', 'h2'], links },
        flows: Array.from({ length: 40 }, (_, i) => ({
          from: 'h1',
          to: 'h2',
          bytes: 20_000,
          startUs: 5 * i,
        })),
        parameters: { feedback },
      });
      expect(result.flows.filter(({ fctUs }) => fctUs === null)).toEqual([]);
      expect(result.uncontrolled).toBeUndefined();
    },
  );

  test.each<[string, Partial<ScenarioInput>]>([
    ['acknowledgements', {}],
    ['probes', { parameters: { feedback: 'probe' } }],
    ['notifications', { parameters: { feedback: 'notification' } }],
    ['the receiver', { parameters: { feedback: 'receiver' } }],
    ['the receiver, by probes', { parameters: { feedback: 'receiver-probe' } }],
    ['one packet in eight', { parameters: { collectEvery: 8 } }],
    ['RoCEv2', { parameters: { framing: 'rocev2', mss: 1024 } }],
    [
      'RoCEv2, the receiver',
      { parameters: { framing: 'rocev2', mss: 1024, feedback: 'receiver-probe' } },
    ],
    [
      'RoCEv2, notifications',
      { parameters: { framing: 'rocev2', mss: 1024, feedback: 'notification' } },
    ],
    [
      'RoCEv2, the receiver, by data',
      { parameters: { framing: 'rocev2', mss: 1024, feedback: 'receiver' } },
    ],
    ['digests', { parameters: { algorithm: 'hpcc-pint' } }],
    ['marks alone', { parameters: { algorithm: 'dctcp' } }],
    ['round-trip times alone', { parameters: { algorithm: 'swift' } }],
    ['nothing, as they were asked to', { parameters: { algorithm: 'none' } }],
    ['nothing, at a fixed rate', { fixedRateGbps: { h1: 10 } }],
  ])('are no flows controlled by %s', async (_what, given) => {
    const result = await run(given);
    expect(result.uncontrolled).toBeUndefined();
    expect(result.flows.some(({ uncontrolledUs }) => uncontrolledUs !== undefined)).toBe(false);
  });
});
