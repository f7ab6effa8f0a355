import type { ScenarioInput } from '../../emulator/scenario/schema';

/** A network in which a flow is slow for one cause. */
export interface CauseCase {
  readonly name: string;
  /** Words of the verdict. */
  readonly says: string;
  readonly document: Omit<ScenarioInput, 'name' | 'title'>;
  readonly flow: number;
  readonly cause: string;
  readonly at?: string;
}

export const star = (hosts: number): CauseCase['document']['topology'] => ({
  kind: 'star',
  hosts,
  rateGbps: 100,
  delayNs: 1000,
});

export const flow = (from: string, to: string, bytes: number, startUs = 0) => ({
  from,
  to,
  bytes,
  startUs,
});

/** One network for each cause, in which there is no other. */
export const CAUSE_CASES: readonly CauseCase[] = [
  {
    name: 'an incast: others at the port of the receiver',
    says: 'had the link from s1 to h1',
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
    says: 'h2 was paused',
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
    says: 'had the link from s1 to s2',
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
    says: 'its own window was full while its path had room',
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
    says: 'went into what was lost, until it had been sent again',
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
    says: 'is the length of its path',
    document: {
      topology: { kind: 'star', hosts: 2, rateGbps: 100, delayNs: 500_000 },
      flows: [flow('h1', 'h2', 20_000)],
    },
    flow: 1,
    cause: 'propagation',
  },
  {
    name: 'late acknowledgements: they wait behind others on their way back',
    says: 'its acknowledgements waited behind 6 other flows at s1 to h1',
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
    says: 'h2 had its data and had not acknowledged it yet',
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
    says: 'the interface of h1 sent 4 other flows',
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
    says: 'its own bytes took at the rate of its slowest link; nothing held it back',
    document: { topology: star(2), flows: [flow('h1', 'h2', 2_000_000)] },
    flow: 1,
    cause: 'serialisation',
  },
];
