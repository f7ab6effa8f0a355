import * as fc from 'fast-check';
import { EventQueue } from '../../../../emulator/kernel/event-queue';
import type { EventTarget } from '../../../../emulator/kernel/event-queue';

const TARGETS = 4;

/** An event, what it makes its target schedule, and whether anybody sees it. */
interface Planned {
  readonly target: number;
  /** Mostly none: the same instant is what is hard. */
  readonly delay: number;
  readonly isSeen: boolean;
  readonly children: readonly Planned[];
}

const plans = (depth: number): fc.Arbitrary<Planned> =>
  fc.record({
    target: fc.nat(TARGETS - 1),
    delay: fc.oneof(fc.constant(0), fc.nat(2)),
    isSeen: fc.boolean(),
    children: depth === 0 ? fc.constant([]) : fc.array(plans(depth - 1), { maxLength: 3 }),
  });

interface Seen {
  readonly place: readonly number[];
  readonly event: Planned;
}

/** Events of the first targets and those of the last ones schedule none of each other. */
const sideOf = (target: number): number => (target < TARGETS / 2 ? 0 : 1);

/** Runs the events of the sides in one queue. Returns those that are seen, in order, with their places. */
function run(events: readonly Planned[], sides: readonly number[]): Seen[] {
  const queue = new EventQueue();
  const known: Planned[] = [];
  const seen: Seen[] = [];
  const targets = Array.from({ length: TARGETS }, (): EventTarget => ({
    source: queue.newSource(),
    handleEvent(now, what) {
      const own = known[what] as Planned;
      if (own.isSeen) seen.push({ place: [now, queue.stamp, queue.order], event: own });
      for (const child of own.children) schedule(child, sideOf(own.target));
    },
  }));
  const schedule = (each: Planned, side: number): void => {
    const target = 2 * side + (each.target % 2);
    queue.schedule(queue.now + each.delay, targets[target] as EventTarget, known.length);
    known.push({ ...each, target });
  };
  for (const each of events) {
    const side = sideOf(each.target);
    if (sides.includes(side)) schedule(each, side);
  }
  while (queue.step());
  return seen;
}

const compare = ({ place: a }: Seen, { place: b }: Seen): number => {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
};

describe('places of events', () => {
  const events = fc.array(plans(3), { maxLength: 12 });

  it('never go back', () => {
    fc.assert(
      fc.property(events, (list) => {
        const seen = run(list, [0, 1]);
        expect([...seen].sort(compare)).toEqual(seen);
      }),
      { numRuns: 300 },
    );
  });

  it('put the events of two queues together as one queue would have taken them', () => {
    fc.assert(
      fc.property(events, (list) => {
        const apart = [...run(list, [0]), ...run(list, [1])].sort(compare);
        expect(apart).toEqual(run(list, [0, 1]));
      }),
      { numRuns: 300 },
    );
  });
});
