import { runScenario } from '../../../../emulator/io/run-scenario';
import type { RunProgress } from '../../../../emulator/io/run-progress';
import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { resultSchema } from '../../../../emulator/result/result';
import { runPage } from '../../../../emulator/view/data/run-page';

describe('a run that is interrupted', () => {
  test('has a result that holds what there is and says so, as does its report', async () => {
    const scenario = loadScenario('single-flow');
    const { result } = await runScenario({ scenario, seed: 1, signal: AbortSignal.abort() });
    expect(resultSchema.parse(result).interruptedAtUs).toBe(0);
    expect(result.flows.map(({ fctUs }) => fctUs)).toEqual([null]);
    expect(runPage(result).opening[0]?.title).toContain('Interrupted after 0 us of virtual time');
  });

  test('is told from one that has ended', async () => {
    const scenario = { ...loadScenario('single-flow'), untilUs: 20 };
    const { result } = await runScenario({ scenario, seed: 1 });
    expect(result).not.toHaveProperty('interruptedAtUs');
    expect(runPage(result).opening).toEqual([]);
  });

  test('ends within one report of the interrupt', async () => {
    const scenario = { ...loadScenario('incast16'), untilUs: 1_000_000 };
    const interruption = new AbortController();
    const seen: RunProgress[] = [];
    const { result } = await runScenario({
      scenario,
      seed: 1,
      checkInvariants: false,
      signal: interruption.signal,
      onProgress: (progress) => {
        seen.push(progress);
        interruption.abort();
      },
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.fraction).toBeCloseTo((seen[0]?.virtualUs ?? 0) / 1_000_000, 9);
    expect(result.interruptedAtUs).toBe(seen[0]?.virtualUs);
    expect(result.counters.packetHops).toBe(seen[0]?.packetHops);
  });
});

describe('a run whose flows do not finish', () => {
  const scenario = loadScenario('single-flow');

  test('says so where it was to go on until they had', async () => {
    const { result } = await runScenario({ scenario: { ...scenario, giveUpAfterUs: 20 }, seed: 1 });
    const { unfinished } = resultSchema.parse(result);
    expect(unfinished).toMatch(
      /^1 of 1 flows did not finish \(the first is flow 1 from h2 to h1\)/,
    );
    expect(unfinished).toContain('gives up at 20 us (giveUpAfterUs)');
    expect(result.violations).toEqual([]);
  });

  test('is as it was asked for where the scenario has an end', async () => {
    const { result } = await runScenario({ scenario: { ...scenario, untilUs: 20 }, seed: 1 });
    expect(result).not.toHaveProperty('unfinished');
  });
});
