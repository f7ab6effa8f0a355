import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import { scenarioNames } from '../../emulator/io/inputs/catalogue';
import { EFFORT } from '../support/effort';
import { sampled } from '../support/sampled';
import type { Result } from '../../emulator/result/result';

/** "Reuse current CC" (draft-lyu-rtgwg-coordinated-cm-01 section 5), DCQCN being its example. */
const ALGORITHMS = ['dcqcn', 'timely', 'swift', 'dctcp'] as const;
type Algorithm = (typeof ALGORITHMS)[number];

async function run(name: string, algorithm: Algorithm): Promise<Result> {
  const base = loadScenario(name);
  // As hosts on interfaces: algorithms that go by times have nothing to measure while a window is sent again.
  const scenario = withParameters(base, { algorithm, lossRecovery: 'selective-repeat' });
  const { result } = await runScenario({ scenario, seed: 1 });
  return result;
}

/** Scenarios of the draft; all of them need minutes, so that by default each algorithm has one, the same. */
const SCENARIOS = (algorithm: Algorithm): readonly string[] => {
  if (EFFORT >= 10) return scenarioNames().filter((name) => name.startsWith('ccm-'));
  const isOdd = ALGORITHMS.indexOf(algorithm) % 2 > 0;
  return [isOdd && EFFORT > 1 ? 'ccm-draft-example' : 'ccm-both'];
};

/** Where a flow moves with much in flight: acknowledgements with a gap have no round trip for 8 T. */
const SILENT: readonly (readonly [scenario: string, algorithm: string])[] = [
  ['ccm-draft-example', 'timely'],
  ['ccm-draft-example', 'swift'],
];

/** PERF: each question is put to half of the algorithms, and each of them has one at least. */
const asked = (question: string, first: number): readonly Algorithm[] =>
  sampled(
    `algorithms: ${question}`,
    [...ALGORITHMS.slice(first), ...ALGORITHMS.slice(0, first)],
    2,
  );

describe('coordination of flows', () => {
  const runs = asked('laws', 0).flatMap((algorithm) =>
    SCENARIOS(algorithm).map((name) => [algorithm, name] as const),
  );
  test.each(runs)('under %s holds its laws in %s', async (algorithm, name) => {
    const { violations, unfinished, uncontrolled, ...result } = await run(name, algorithm);
    expect({ violations, unfinished }).toEqual({ violations: [] });
    const isSilent = SILENT.some(([scenario, of]) => scenario === name && of === algorithm);
    expect(uncontrolled === undefined).toBe(!isSilent);
    expect(result.coordination?.mode).toContain('oordinated');
  });

  test.each(asked('alone', 0))('under %s slows nobody down who meets nobody', async (algorithm) => {
    const result = await run('ccm-imbalance', algorithm);
    expect(result.violations).toEqual([]);
    expect(result.bottleneck.queuePeakBytes).toBe(0);
    for (const { slowdown } of result.flows) expect(slowdown).toBeLessThan(1.3);
  });

  test.each(asked('an incast', 1))(
    'slows an incast down, by what %s measures',
    async (algorithm) => {
      const result = await run('ccm-incast', algorithm);
      expect([result.violations, result.unfinished]).toEqual([[], undefined]);
      // Some set a rate, of 95 at first, and some a window.
      const slowest = result.series.map(({ rateGbps, windowBytes }) => {
        const shares = [rateGbps, windowBytes].map((each) => Math.min(...each) / (each[0] ?? NaN));
        return Math.min(...shares);
      });
      expect(Math.max(...slowest)).toBeLessThan(0.4);
    },
  );
});
