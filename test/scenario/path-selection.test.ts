import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario, withParameters } from '../../emulator/io/scenario-files';
import type { Result } from '../../emulator/record/result';

/** With it two flows share a spine, and among the four ports of both there is one to a free spine. */
const SEED = 2;

const run = async (paths: number): Promise<Result> => {
  const scenario = withParameters(loadScenario('four-spines'), { paths });
  return (await runScenario({ scenario, seed: SEED })).result;
};
const fct = ({ flows }: Result): number[] => flows.map(({ fctUs }) => fctUs ?? Infinity);

describe('flows whose hashes chose the same spine', () => {
  let fixed: Result;
  let choosing: Result;
  beforeAll(async () => {
    fixed = await run(1);
    choosing = await run(4);
  }, 120_000);

  test('share it when they may not choose', () => {
    const ideal = fixed.flows[0]?.idealFctUs ?? NaN;
    expect(Math.max(...fct(fixed))).toBeGreaterThan(1.9 * ideal);
  });

  test('find free spines when they may choose among four ports', () => {
    const ideal = choosing.flows[0]?.idealFctUs ?? NaN;
    expect(Math.max(...fct(choosing))).toBeLessThan(1.35 * ideal);
  });

  test('lose and repeat nothing by moving, and nothing arrives out of order', () => {
    expect(choosing.flows.map(({ retransmittedSegments }) => retransmittedSegments)).toEqual([
      ...[0, 0, 0],
    ]);
    expect(choosing.counters.drops).toEqual({});
    expect(choosing.counters.hostRejections).toEqual({});
    expect(choosing.violations).toEqual([]);
  });

  test('leave the one that had a spine to itself where it is', () => {
    const alone = fct(fixed).indexOf(Math.min(...fct(fixed)));
    const slower = (fct(choosing)[alone] ?? NaN) / (fct(fixed)[alone] ?? NaN);
    expect(slower).toBeLessThan(1.01);
  });

  test('spend less than a hundredth of the bytes on probes', () => {
    const { probes, data } = choosing.traffic;
    expect(probes.bytes).toBeLessThan(data.bytes / 100);
  });
});
