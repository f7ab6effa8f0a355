import { runScenario } from '../support/shared-runs';
import type { RunObserver } from '../../emulator/record/run-observer';
import type { Result } from '../../emulator/result/result';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioInput } from '../../emulator/scenario/schema';
import { EFFORT } from '../support/effort';

type Topology = ScenarioInput['topology'];

/** Five hosts at each of two leaves, and so many switches that connect these. */
const spines = (aggregations: number): Topology => ({
  kind: 'clos',
  pods: 1,
  leaves: 2,
  spinesPerPlane: 1,
  aggregations,
  hostsPerLeaf: 5,
  rateGbps: 100,
  delayNs: 1000,
});

/** Two switches with parallel links, of which each packet may take another. */
const parallelLinks = (count: number): Topology => {
  const link = { rateGbps: 100, delayNs: 1000 };
  const hosts = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
  return {
    kind: 'custom',
    switches: ['s1', 's2'],
    hosts,
    links: [
      ...hosts.map((host) => ({ between: [host, host < 'h5' ? 's1' : 's2'] as const, ...link })),
      ...Array.from({ length: count }, () => ({ between: ['s1', 's2'] as const, ...link })),
    ].map(({ between: [a, b], ...rest }) => ({ between: [a, b], ...rest })),
  };
};

const SENDERS = ['h1', 'h2', 'h3', 'h4'];

interface Sprayed {
  readonly result: Result;
  /** Acknowledgements by what the algorithm did with them. */
  readonly kinds: ReadonlyMap<string, number>;
}

async function run(topology: Topology, mode: 'adaptive' | 'ecmp'): Promise<Sprayed> {
  const kinds = new Map<string, number>();
  const observer: RunObserver = {
    controlled(_host, _flow, event) {
      if (event.kind !== 'ack-processed') return;
      kinds.set(event.ackKind, (kinds.get(event.ackKind) ?? 0) + 1);
    },
  };
  const scenario = scenarioSchema.parse({
    name: 'spray',
    title: 'four flows to one host',
    topology,
    flows: SENDERS.map((from) => ({ from, to: 'h6', bytes: 1_000_000, startUs: 0 })),
    profile: 'hpcc-ccm',
    coordination: {
      mode,
      balancing: 'spray',
      highBytes: 150_000,
      lowBytes: 30_000,
      interval: '20 us',
      releaseAfter: '200 us',
      holdTime: '500 us',
      key: { id: 1, bytes: '000102030405060708090a0b0c0d0e0f' },
    },
    parameters: { lossRecovery: 'selective-repeat' },
  });
  const { result } = await runScenario({ scenario, seed: 1, observer: () => observer });
  return { result, kinds };
}

describe.each([
  ['2 switches', spines(2), 2],
  ['8 parallel links', parallelLinks(8), 8],
  ...(EFFORT > 1
    ? [
        ['4 switches', spines(4), 4] as const,
        ['8 switches', spines(8), 8] as const,
        ['2 parallel links', parallelLinks(2), 2] as const,
      ]
    : []),
] as const)('flows whose packets take each of %s in turn', (_what, topology, paths) => {
  test('are controlled as over one path', async () => {
    const [sprayed, hashed] = [await run(topology, 'adaptive'), await run(topology, 'ecmp')];
    for (const { result } of [sprayed, hashed]) {
      expect(result.violations).toEqual([]);
      expect(result.flows.every(({ fctUs }) => fctUs !== null)).toBe(true);
    }
    const { kinds } = sprayed;
    // Only the first acknowledgement of each path and flow has nothing to be compared with.
    expect(kinds.get('first') ?? 0).toBeLessThanOrEqual(paths * SENDERS.length);
    expect(kinds.get('ignored') ?? 0).toBe(0);
    expect((kinds.get('fast') ?? 0) + (kinds.get('update') ?? 0)).toBeGreaterThan(3900);
    const [drained, drainedOverOne] = [sprayed, hashed].map(
      ({ result }) => result.bottleneck.drainedAtUs ?? Infinity,
    );
    expect(drained).toBeLessThan(2 * (drainedOverOne ?? 0));
  });
});
