import { InputError } from '../../../common/errors';
import type { Algorithm, Collective, Messages } from './collective';
import { partStart } from './collective';

/** Messages that each rank has got, and sent, last: its next one waits for them. */
type Got = (readonly number[])[];

const isPowerOfTwo = (n: number): boolean => (n & (n - 1)) === 0;

/** Parts of a rank, out of `ranks`: those that agree with it in all bits from `bit` on. */
function blockBytes(bytes: number, ranks: number, rank: number, size: number): number {
  const first = rank - (rank % size);
  return partStart(bytes, ranks, first + size) - partStart(bytes, ranks, first);
}

/** Partners exchange the half that is the other's, then halves of that. */
function halve(ranks: number, bytes: number, messages: Messages, got: Got): Got {
  let now = got;
  for (let size = ranks / 2; size >= 1; size /= 2) {
    now = exchange(ranks, messages, now, {
      distance: size,
      bytesOf: (to) => blockBytes(bytes, ranks, to, size),
    });
  }
  return now;
}

/** Partners exchange all that they have, which doubles it. */
function double(ranks: number, bytes: number, messages: Messages, got: Got): Got {
  let now = got;
  for (let size = 1; size < ranks; size *= 2) {
    now = exchange(ranks, messages, now, {
      distance: size,
      bytesOf: (_to, from) => blockBytes(bytes, ranks, from, size),
    });
  }
  return now;
}

interface Exchange {
  readonly distance: number;
  readonly bytesOf: (to: number, from: number) => number;
}

function exchange(
  ranks: number,
  messages: Messages,
  got: Got,
  { distance, bytesOf }: Exchange,
): Got {
  const now = Array.from({ length: ranks }, (): number[] => []);
  for (let rank = 0; rank < ranks; rank++) {
    const to = rank ^ distance;
    const sent = messages.send(rank, to, bytesOf(to, rank), got[rank] ?? []);
    now[rank]?.push(sent);
    now[to]?.push(sent);
  }
  return now;
}

const nothing = (ranks: number): Got => Array.from({ length: ranks }, () => []);

function wantPowerOfTwo({ ranks, operation }: Collective): void {
  if (isPowerOfTwo(ranks)) return;
  throw new InputError(
    `halving-doubling does ${operation} among 2, 4, 8, ... ranks, found ${ranks}: choose ring`,
  );
}

export const halvingReduceScatter: Algorithm = (collective, messages) => {
  wantPowerOfTwo(collective);
  halve(collective.ranks, collective.bytes, messages, nothing(collective.ranks));
};

export const doublingAllGather: Algorithm = (collective, messages) => {
  wantPowerOfTwo(collective);
  double(collective.ranks, collective.bytes, messages, nothing(collective.ranks));
};

/**
 * Ranks beyond the largest power of two give what they have to a partner before, and get the sum
 * from it behind.
 */
export const halvingDoublingAllReduce: Algorithm = ({ ranks, bytes }, messages) => {
  const core = 2 ** Math.floor(Math.log2(ranks));
  const got = nothing(core);
  for (let extra = core; extra < ranks; extra++) {
    got[extra - core] = [messages.send(extra, extra - core, bytes)];
  }
  const done = double(core, bytes, messages, halve(core, bytes, messages, got));
  for (let extra = core; extra < ranks; extra++) {
    messages.send(extra - core, extra, bytes, done[extra - core] ?? []);
  }
};
