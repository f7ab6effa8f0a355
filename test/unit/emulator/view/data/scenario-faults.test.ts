import { runScenario } from '../../../../support/shared-runs';
import { loadScenario } from '../../../../../emulator/io/inputs/scenario-files';
import { scenarioNames } from '../../../../../emulator/io/inputs/catalogue';
import { scenarioFaults } from '../../../../../emulator/view/data/scenario-faults';

test('a scenario that was altered after its run is told from the one that was run', async () => {
  const scenario = { ...loadScenario('incast16'), untilUs: 5 };
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
  expect(scenarioFaults(scenario, result)).toEqual([]);
  const parameters = { ...scenario.parameters, targetUtilization: 0.5 };
  expect(scenarioFaults({ ...scenario, parameters }, result)).toEqual([
    'parameters.targetUtilization: 0.5, and the result is of 0.95',
  ]);
  const flows = scenario.flows.map((flow, i) => (i === 2 ? { ...flow, bytes: 1 } : flow));
  expect(scenarioFaults({ ...scenario, flows }, result)).toEqual([
    'flows.2: h4 to h1, 1 bytes, and the result is of h4 to h1, 500000 bytes',
  ]);
});

test.each(
  scenarioNames().filter((name) => /^(ccm-ring|idle|four|websearch|priorities)/.test(name)),
)('the scenario of a run of %s is the one that was run', async (name) => {
  const scenario = { ...loadScenario(name), untilUs: 2 };
  const { result } = await runScenario({ scenario, seed: 1, checkInvariants: false });
  expect(scenarioFaults(scenario, result)).toEqual([]);
});
