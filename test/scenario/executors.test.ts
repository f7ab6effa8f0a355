import { EXECUTOR_NAMES } from '../../switch/codegen/executors';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/scenario-files';

test('a run gives the same result whichever executor runs the P4 program', async () => {
  const scenario = loadScenario('leaf-spine');
  const results = [];
  for (const executor of EXECUTOR_NAMES) {
    const { result } = await runScenario({ scenario, seed: 3, executor });
    expect(result.generator.executor).toBe(executor);
    results.push({ ...result, generator: undefined });
  }
  expect(results[0]).toEqual(results[1]);
}, 120_000);
