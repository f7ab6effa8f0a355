import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import { checkSettings } from '../../emulator/scenario/check-settings';
import { comparisonRow } from '../../emulator/result/comparison';
import type { ComparisonRow } from '../../emulator/result/comparison';
import { FEEDBACK_PRESETS } from '../../host-agent/feedback/feedback-plan';
import { ROCE_OPERATIONS } from '../../host-agent/settings/settings';
import { sampled } from '../support/sampled';
import type { ScenarioSettingsInput } from '../../host-agent/settings/settings';

const LOOPS = Object.keys(FEEDBACK_PRESETS) as (keyof typeof FEEDBACK_PRESETS)[];
/** A full frame behind one switch over IPv6, by one over IPv4. */
const SCALE = 1126 / 1106;

/** PERF: half of each flow, which has the same queue at the beginning. */
const SHORT = ((incast) => ({
  ...incast,
  flows: incast.flows.map((flow) => ({ ...flow, bytes: flow.bytes / 2 })),
}))(loadScenario('incast16'));

async function rowOf(parameters: ScenarioSettingsInput) {
  const scenario = withParameters(SHORT, parameters);
  const { result } = await runScenario({ scenario, seed: 1 });
  expect(result.violations).toEqual([]);
  expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
  return comparisonRow('', result);
}

/** Frames are longer, and nothing else differs but the choice of flows by the switches' hashes. */
async function expectAsIpv4(parameters: ScenarioSettingsInput): Promise<void> {
  const ipv4 = await rowOf(parameters);
  const ipv6 = await rowOf({ ...parameters, ipVersion: 'ipv6' });
  expect(ipv6.refused).toBe(0);
  expect(Math.abs(ipv6.queuePeakBytes / (ipv4.queuePeakBytes * SCALE) - 1)).toBeLessThan(0.05);
  const median = ({ fctUs }: ComparisonRow): number => fctUs?.median ?? NaN;
  expect(Math.abs(median(ipv6) / (median(ipv4) * SCALE) - 1)).toBeLessThan(0.1);
}

describe('over IPv6, an incast is as over IPv4', () => {
  test.each(sampled('loops over IPv6', LOOPS, 2))('with feedback: %s', async (feedback) => {
    await expectAsIpv4({ feedback, authentication: 'on' });
  });

  test.each(ROCE_OPERATIONS)('by %s of RoCEv2', async (operation) => {
    await expectAsIpv4({ framing: 'rocev2', operation, mss: 1024 });
  });
});

test('carriers that live in one version of IP refuse the other', () => {
  for (const carrier of ['ioam', 'ifa', 'padding', 'csig'] as const) {
    const parameters = { carrier, ipVersion: 'ipv6' } as const;
    const scenario = withParameters(loadScenario('incast16'), parameters);
    expect(() => checkSettings(scenario)).toThrow(
      `ipVersion: ipv6 is about INT, and carrier: ${carrier} lives in the version of IP`,
    );
  }
});
