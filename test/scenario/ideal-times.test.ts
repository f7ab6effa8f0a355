import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { runScenario } from '../support/shared-runs';
import type { ScenarioDocument } from '../../emulator/scenario/schema';
import type { FlowRecord } from '../../emulator/result/result';

async function flowsOf(scenario: ScenarioDocument): Promise<readonly FlowRecord[]> {
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
  return result.flows;
}

describe('a flow alone within its first window takes the ideal time, to the picosecond', () => {
  const alone = loadScenario('single-flow');
  const ofBytes = (bytes: number): ScenarioDocument => ({
    ...alone,
    flows: alone.flows.map((flow) => ({ ...flow, bytes })),
  });

  test.each([1, 1000, 1010, 30_500])('%d bytes', async (bytes) => {
    const [flow] = await flowsOf(ofBytes(bytes));
    expect(flow?.slowdown).toBe(1);
  });

  test.each(['ioam', 'ifa', 'padding', 'csig'])('by %s', async (variant) => {
    const [flow] = await flowsOf(scenarioVariant(ofBytes(30_500), variant));
    expect(flow?.slowdown).toBe(1);
  });

  test.each(['one-in-16', 'delayed-ack', 'notification', 'probe', 'receiver', 'receiver-probe'])(
    'or longer, where not all frames carry as much telemetry: %s',
    async (variant) => {
      const [flow] = await flowsOf(scenarioVariant(ofBytes(30_500), variant));
      expect(flow?.slowdown).toBeGreaterThanOrEqual(1);
      expect(flow?.slowdown).toBeLessThan(1.03);
    },
  );
});
