import { explainFlow } from '../../emulator/io/explain-flow';
import { runScenario } from '../../emulator/io/run-scenario';
import { loadScenario } from '../../emulator/io/scenario-files';
import { mainCause } from '../../emulator/result/cause-text';
import type { FlowCauses } from '../../emulator/result/flow-causes';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioInput } from '../../emulator/scenario/schema';

type Case = Omit<ScenarioInput, 'name' | 'title'>;

const explained = (document: Case, flow = 1): Promise<FlowCauses> => {
  const scenario = scenarioSchema.parse({ name: 'case', title: 'A case', ...document });
  return explainFlow({ scenario, seed: 1 }, flow);
};

const star = (hosts: number): Case['topology'] => ({
  kind: 'star',
  hosts,
  rateGbps: 100,
  delayNs: 1000,
});

const flow = (from: string, to: string, bytes: number, startUs = 0) => ({
  from,
  to,
  bytes,
  startUs,
});

const sumOf = ({ parts }: FlowCauses): number => parts.reduce((sum, { timeUs }) => sum + timeUs, 0);

const othersOf = ({ parts }: FlowCauses): number =>
  parts.filter(({ cause }) => cause === 'other').reduce((sum, { timeUs }) => sum + timeUs, 0);

describe('the time of a flow by cause names the cause of', () => {
  /** One network for each cause, in which there is no other. */
  const CASES: readonly {
    readonly name: string;
    readonly document: Case;
    readonly flow: number;
    readonly cause: string;
    readonly at?: string;
  }[] = [
    {
      name: 'an incast: others at the port of the receiver',
      document: {
        topology: star(9),
        flows: [2, 3, 4, 5, 6, 7, 8, 9].map((i) => flow(`h${i}`, 'h1', 200_000)),
      },
      flow: 1,
      cause: 'sharing',
      at: 's1:1->h1:1',
    },
    {
      name: 'a victim of pauses: its host was stopped because of others',
      document: {
        topology: star(18),
        flows: [
          ...Array.from({ length: 16 }, (_, i) => flow(`h${i + 2}`, 'h1', 60_000)),
          flow('h2', 'h18', 50_000, 20),
        ],
        buffer: { bytes: 800_000, alpha: 1, pfc: { priorities: [0] } },
        parameters: { algorithm: 'none', baseRttUs: 4.16 },
      },
      flow: 17,
      cause: 'pause',
      at: 'h2',
    },
    {
      name: 'a shared uplink: others between two switches',
      document: {
        topology: {
          kind: 'dumbbell',
          left: 4,
          right: 4,
          rateGbps: 100,
          delayNs: 1000,
          trunkRateGbps: 100,
        },
        flows: [1, 2, 3, 4].map((i) => flow(`h${i}`, `h${i + 4}`, 400_000)),
      },
      flow: 2,
      cause: 'sharing',
      at: 's1:5->s2:5',
    },
    {
      name: 'a small window: T far below the round trip',
      document: {
        topology: star(2),
        flows: [flow('h1', 'h2', 500_000)],
        parameters: { baseRttUs: 0.5 },
      },
      flow: 1,
      cause: 'window',
      at: 'h1',
    },
    {
      name: 'loss: it had to be sent again',
      document: {
        topology: {
          kind: 'custom',
          switches: ['s1'],
          hosts: ['h1', 'h2'],
          links: [
            { between: ['s1', 'h1'], rateGbps: 100, delayNs: 1000 },
            { between: ['s1', 'h2'], rateGbps: 100, delayNs: 1000, lossRate: 0.1 },
          ],
        },
        flows: [flow('h1', 'h2', 400_000)],
      },
      flow: 1,
      cause: 'retransmission',
      at: 'h1',
    },
    {
      name: 'a long path: light takes the time',
      document: {
        topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 500_000 },
        flows: [flow('h1', 'h2', 20_000)],
      },
      flow: 1,
      cause: 'propagation',
    },
    {
      name: 'late acknowledgements: they wait behind others on their way back',
      document: {
        topology: star(8),
        flows: [
          flow('h1', 'h2', 60_000),
          ...[3, 4, 5, 6, 7, 8].map((i) => flow(`h${i}`, 'h1', 600_000)),
        ],
        parameters: { algorithm: 'none', baseRttUs: 4.16 },
      },
      flow: 1,
      cause: 'queue',
      at: 's1:1->h1:1',
    },
    {
      name: 'a receiver: it holds acknowledgements back',
      document: {
        topology: star(2),
        flows: [flow('h1', 'h2', 400_000)],
        parameters: { ackEvery: 64, ackDelayUs: 50, baseRttUs: 2 },
      },
      flow: 1,
      cause: 'receiver',
      at: 'h2',
    },
    {
      name: 'a host: its interface sends other flows',
      document: {
        topology: star(6),
        flows: [2, 3, 4, 5, 6].map((i) => flow('h1', `h${i}`, 200_000)),
        parameters: { algorithm: 'none', baseRttUs: 4.16 },
      },
      flow: 1,
      cause: 'interface',
      at: 'h1',
    },
    {
      name: 'nothing: its own bytes at the rate of the link',
      document: { topology: star(2), flows: [flow('h1', 'h2', 2_000_000)] },
      flow: 1,
      cause: 'serialisation',
    },
  ];

  test.each(CASES)('$name', async ({ document, flow: number, cause, at }) => {
    const causes = await explained(document, number);
    const main = mainCause(causes);
    expect(main?.cause === 'queue' && main.way === 'data' ? 'sharing' : main?.cause).toBe(cause);
    if (at !== undefined) expect(main?.at).toBe(at);
    expect(main?.share).toBeGreaterThan(0.4);
    expect(Math.abs(sumOf(causes) / causes.fctUs - 1)).toBeLessThan(1e-9);
  });
});

