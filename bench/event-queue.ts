import { VirtualTime } from '../emulator/kernel/virtual-time';
import type { EventTarget } from '../emulator/kernel/event-queue';
import { operationsPerSecond } from './measure';

const PENDING = 1000;
const LOOKAHEAD = 100_000;

/** A thousand nodes with one event each, which sets the next one, as in a busy network. */
export function benchEventQueue(rounds: number): object {
  return {
    pending: PENDING,
    eventsPerSecond: eventsPerSecond(rounds, new VirtualTime({ ...ALL, queueOf: (node) => node })),
    eventsPerSecondOneQueue: eventsPerSecond(
      rounds,
      new VirtualTime({ ...ALL, queueOf: () => '', lookahead: Infinity }),
    ),
  };
}

const ALL = { lookahead: LOOKAHEAD, period: LOOKAHEAD };

function eventsPerSecond(rounds: number, time: VirtualTime): number {
  let spread = 1;
  for (let i = 0; i < PENDING; i++) {
    const queue = time.queueOf(String(i));
    const source = queue.newSource();
    const target: EventTarget = {
      handleEvent(now) {
        spread = (spread * 48271) % 0x7fffffff;
        queue.set(source, now + (spread % LOOKAHEAD));
      },
    };
    queue.bind(source, target, 0);
    queue.set(source, i);
  }
  return operationsPerSecond(rounds, 1_000_000, (count) => time.run(Infinity, count));
}
