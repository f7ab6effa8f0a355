import type { Algorithm, Messages } from './collective';
import { partBytes } from './collective';

/**
 * In round r rank i sends to rank i + r, so that each one gets from one peer at a time: it begins its next round
 * when it has sent and got all of this one.
 */
export const pairwiseAllToAll: Algorithm = ({ ranks, bytes }, messages) => {
  const distances = Array.from({ length: ranks - 1 }, (_, i) => i + 1);
  inRounds(ranks, messages, distances, (to) => partBytes(bytes, ranks, to));
};

/** In each round everybody sends to the rank that is so far away. */
function inRounds(
  ranks: number,
  messages: Messages,
  distances: readonly number[],
  bytesFor: (to: number) => number,
): void {
  let done = Array.from({ length: ranks }, (): number[] => []);
  for (const distance of distances) {
    const now = Array.from({ length: ranks }, (): number[] => []);
    for (let rank = 0; rank < ranks; rank++) {
      const to = (rank + distance) % ranks;
      const sent = messages.send(rank, to, bytesFor(to), done[rank]);
      now[rank]?.push(sent);
      now[to]?.push(sent);
    }
    done = now;
  }
}

/** Everybody sends to everybody at once. */
export const directAllToAll: Algorithm = ({ ranks, bytes }, messages) => {
  for (let rank = 0; rank < ranks; rank++) {
    for (let round = 1; round < ranks; round++) {
      const to = (rank + round) % ranks;
      messages.send(rank, to, partBytes(bytes, ranks, to));
    }
  }
};

export const directGather: Algorithm = ({ ranks, bytes, root }, messages) => {
  for (let rank = 0; rank < ranks; rank++) {
    if (rank !== root) messages.send(rank, root, partBytes(bytes, ranks, rank));
  }
};

export const directScatter: Algorithm = ({ ranks, bytes, root }, messages) => {
  for (let rank = 0; rank < ranks; rank++) {
    if (rank !== root) messages.send(root, rank, partBytes(bytes, ranks, rank));
  }
};

/** In round r rank i tells rank i + 2^r, as soon as it has been told in the round before. */
export const disseminationBarrier: Algorithm = ({ ranks }, messages) => {
  const rounds = Math.ceil(Math.log2(ranks));
  const distances = Array.from({ length: rounds }, (_, i) => 2 ** i);
  inRounds(ranks, messages, distances, () => 1);
};
