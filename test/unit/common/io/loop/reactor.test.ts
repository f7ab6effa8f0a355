import { letPacketsPass } from '../../../../../common/io/packets-first';
import { Reactor } from '../../../../../common/io/loop/reactor';

/** A member that waits for packets, and what a reactor with it says to whoever collects garbage. */
function watched() {
  const said: boolean[] = [];
  const reactor = new Reactor({ look: (_, isBusy) => void said.push(isBusy) });
  const member = {
    isReady: false,
    hasMore: false,
    isGathering: false,
    gather: 0,
    untilDue: () => Infinity,
    run: () => void (member.isReady = false),
  };
  return { said, reactor, token: reactor.enter(member) };
}

const looks = async (said: readonly boolean[], count: number): Promise<void> => {
  while (said.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
};

test('a process is idle unless packets have come or somebody was told something', async () => {
  const { said, reactor, token } = watched();
  try {
    reactor.queueTurn();
    await looks(said, 3);
    // A packet that comes by no socket is told.
    reactor.queueTurn();
    await looks(said, 6);
  } finally {
    reactor.leave(token);
  }
  const [first, ...later] = said;
  expect(first).toBe(true);
  expect(later.slice(0, 2)).toEqual([false, false]);
  expect(later.filter((isBusy) => isBusy)).toHaveLength(1);
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
