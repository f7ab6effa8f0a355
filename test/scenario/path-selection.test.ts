import { runScenario } from '../support/shared-runs';
import { loadScenario, withParameters } from '../../emulator/io/inputs/scenario-files';
import type { Result } from '../../emulator/result/result';
import { EFFORT } from '../support/effort';

const DEADLINE_MS = 120_000;
/** Seeds 1 to so many; all of them make flows share a spine. */
const SEEDS = 2 * EFFORT;
const SEED_NUMBERS = Array.from({ length: SEEDS }, (_, i) => i + 1);

const run = async (paths: number, seed: number): Promise<Result> => {
  const scenario = withParameters(loadScenario('four-spines'), { paths });
  return (await runScenario({ scenario, seed })).result;
};
const fct = ({ flows }: Result): number[] => flows.map(({ fctUs }) => fctUs ?? Infinity);

describe('flows whose hashes chose the same spine', () => {
  let fixed: Result;
  const choosing: Result[] = [];
  beforeAll(async () => {
    fixed = await run(1, 1);
    for (const seed of SEED_NUMBERS) choosing.push(await run(4, seed));
  }, DEADLINE_MS * SEEDS);

  test('share it when they may not choose', () => {
    const ideal = fixed.flows[0]?.idealFctUs ?? NaN;
    expect(Math.max(...fct(fixed))).toBeGreaterThan(1.9 * ideal);
  });

  test.each(SEED_NUMBERS)(
    'find free spines when they may choose among four paths, seed %d',
    (n) => {
      const result = choosing[n - 1] as Result;
      const ideal = result.flows[0]?.idealFctUs ?? NaN;
      expect(Math.max(...fct(result))).toBeLessThan(1.35 * ideal);
    },
  );

  test.each(SEED_NUMBERS)('lose, repeat and reorder nothing by moving, seed %d', (n) => {
    const { flows, counters, violations } = choosing[n - 1] as Result;
    const repeated = flows.map(({ retransmittedSegments }) => retransmittedSegments);
    expect(repeated).toEqual([0, 0, 0]);
    expect(counters.drops).toEqual({});
    expect(counters.hostRejections).toEqual({});
    expect(violations).toEqual([]);
  });

  test('leave the one that had a spine to itself where it is', () => {
    const alone = fct(fixed).indexOf(Math.min(...fct(fixed)));
    const slower = (fct(choosing[0] as Result)[alone] ?? NaN) / (fct(fixed)[alone] ?? NaN);
    expect(slower).toBeLessThan(1.01);
  });

  test('spend less than a hundredth of the bytes on probes', () => {
    for (const { traffic } of choosing) {
      expect(traffic.probes.bytes).toBeLessThan(traffic.data.bytes / 100);
    }
  });
});
