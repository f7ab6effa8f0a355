import { loadScenario } from '../../../../emulator/io/inputs/scenario-files';
import { runScenario } from '../../../../emulator/io/run-scenario';
import type { QueuePlan } from '../../../../emulator/kernel/virtual-time';
import { planNetwork } from '../../../../emulator/network/plan';
import { expandTopology, participantsOf } from '../../../../emulator/scenario/expand-topology';
import { scenarioSchema } from '../../../../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../../../../emulator/scenario/schema';
import { queuePlanOf } from '../../../../emulator/simulation/queue-plan';
import { connectionsOf } from '../../../../emulator/workload/kinds/connections';

const NS = 1000;
const LINKS = [
  ['h1', 's1'],
  ['h2', 's1'],
  ['s1', 's2'],
  ['s2', 'h3'],
] as const;

/** Three hosts behind two switches; the links have the given delays. */
const scenarioOf = (
  delaysNs: readonly number[],
  more: Partial<ScenarioInput> = {},
): ScenarioDocument =>
  scenarioSchema.parse({
    name: 'line',
    title: 'Two switches in a row',
    topology: {
      kind: 'custom',
      switches: ['s1', 's2'],
      hosts: ['h1', 'h2', 'h3'],
      links: LINKS.map((between, i) => ({ between, rateGbps: 100, delayNs: delaysNs[i] ?? 1000 })),
    },
    flows: [
      { from: 'h1', to: 'h3', bytes: 200_000, startUs: 0 },
      { from: 'h2', to: 'h3', bytes: 100_000, startUs: 0 },
    ],
    ...more,
  });

function planOf(scenario: ScenarioDocument, isObserved = false): QueuePlan {
  const topology = expandTopology(scenario.topology);
  const units = { clockUnitNs: 1, queueDepthUnitBytes: 32, txUnitBytes: 1 };
  const plan = planNetwork(topology, units);
  const { connections } = connectionsOf(scenario, { seed: 1, hosts: participantsOf(topology) });
  return queuePlanOf({ scenario, connections, plan, period: 1, isObserved });
}

/** Sets of nodes that share a queue. */
function sharing({ queueOf }: QueuePlan): string[] {
  const names = ['h1', 'h2', 'h3', 's1', 's2'];
  const queues = Array.from(new Set(names.map(queueOf)));
  return queues.map((queue) => names.filter((name) => queueOf(name) === queue).join());
}

describe('queues of a run', () => {
  it('are one for each node, which feels the others after the shortest delay', () => {
    const plan = planOf(scenarioOf([700, 800, 500, 600]));
    expect(sharing(plan)).toEqual(['h1', 'h2', 'h3', 's1', 's2']);
    expect(plan.lookahead).toBe(500 * NS);
  });

  it('are shared by nodes that a short link joins', () => {
    const plan = planOf(scenarioOf([700, 99, 500, 100]));
    expect(sharing(plan)).toEqual(['h1', 'h2,s1', 'h3', 's2']);
    expect(plan.lookahead).toBe(100 * NS);
  });

  it('are one where somebody has to see all events in order', () => {
    const plans = [planOf(scenarioOf([]), true), planOf(scenarioOf([1, 1, 1, 1]))];
    for (const plan of plans) expect(sharing(plan)).toEqual(['h1,h2,h3,s1,s2']);
    plans.push(...['lossless-incast', 'ccm-both'].map((name) => planOf(loadScenario(name))));
    expect(plans.map(({ lookahead }) => lookahead)).toEqual(plans.map(() => Infinity));
  });

  it('make no difference to the result', async () => {
    const between = ['s1', 's2'] as [string, string];
    const scenario = scenarioOf([700, 800, 500, 600], {
      events: [
        { atUs: 12, between, state: 'down' },
        { atUs: 20, between, state: 'up' },
      ],
    });
    const apart = await runScenario({ scenario, seed: 1 });
    const together = await runScenario({ scenario, seed: 1, observer: () => ({}) });
    expect(apart.result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    expect(together.result).toEqual(apart.result);
  });
});
