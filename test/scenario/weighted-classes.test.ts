import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { runScenario } from '../support/shared-runs';
import type { Result } from '../../emulator/result/result';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import { goodput, queuePeak } from '../support/scenario-runs';

const base = loadScenario('weighted-classes');

async function run(scenario: ScenarioDocument): Promise<Result> {
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  return result;
}

/** When the first round trips, at line rate, have drained. */
const STEADY: [number, number] = [200, 1500];
/** Payload in a frame with the telemetry of one switch. */
const PAYLOAD = 1000 / 1106;

const byClass = (result: Result, [from, to]: [number, number]): [number, number] => [
  goodput(result, 1, [from, to]) + goodput(result, 2, [from, to]),
  goodput(result, 3, [from, to]) + goodput(result, 4, [from, to]),
];

describe('two classes with weights 3 and 1', () => {
  test('have their shares of the target, and queues as one class has', async () => {
    const [weighted, one] = [await run(base), await run(scenarioVariant(base, 'one-class'))];
    const [heavy, light] = byClass(weighted, STEADY);
    expect(Math.abs(heavy / (heavy + light) / 0.75 - 1)).toBeLessThan(0.02);
    expect(Math.abs(light / (heavy + light) / 0.25 - 1)).toBeLessThan(0.02);
    expect(heavy + light).toBeGreaterThan(0.97 * 95 * PAYLOAD);
    // Each queue may have what the one has, and no more than a few packets.
    expect(queuePeak(weighted, STEADY)).toBeLessThanOrEqual(2 * queuePeak(one, STEADY));
    expect(queuePeak(weighted, STEADY)).toBeLessThanOrEqual(6 * 1106);
  });

  test('have them byte for byte without congestion control', async () => {
    const result = await run({ ...scenarioVariant(base, 'line-rate'), untilUs: 400 });
    const bytes = result.flows.map(({ deliveredBytes }) => deliveredBytes);
    const [a = 0, b = 0, c = 0, d = 0] = bytes;
    expect(Math.abs(a + b - 3 * (c + d))).toBeLessThan(4 * 1518 + 3 * 1518);
  });

  test.each(['off', 'on'] as const)(
    'leave the link to the other when they end, plausibility %s',
    async (plausibility) => {
      const flows = base.flows.map((flow, i) => (i < 2 ? flow : { ...flow, bytes: 400_000 }));
      const parameters = { ...base.parameters, plausibility };
      const result = await run({ ...base, flows, parameters, untilUs: 800 });
      expect(result.flows.slice(2).every(({ fctUs }) => fctUs !== null && fctUs < 400)).toBe(true);
      const [heavy] = byClass(result, [500, 800]);
      expect(heavy).toBeGreaterThan(0.97 * 95 * PAYLOAD);
    },
  );

  test('are refused where ports share a buffer, or one queue has two weights', async () => {
    const buffered = { ...base, buffer: { bytes: 1e6, reservedBytes: 0, alpha: 1 } };
    await expect(run(buffered as ScenarioDocument)).rejects.toThrow(
      'ports that share a buffer serve queues by priority, not by weight',
    );
    const classes = [
      { dscp: 1, queue: 1, weight: 1 },
      { dscp: 2, queue: 1, weight: 2 },
    ];
    await expect(run({ ...base, telemetry: { classes } })).rejects.toThrow(
      'telemetry.classes: queue 1 has the weights 1 and 2',
    );
  });
});
