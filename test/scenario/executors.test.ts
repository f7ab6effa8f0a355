import { isDeepStrictEqual } from 'node:util';
import { EXECUTOR_NAMES } from '../../switch/codegen/executor-names';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/inputs/scenario-files';

test('a run gives the same result whichever executor runs the P4 program', async () => {
  const scenario = loadScenario('leaf-spine');
  const results = [];
  for (const executor of EXECUTOR_NAMES) {
    const { result } = await runScenario({ scenario, seed: 3, executor });
    expect(result.generator.executor).toBe(executor);
    results.push({ ...result, generator: undefined });
  }
  // By part: results are too long to be shown beside each other.
  const [one, other] = results.map((result) => new Map(Object.entries(result)));
  const names = [...(one?.keys() ?? [])];
  expect(names).toContain('flows');
  expect(names.filter((name) => !isDeepStrictEqual(one?.get(name), other?.get(name)))).toEqual([]);
});
