import type { Algorithm, Collective, Messages } from './collective';
import { partBytes } from './collective';

interface Steps {
  readonly steps: number;
  /** Part that a rank passes on in a step, both from 0. */
  readonly part: (rank: number, step: number) => number;
  /** Messages that the ranks have got in the step before all of these. */
  readonly before?: readonly number[] | undefined;
}

/**
 * In each step every rank passes a part on to the next one, as soon as it has got a part in the step before.
 * @returns the messages of the last step, by the rank that has got them
 */
function around({ ranks, bytes }: Collective, messages: Messages, given: Steps): number[] {
  let got = given.before;
  for (let step = 0; step < given.steps; step++) {
    const now = new Array<number>(ranks);
    for (let rank = 0; rank < ranks; rank++) {
      const part = (((given.part(rank, step) % ranks) + ranks) % ranks) | 0;
      const after = got === undefined ? [] : [got[rank] as number];
      const next = (rank + 1) % ranks;
      now[next] = messages.send(rank, next, partBytes(bytes, ranks, part), after);
    }
    got = now;
  }
  return [...(got ?? [])];
}

/** Sums up around the ring: in the end rank r has the sum of part r + 1. */
const reduceSteps = (ranks: number): Steps => ({
  steps: ranks - 1,
  part: (rank, step) => rank - step,
});

export const ringReduceScatter: Algorithm = (collective, messages) => {
  // So that a rank ends with the part of its own number.
  around(collective, messages, { ...reduceSteps(collective.ranks), part: (r, s) => r - s - 1 });
};

export const ringAllGather: Algorithm = (collective, messages) => {
  around(collective, messages, { steps: collective.ranks - 1, part: (rank, step) => rank - step });
};

export const ringAllReduce: Algorithm = (collective, messages) => {
  const { ranks } = collective;
  const before = around(collective, messages, reduceSteps(ranks));
  around(collective, messages, {
    steps: ranks - 1,
    part: (rank, step) => rank + 1 - step,
    before,
  });
};
