import { EFFORT } from '../support/effort';
import { compareWorkers } from './compare-workers';
import { randomScenario } from './random-scenario';

/** The last with coordination and faults of notifications; `npm run workers` runs as many as one likes. */
/** PERF: a worker takes a second to begin. */
const WORKERS = EFFORT > 1 ? 3 : 2;
const SEEDS = EFFORT > 1 ? [1, 2, 333] : [333];

describe('random scenarios', () => {
  it.each(SEEDS)(
    'have the same result with one worker and with several (seed %i)',
    async (seed) => {
      const { packetHops, differing } = await compareWorkers(randomScenario(seed), [WORKERS]);
      expect(packetHops).toBeGreaterThan(100);
      expect(differing).toEqual([]);
    },
  );

  it('are of many kinds', () => {
    const scenarios = Array.from({ length: 50 }, (_, seed) => randomScenario(seed));
    expect(new Set(scenarios.map(({ topology }) => topology.kind)).size).toBe(5);
    expect(
      new Set(scenarios.map(({ parameters }) => JSON.stringify(parameters))).size,
    ).toBeGreaterThan(30);
    expect(scenarios.some(({ events }) => events.length > 0)).toBe(true);
    expect(scenarios.filter(({ coordination }) => coordination !== undefined).length > 5).toBe(
      true,
    );
    expect(scenarios.some(({ notificationFaults: faults }) => faults !== undefined)).toBe(true);
  });
});
