import {
  ALGORITHMS,
  algorithmOf,
  defaultAlgorithm,
} from '../../../../../emulator/workload/collectives/algorithms';
import type { AlgorithmName } from '../../../../../emulator/workload/collectives/algorithms';
import { OPERATIONS, busFactor } from '../../../../../emulator/workload/collectives/collective';
import type {
  Collective,
  Operation,
} from '../../../../../emulator/workload/collectives/collective';

interface Sent {
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Ranks whose data the message can hold. */
  readonly knows: ReadonlySet<number>;
}

/** The messages of a collective, each with whose data may be in it. */
function messagesOf(name: AlgorithmName, collective: Collective): Sent[] {
  const sent: Sent[] = [];
  algorithmOf(collective.operation, name)(collective, {
    send(from, to, bytes, after = []) {
      const before = after.map((number) => sent[number] as Sent);
      expect(before.every((each) => each.to === from || each.from === from)).toBe(true);
      expect([from, to].every((rank) => rank >= 0 && rank < collective.ranks)).toBe(true);
      expect(from).not.toBe(to);
      const got = before.filter((each) => each.to === from).flatMap(({ knows }) => [...knows]);
      // What a rank has sent waited for what it had got.
      const older = before.filter((each) => each.from === from).flatMap(({ knows }) => [...knows]);
      return sent.push({ from, to, bytes, knows: new Set([from, ...got, ...older]) }) - 1;
    },
  });
  return sent;
}

const collective = (operation: Operation, ranks: number, perHost = 1): Collective => ({
  operation,
  ranks,
  bytes: 240_240,
  root: ranks - 1,
  hosts: Array.from({ length: ranks }, (_, rank) => `h${Math.floor(rank / perHost)}`),
});

const WAYS = OPERATIONS.flatMap((operation) =>
  (Object.keys(ALGORITHMS[operation]) as AlgorithmName[]).map((name) => [operation, name] as const),
);
const onlyPowers = (operation: Operation, name: AlgorithmName): boolean =>
  name === 'halving-doubling' && operation !== 'all-reduce';

const heldBy = (sent: readonly Sent[], rank: number): Set<number> =>
  new Set([rank, ...sent.filter(({ to }) => to === rank).flatMap(({ knows }) => [...knows])]);

describe.each(WAYS)('%s by %s', (operation, name) => {
  const sizes = onlyPowers(operation, name) ? [2, 4, 8, 16] : [2, 3, 4, 5, 8, 12];

  test.each(name === 'hierarchical' ? [4, 8, 16] : sizes)(
    'gives %d ranks what they are to have',
    (ranks) => {
      const sent = messagesOf(
        name,
        collective(operation, ranks, name === 'hierarchical' ? ranks / 2 : 1),
      );
      const all = Array.from({ length: ranks }, (_, rank) => rank);
      const root = ranks - 1;
      const whoHas = operation === 'reduce' || operation === 'gather' ? [root] : all;
      const wanted = operation === 'broadcast' || operation === 'scatter' ? [root] : all;
      for (const rank of whoHas) {
        const held = heldBy(sent, rank);
        expect(wanted.filter((each) => !held.has(each))).toEqual([]);
      }
    },
  );
});

const PER_RANK: readonly (readonly [Operation, AlgorithmName])[] = [
  ['all-reduce', 'ring'],
  ['all-reduce', 'halving-doubling'],
  ['all-gather', 'ring'],
  ['all-gather', 'halving-doubling'],
  ['reduce-scatter', 'ring'],
  ['reduce-scatter', 'halving-doubling'],
  ['all-to-all', 'pairwise'],
  ['all-to-all', 'direct'],
];

test.each(PER_RANK)(
  '%s by %s sends what the bus bandwidth counts, from each rank',
  (operation, name) => {
    for (const ranks of [2, 4, 8, 16]) {
      const given = collective(operation, ranks);
      const sent = messagesOf(name, given);
      const wanted = given.bytes * busFactor(operation, ranks);
      for (let rank = 0; rank < ranks; rank++) {
        const own = sent.filter(({ from }) => from === rank);
        const bytes = own.reduce((sum, each) => sum + each.bytes, 0);
        expect(Math.abs(bytes - wanted)).toBeLessThanOrEqual(ranks);
      }
    }
  },
);

test('all-reduce of other numbers of ranks folds the ones beyond a power of two in', () => {
  const sent = messagesOf('halving-doubling', collective('all-reduce', 6));
  expect(sent.slice(0, 2).map(({ from, to }) => [from, to])).toEqual([
    [4, 0],
    [5, 1],
  ]);
  expect(sent.slice(-2).map(({ from, to }) => [from, to])).toEqual([
    [0, 4],
    [1, 5],
  ]);
});

test.each([
  ['all-gather', 'halving-doubling', collective('all-gather', 6), '2, 4, 8, ... ranks, found 6'],
  [
    'all-reduce',
    'hierarchical',
    collective('all-reduce', 5, 2),
    'as many ranks on each host, found 1 and 2',
  ],
] as const)('%s by %s refuses ranks that it cannot do', (_operation, name, given, message) => {
  expect(() => messagesOf(name, given)).toThrow(message);
});

test('hierarchical collectives send between hosts only among ranks of one place', () => {
  for (const operation of ['all-reduce', 'all-gather', 'reduce-scatter', 'all-to-all'] as const) {
    const sent = messagesOf('hierarchical', collective(operation, 12, 4));
    const between = sent.filter(({ from, to }) => Math.floor(from / 4) !== Math.floor(to / 4));
    expect(between.length).toBeGreaterThan(0);
    expect(between.every(({ from, to }) => from % 4 === to % 4)).toBe(true);
  }
});

test('an operation refuses a way that it does not have', () => {
  expect(() => algorithmOf('broadcast', 'ring')).toThrow('broadcast is done by tree, not by ring');
  expect(OPERATIONS.map(defaultAlgorithm)).toContain('pairwise');
});