describe('the time of a flow by cause', () => {
  const SCENARIOS: readonly (readonly [string, number[]])[] = [
    ['incast16', [1, 9, 16]],
    ['incast16-rocev2', [1, 9]],
    ['join', [1, 2]],
    ['leaf-spine', [1, 4]],
    ['link-failure', [1]],
    ['lossless-incast', [1, 64, 65]],
    ['priorities-burst', [1, 2]],
    ['loops', [1]],
    ['four-spines', [1, 3]],
  ];

  test.each(SCENARIOS)('of %s adds up to what the run says', async (name, flows) => {
    const scenario = loadScenario(name);
    const { result } = await runScenario({ scenario, seed: 1, causesOf: flows });
    const finished = flows.filter((each) => result.flows[each - 1]?.fctUs !== null);
    expect((result.causes ?? []).map((each) => each.flow)).toEqual(finished);
    for (const causes of result.causes ?? []) {
      const fctUs = result.flows[causes.flow - 1]?.fctUs ?? NaN;
      expect(Math.abs(sumOf(causes) / fctUs - 1)).toBeLessThan(1e-9);
      expect(othersOf(causes) / fctUs).toBeLessThan(0.001);
    }
  });

  test('changes nothing of the run', async () => {
    const scenario = loadScenario('incast16');
    const alone = await runScenario({ scenario, seed: 1 });
    const watched = await runScenario({ scenario, seed: 1, causesOf: [3] });
    expect({ ...watched.result, causes: undefined }).toEqual({
      ...alone.result,
      causes: undefined,
    });
  });

  test('is refused for a flow that there is not, and one that does not finish', async () => {
    const document = {
      topology: star(2),
      flows: [flow('h1', 'h2', 50_000_000)],
      giveUpAfterUs: 50,
    };
    await expect(explained(document, 2)).rejects.toThrow('there is no flow 2: the run has 1 to 1');
    await expect(explained(document)).rejects.toThrow('flow 1 did not finish');
  });
});
