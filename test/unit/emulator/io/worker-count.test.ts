import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { workersFor } from '../../../../emulator/io/worker-count';
import { indivisible } from '../../../../emulator/simulation/queue-plan';
import { runScenario } from '../../../../emulator/io/run-scenario';
import { hmacSha256 } from '../../../../host-agent/io/keys/hmac';
import { scenarioSchema } from '../../../../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../../../../emulator/scenario/schema';
import { Simulation } from '../../../../emulator/simulation/simulation';
import { executorFactory } from '../../../../switch/codegen/executors';

const simulationOf = (scenario: ScenarioDocument): Simulation =>
  new Simulation({
    scenario,
    seed: 1,
    checkInvariants: false,
    executor: executorFactory('generated'),
    mac: hmacSha256,
  });

/** Two flows at once over a fabric of two leaves and a spine, with so many bytes each. */
const fabric = (bytes: number, more: Partial<ScenarioInput> = {}): ScenarioDocument =>
  scenarioSchema.parse({
    name: 'fabric',
    title: 'Two flows',
    topology: {
      kind: 'leaf-spine',
      leaves: 2,
      spines: 1,
      hostsPerLeaf: 2,
      rateGbps: 100,
      delayNs: 1000,
      fabricRateGbps: 400,
    },
    flows: [
      { from: 'h1', to: 'h3', bytes, startUs: 0 },
      { from: 'h2', to: 'h4', bytes, startUs: 0 },
    ],
    ...more,
  });

const LONG = 1e9;

describe('the number of workers of a run', () => {
  test('is that of the cores where it is long', () => {
    expect(workersFor(simulationOf(fabric(LONG)), 2)).toBe(2);
  });

  test('is that of the parts where there are more cores', () => {
    // Three switches and four hosts.
    expect(workersFor(simulationOf(fabric(LONG)), 64)).toBe(7);
  });

  test('is one where the network is set up before most is done', () => {
    expect(workersFor(simulationOf(fabric(100_000)), 8)).toBe(1);
  });

  test('is one where the end comes soon, however much there is to send', () => {
    expect(workersFor(simulationOf(fabric(LONG, { untilUs: 100 })), 8)).toBe(1);
    expect(workersFor(simulationOf(fabric(LONG, { untilUs: 100_000 })), 8)).toBe(7);
  });

  test('is one where all nodes are followed, and it says why', () => {
    const buffer = loadScenario('lossless-incast').buffer;
    const simulation = simulationOf({ ...fabric(LONG), buffer });
    expect(indivisible(simulation)).toMatch('has a shared buffer');
    expect(workersFor(simulation, 8)).toBe(1);
  });

  test('leaves a core to who puts together what is observed of coordination', () => {
    const { flows, ...coordinated } = loadScenario('ccm-draft-example');
    const long = flows.map((flow) => ({ ...flow, bytes: LONG }));
    const simulation = simulationOf({ ...coordinated, flows: long, untilUs: undefined });
    expect(workersFor(simulation, 64)).toBe(8);
    expect(workersFor(simulation, 8)).toBe(7);
    expect(workersFor(simulation, 3)).toBe(2);
    expect(workersFor(simulation, 1)).toBe(1);
  });
});

test('who follows a run gets one worker, which has all of it', async () => {
  const run = { scenario: fabric(LONG), seed: 1, signal: AbortSignal.abort() };
  const { result } = await runScenario({ ...run, workers: 'auto', observer: () => ({}) });
  expect(result.interruptedAtUs).toBeDefined();
  await expect(runScenario({ ...run, workers: 2, observer: () => ({}) })).rejects.toThrow(
    'an observer sees every packet',
  );
});
