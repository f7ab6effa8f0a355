import { runScenario } from '../../emulator/io/run-scenario';
import { scenarioSchema } from '../../emulator/scenario/schema';
import { LIMITS } from '../../switch/server/limits/limits';

describe('a network of more switches than a P4Runtime server has connections', () => {
  test('is set up whole', async () => {
    const count = LIMITS['p4runtime-connections'].value + 2;
    const leaves = Array.from({ length: count - 1 }, (_, i) => `leaf${i + 1}`);
    const link = (a: string, b: string) => ({
      between: [a, b] as [string, string],
      rateGbps: 100,
      delayNs: 300,
    });
    const scenario = scenarioSchema.parse({
      name: 'star',
      title: 'star',
      topology: {
        kind: 'custom',
        hosts: ['h1', 'h2'],
        switches: ['centre', ...leaves],
        links: [
          link('h1', 'leaf1'),
          link('h2', leaves.at(-1) ?? ''),
          ...leaves.map((leaf) => link('centre', leaf)),
        ],
      },
      flows: [{ from: 'h1', to: 'h2', bytes: 100_000, startUs: 0 }],
    });
    const { result } = await runScenario({ scenario, seed: 1 });
    expect(result.flows.map(({ fctUs }) => fctUs)).toEqual([expect.any(Number)]);
    expect(result.violations).toEqual([]);
  });
});
