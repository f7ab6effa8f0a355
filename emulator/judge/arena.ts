import { scenarioSchema } from '../scenario/schema';
import type { ScenarioDocument, ScenarioInput } from '../scenario/schema';

/** Choices among equal paths: by a hash of the flow, or of each packet by chance. */
export const SPREADS = ['ecmp', 'sprayed'] as const;
export type Spread = (typeof SPREADS)[number];

/** A scenario in which algorithms are compared. */
export interface Contest {
  readonly name: string;
  /** Description in some words. */
  readonly about: string;
  readonly input: Omit<ScenarioInput, 'name' | 'title'>;
}

/** 16 hosts under four leaves and four spines: an oversubscription of 1, so that spraying has its full use. */
const FABRIC = {
  kind: 'leaf-spine',
  leaves: 4,
  spines: 4,
  hostsPerLeaf: 4,
  rateGbps: 100,
  delayNs: 500,
} as const;
const HOSTS = Array.from({ length: 16 }, (_, i) => `h${i + 1}`);

const on = (
  workload: NonNullable<ScenarioInput['workloads']>[number],
  more: Partial<ScenarioInput> = {},
): Contest['input'] => ({ topology: FABRIC, workloads: [workload], ...more });

const webSearch = (load: number): Contest['input'] =>
  on({ kind: 'poisson', name: 'all', distribution: 'WebSearch', load, durationUs: 100 });

/** The scenarios, each a pattern of traffic that papers on data centres measure. */
export const CONTESTS: readonly Contest[] = [
  {
    name: 'permutation',
    about: 'every host sends 500 KB to another one',
    input: on({ kind: 'permutation', name: 'all', bytes: 500_000 }),
  },
  {
    name: 'oversubscribed',
    about: 'the same through two spines',
    input: on(
      { kind: 'permutation', name: 'all', bytes: 500_000 },
      { topology: { ...FABRIC, spines: 2 } },
    ),
  },
  {
    name: 'incast',
    about: '15 hosts send 200 KB to one',
    input: on({ kind: 'incast', name: 'all', bytes: 200_000, receiver: 'h1' }),
  },
  {
    name: 'shallow',
    about: 'the same through queues of 100 KB that drop',
    input: on(
      { kind: 'incast', name: 'all', bytes: 200_000, receiver: 'h1' },
      { parameters: { queueCapacityBytes: 100_000 } },
    ),
  },
  {
    name: 'all-to-all',
    about: 'every host sends 30 KB to every other one',
    input: on({ kind: 'all-to-all', name: 'all', bytesPerPair: 30_000, hosts: HOSTS }),
  },
  {
    name: 'ring',
    about: 'a ring all-reduce of 2 MB',
    input: on({ kind: 'ring-all-reduce', name: 'all', bytes: 2_000_000, hosts: HOSTS }),
  },
  { name: 'websearch-50', about: 'WebSearch at half the load', input: webSearch(0.5) },
  { name: 'websearch-80', about: 'WebSearch at 80 % of the load', input: webSearch(0.8) },
  {
    name: 'mixed',
    about: 'incasts of eight times 20 KB beside a permutation of 500 KB',
    input: {
      topology: FABRIC,
      workloads: [
        { kind: 'permutation', name: 'long', bytes: 500_000 },
        {
          kind: 'random-incast',
          name: 'short',
          fanIn: 8,
          bytes: 20_000,
          share: 0.1,
          durationUs: 80,
        },
      ],
    },
  },
  {
    name: 'joins',
    about: 'four flows of 1 MB to one host, 40 us apart',
    input: {
      topology: FABRIC,
      flows: ['h5', 'h9', 'h13', 'h6'].map((from, i) => ({
        from,
        to: 'h1',
        bytes: 1_000_000,
        startUs: 40 * i,
      })),
    },
  },
  {
    name: 'failed-uplink',
    about: 'the permutation while one leaf loses a spine at once',
    input: on(
      { kind: 'permutation', name: 'all', bytes: 500_000 },
      {
        events: [{ atUs: 10, between: ['leaf1', 'spine1'], state: 'down' }],
        reaction: { watchPorts: true, controllerUs: 10 },
      },
    ),
  },
  {
    name: 'lossy',
    about: 'the permutation while one link loses a thousandth of its packets',
    input: on(
      { kind: 'permutation', name: 'all', bytes: 500_000 },
      { events: [{ atUs: 0, between: ['leaf1', 'spine1'], lossRate: 0.001 }] },
    ),
  },
];

/** The seed with which all algorithms run them. */
export const CONTEST_SEED = 1;

/** A contest under an algorithm. */
export function contestScenario(
  { name, about, input }: Contest,
  algorithm: string,
  spread: Spread,
): ScenarioDocument {
  return scenarioSchema.parse({
    ...input,
    name,
    title: about,
    parameters: {
      lossRecovery: 'selective-repeat',
      ...input.parameters,
      algorithm,
      ...(spread === 'sprayed' && { balancing: 'random' }),
    },
    record: { queueIntervalNs: 500, sampledFlows: 0 },
    giveUpAfterUs: 20_000,
  });
}
