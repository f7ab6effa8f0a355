import { Random } from '../../common/random/random';
import { scenarioSchema } from '../../emulator/scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../../emulator/scenario/schema';
import { oneOf } from './one-of';
import { randomCoordination } from './random-coordination';

type Topology = ScenarioInput['topology'];
type Parameters = NonNullable<ScenarioInput['parameters']>;
type Workloads = NonNullable<ScenarioInput['workloads']>;

/** Virtual time; long enough for thousands of packets, short enough for hundreds of runs. */
const UNTIL_US = 40;
const LINKS = { rateGbps: 100, delayNs: 1000 } as const;

/** A small network with traffic of any kind that several workers can share; equal seeds give equal ones. */
export function randomScenario(seed: number): ScenarioDocument {
  const random = new Random(seed);
  const { topology, hosts, failing } = randomNetwork(random);
  const input: ScenarioInput = {
    name: `random-${seed}`,
    title: `Random scenario ${seed}`,
    topology,
    flows: randomFlows(random, hosts),
    workloads: oneOf(random, WORKLOADS)(random),
    parameters: randomParameters(random),
    record: { queueIntervalNs: 1000, flowIntervalNs: 2000 },
    // Half of the runs end with their last flow.
    ...(random.below(2) === 0 ? { untilUs: UNTIL_US } : { giveUpAfterUs: 4 * UNTIL_US }),
    ...(failing !== undefined && random.below(3) === 0 && failure(random, failing)),
    ...(random.below(4) === 0 && randomCoordination(random)),
  };
  return scenarioSchema.parse(input);
}

interface RandomNetwork {
  readonly topology: Topology;
  readonly hosts: number;
  /** A link without which there are other ways. */
  readonly failing?: readonly [string, string];
}

function randomNetwork(random: Random): RandomNetwork {
  const links = { ...LINKS, delayNs: oneOf(random, [500, 1000, 1300]) };
  switch (random.below(5)) {
    case 0:
      return { topology: { kind: 'star', hosts: 9, ...links }, hosts: 9 };
    case 1:
      return { topology: { kind: 'dumbbell', left: 4, right: 4, ...links }, hosts: 8 };
    case 2:
      return { topology: lossyLine(random), hosts: 8 };
    case 3:
      return { topology: { kind: 'fat-tree', k: 4, ...links, fabricRateGbps: 100 }, hosts: 16 };
    default:
      return {
        topology: { kind: 'leaf-spine', leaves: 3, spines: 2, hostsPerLeaf: 3, ...links },
        hosts: 9,
        failing: ['leaf1', 'spine1'],
      };
  }
}

/** Three switches in a row with hosts, over whose links packets are lost. */
function lossyLine(random: Random): Topology {
  const switches = ['s1', 's2', 's3'];
  const hosts = Array.from({ length: 8 }, (_, i) => `h${i + 1}`);
  const pairs = [
    ['s1', 's2'],
    ['s2', 's3'],
    ...hosts.map((host, i) => [switches[i % 3] as string, host]),
  ] as [string, string][];
  const links = pairs.map((between) => ({
    between,
    rateGbps: oneOf(random, [40, 100]),
    delayNs: 700 + random.below(600),
    lossRate: random.below(2) * 0.002,
  }));
  return { kind: 'custom', switches, hosts, links };
}

function randomFlows(random: Random, hosts: number): NonNullable<ScenarioInput['flows']> {
  return Array.from({ length: 2 + random.below(6) }, () => {
    const from = random.below(hosts);
    const to = (from + 1 + random.below(hosts - 1)) % hosts;
    return {
      from: `h${from + 1}`,
      to: `h${to + 1}`,
      bytes: 1 + random.below(150_000),
      // Several at one instant, so that the order of equal times matters.
      startUs: random.below(4),
    };
  });
}

const WORKLOADS: readonly ((random: Random) => Workloads)[] = [
  () => [],
  (random) => [
    {
      kind: 'poisson',
      name: 'search',
      distribution: oneOf(random, ['WebSearch', 'FB_Hadoop', 'GoogleRPC2008']),
      load: 0.2 + 0.5 * random.uniform(),
      durationUs: 15,
    },
  ],
  () => [{ kind: 'permutation', name: 'shift', bytes: 20_000 }],
  () => [
    { kind: 'random-incast', name: 'queries', fanIn: 4, bytes: 5000, share: 0.1, durationUs: 15 },
  ],
];

const CHANGES: readonly Parameters[] = [
  {},
  {},
  { feedback: 'notification' },
  { feedback: 'probe' },
  { feedback: 'receiver' },
  { lossRecovery: 'selective-repeat', queueCapacityBytes: 20_000 },
  { queueCapacityBytes: 15_000 },
  { framing: 'rocev2', mss: 1024 },
  { framing: 'rocev2', operation: 'read', mss: 1024 },
  { framing: 'rocev2', mss: 1024, feedback: 'notification' },
  { framing: 'rocev2', mss: 1024, feedback: 'receiver' },
  { ackEvery: 4 },
  { collectEvery: 3 },
  { authentication: 'on' },
  { baseRtt: 'measured' },
  { paths: 4 },
  { carrier: 'ioam' },
  { carrier: 'ifa' },
  { carrier: 'padding' },
  { carrier: 'csig' },
  { algorithm: 'none' },
  { algorithm: 'hpccpp-lean' },
];

/** One departure from the defaults, besides units and W_ai. */
function randomParameters(random: Random): Parameters {
  return {
    ...oneOf(random, CHANGES),
    maxStage: oneOf(random, [0, 5]),
    queueUnitBytes: oneOf(random, [32, 80, 320]),
    txUnitBytes: oneOf(random, [1, 128]),
  };
}

function failure(
  random: Random,
  [a, b]: readonly [string, string],
): Pick<ScenarioInput, 'events' | 'reaction'> {
  return {
    events: [
      { atUs: 5 + random.below(5), between: [a, b], state: 'down' },
      { atUs: 20, between: [a, b], state: 'up' },
    ],
    reaction: { controllerUs: 3, watchPorts: random.below(2) === 0 },
  };
}
