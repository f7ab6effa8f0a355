import { EventQueue } from '../emulator/kernel/event-queue';
import type { EventTarget } from '../emulator/kernel/event-queue';
import { operationsPerSecond } from './measure';

const PENDING = 1000;

/** Taking an event and scheduling another with a thousand pending, as a busy network does. */
export function benchEventQueue(rounds: number): object {
  const queue = new EventQueue();
  let spread = 1;
  const target: EventTarget = {
    source: queue.newSource(),
    handleEvent(now) {
      spread = (spread * 48271) % 0x7fffffff;
      queue.schedule(now + (spread % 100_000), target, 0);
    },
  };
  for (let i = 0; i < PENDING; i++) queue.schedule(i, target, 0);
  const eventsPerSecond = operationsPerSecond(rounds, 1_000_000, (count) => {
    for (let i = 0; i < count; i++) queue.step();
  });
  return { pending: PENDING, eventsPerSecond };
}
