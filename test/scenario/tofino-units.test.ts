import { runScenario } from '../support/shared-runs';
import { loadScenario, scenarioVariant } from '../../emulator/io/inputs/scenario-files';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import { EFFORT } from '../support/effort';
import { describeIf } from '../support/requires';
import type { ScenarioDocument } from '../../emulator/scenario/schema';

async function row(scenario: ScenarioDocument): Promise<ComparisonRow> {
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: true });
  expect(result.violations).toEqual([]);
  return comparisonRow(scenario.name, result);
}

const within = (value: number | null | undefined, of: number | null | undefined): number =>
  Math.abs((value ?? NaN) / (of ?? NaN) - 1);

describe('switches that count in cells of 80 bytes and in 32 bits', () => {
  test('close the loop of incast16 as those of the emulator do, within 5 percent', async () => {
    const scenario = loadScenario('incast16');
    const own = await row(scenario);
    const tofino = await row(scenarioVariant(scenario, 'tofino-units'));
    expect(tofino.unfinished).toBe(0);
    expect(within(tofino.queuePeakBytes, own.queuePeakBytes)).toBeLessThan(0.05);
    expect(within(tofino.drainedAtUs, own.drainedAtUs)).toBeLessThan(0.05);
    expect(within(tofino.fctUs?.median, own.fctUs?.median)).toBeLessThan(0.05);
    expect(within(tofino.fctUs?.max, own.fctUs?.max)).toBeLessThan(0.05);
  });
});

describeIf(EFFORT > 1, 'counters of 32 bits that wrap under load', 'HPCC_EFFORT is 1', () => {
  test('change no rate and no window', async () => {
    const whole = loadScenario('counter-wrap');
    // The catalogue's run of 200 ms, shortened to one wrap.
    const flows = whole.flows.map((each) => ({ ...each, bytes: 2_200_000_000 }));
    // Jumbo frames: fewer packets wrap them too.
    const parameters = { ...whole.parameters, mss: 8948 };
    const rates = async (variant: string): Promise<string> => {
      const scenario = scenarioVariant({ ...whole, flows, parameters }, variant);
      const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
      expect(result.flows.map(({ fctUs }) => fctUs)).not.toContain(null);
      return JSON.stringify([result.flows, result.series]);
    };
    expect(await rates('tofino-units')).toBe(await rates('wide-counters'));
  });
});
