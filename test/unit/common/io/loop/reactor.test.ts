import { letPacketsPass } from '../../../../../common/io/packets-first';
import { Reactor } from '../../../../../common/io/loop/reactor';

const QUIET_MS = 30;

/** A member that waits for packets, in a reactor that looks for garbage. */
function watched() {
  const said: number[] = [];
  const wishes: number[] = [];
  const collection = {
    look: () => void said.push(performance.now()),
    wish: () => void wishes.push(said.length),
  };
  const reactor = new Reactor(collection, QUIET_MS);
  const member = {
    isReady: false,
    hasMore: false,
    isGathering: false,
    gather: 0,
    rounds: 0,
    untilDue: () => Infinity,
    run: () => {
      member.isReady = false;
      member.rounds++;
    },
  };
  return { said, wishes, reactor, member, token: reactor.enter(member) };
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('all are polled once more when nothing has come for some time, and then no more', async () => {
  const { said, reactor, member, token } = watched();
  try {
    for (const expected of [1, 2]) {
      // A packet that comes by no socket is told.
      reactor.queueTurn();
      while (said.length < expected) await after(5);
      await after(3 * QUIET_MS);
      expect([said.length, member.rounds]).toEqual([expected, expected]);
    }
  } finally {
    reactor.leave(token);
  }
});

test('packets pass in the middle of other work, but not in the middle of packets, and at most once in a millisecond', () => {
  const reactor = new Reactor(undefined);
  let rounds = 0;
  const member = {
    isReady: false,
    hasMore: false,
    isGathering: true,
    gather: 1e8,
    untilDue: () => Infinity,
    run: () => {
      rounds++;
      // Whoever is told of a packet may work for clients, too.
      letPacketsPass();
    },
  };
  const token = reactor.enter(member);
  /** Other work that takes the thread's time. */
  const work = (milliseconds: number): void => {
    const end = performance.now() + milliseconds;
    while (performance.now() < end) letPacketsPass();
  };
  work(0.1);
  const before = rounds;
  const began = performance.now();
  work(20);
  expect(rounds - before).toBeGreaterThan(0);
  expect(rounds - before).toBeLessThanOrEqual(performance.now() - began + 1);
  const last = rounds;
  reactor.leave(token);
  work(3);
  expect(rounds).toBe(last);
});

test('memory that is needed no more is seen to at once when all is quiet, otherwise as soon as it is', async () => {
  const { said, wishes, reactor, token } = watched();
  try {
    reactor.queueTurn();
    reactor.collectWhenQuiet();
    expect([wishes, said.length]).toEqual([[0], 0]);
    await after(4 * QUIET_MS);
    expect(said).toHaveLength(1);
    reactor.collectWhenQuiet();
    expect([wishes, said.length]).toEqual([[0, 1], 2]);
  } finally {
    reactor.leave(token);
  }
});
