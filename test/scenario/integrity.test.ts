import { runScenario } from '../support/shared-runs';
import {
  loadScenario,
  scenarioVariant,
  withParameters,
} from '../../emulator/io/inputs/scenario-files';
import { comparisonRow } from '../../emulator/result/comparison';
import type { Result } from '../../emulator/result/result';
import { resultOf, runVariants } from '../support/scenario-runs';

describe('a network in which one packet in four is lied about', () => {
  let results: ReadonlyMap<string, Result>;
  beforeAll(async () => {
    results = await runVariants('integrity');
  });
  const of = (variant: string): Result => resultOf(results, variant);
  const VARIANTS = ['honest', 'believed', 'plausible-only', 'signed-only', 'checked'];
  /** W_init / 1000 over T, and the hosts' links, in Gb/s. */
  const [FLOOR, LINE_RATE] = [0.1, 100];

  test.each(VARIANTS)('never drives a rate beyond floor and line rate: %s', (variant) => {
    const rates = of(variant).series.flatMap(({ rateGbps }) => rateGbps);
    expect(Math.min(...rates)).toBeGreaterThanOrEqual(FLOOR);
    expect(Math.max(...rates)).toBeLessThanOrEqual(LINE_RATE);
    expect(of(variant).violations).toEqual([]);
  });

  test('starves flows that believe everything', () => {
    expect(of('believed').flows.every(({ fctUs }) => fctUs === null)).toBe(true);
    expect(of('believed').bottleneck.utilization).toBeLessThan(0.1);
  });

  test('starves flows that check who speaks but not what is said', () => {
    expect(of('signed-only').flows.every(({ fctUs }) => fctUs === null)).toBe(true);
  });

  test('delays no flow by more than a tenth that checks both, and one lost last word', () => {
    // A forged acknowledgement is none; without the last one of a flow, its timeout must tell.
    const timeoutUs = 500;
    of('checked').flows.forEach(({ fctUs }, i) => {
      expect(fctUs).toBeLessThan(1.1 * (of('honest').flows[i]?.fctUs ?? NaN) + timeoutUs);
    });
    const repeated = of('checked').flows.map((flow) => flow.retransmittedSegments);
    expect(Math.max(...repeated)).toBeLessThanOrEqual(1);
    expect(of('checked').bottleneck.queuePeakBytes).toBeLessThan(
      1.1 * of('honest').bottleneck.queuePeakBytes,
    );
  });

  test('shows in the counters of those who check', () => {
    const { hostRejections, telemetryRejections, lies } = of('checked').counters;
    expect(lies).toBeGreaterThan(2500);
    expect(Object.keys(hostRejections).sort()).toEqual(['replayed', 'unauthenticated']);
    expect(Object.keys(telemetryRejections ?? {}).sort()).toEqual([
      'implausible',
      'stale',
      'unknown-link',
    ]);
    const { refused } = comparisonRow('checked', of('checked'));
    // Only telemetry that an idle link would send too may pass.
    expect(refused / (lies ?? NaN)).toBeGreaterThan(0.85);
  });

  test('leaves the counters of honest runs at zero', () => {
    const { hostRejections, telemetryRejections, lies } = of('honest').counters;
    expect({ hostRejections, telemetryRejections, lies }).toEqual({
      hostRejections: {},
      telemetryRejections: {},
      lies: 0,
    });
  });
});

describe.each(['hpcc', 'powertcp'])('the same with %s', (algorithm) => {
  const run = async (variant: string): Promise<Result> => {
    const scenario = scenarioVariant(loadScenario('integrity'), variant);
    const ended = await runScenario({ scenario: withParameters(scenario, { algorithm }), seed: 1 });
    return ended.result;
  };

  test('starves or slows flows that believe everything, and not those that check', async () => {
    const [believed, checked] = [await run('signed-only'), await run('checked')];
    expect(checked.violations).toEqual([]);
    const slowest = ({ flows }: Result): number =>
      Math.max(...flows.map(({ fctUs }) => fctUs ?? Infinity));
    expect(slowest(checked)).toBeLessThan(2100);
    expect(slowest(believed)).toBeGreaterThan(2 * slowest(checked));
    expect(Object.keys(checked.counters.telemetryRejections ?? {}).sort()).toEqual([
      'implausible',
      'stale',
      'unknown-link',
    ]);
    expect(believed.counters.telemetryRejections).toEqual({});
  });
});
