import * as fc from 'fast-check';
import { TimerWheel } from '../../../../host-agent/nic/timer-wheel';

const BUCKETS = 2 ** 20;

function earliestOf(wheel: TimerWheel): number {
  const cell = new Float64Array(1);
  wheel.writeEarliest(cell);
  return cell[0] as number;
}

describe('a wheel of deadlines', () => {
  it('has none at first', () => {
    const wheel = new TimerWheel();
    expect(earliestOf(wheel)).toBe(Infinity);
    expect(wheel.first).toBeUndefined();
  });

  it('names the earliest, and of equal ones the smallest integer', () => {
    const wheel = new TimerWheel();
    wheel.set(7, 20);
    wheel.set(3, 10);
    wheel.set(2, 10);
    expect([wheel.first, earliestOf(wheel)]).toEqual([2, 10]);
    wheel.set(2, Infinity);
    expect([wheel.first, earliestOf(wheel)]).toEqual([3, 10]);
  });

  it('finds deadlines that it does not reach, and those before the present', () => {
    const wheel = new TimerWheel();
    wheel.set(1, 2 ** 50);
    expect([wheel.first, earliestOf(wheel)]).toEqual([1, 2 ** 50]);
    wheel.advanceTo(2 ** 40);
    wheel.set(2, 5);
    wheel.set(3, 2 ** 40 + 1);
    expect([wheel.first, earliestOf(wheel)]).toEqual([2, 5]);
    wheel.set(2, Infinity);
    expect([wheel.first, earliestOf(wheel)]).toEqual([3, 2 ** 40 + 1]);
  });

  const scale = fc.constantFrom(1, 1000, BUCKETS / 2, BUCKETS * 600, 2 ** 34);
  const operation = fc.record({
    id: fc.integer({ min: 0, max: 1500 }),
    ahead: fc.oneof(fc.integer({ min: -3, max: 50 }), fc.constant(Infinity)),
    scale,
    advance: fc.integer({ min: 0, max: 3 }),
  });

  it('behaves like a table that is searched, while time passes', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
        const wheel = new TimerWheel();
        const table = new Map<number, number>();
        let now = 0;
        for (const { id, ahead, scale: unit, advance } of operations) {
          now += advance * unit;
          wheel.advanceTo(now);
          const at = Math.max(0, now + ahead * unit);
          wheel.set(id, at);
          table.set(id, at);
          const [first] = [...table].sort(([a, x], [b, y]) => (x === y ? a - b : x - y));
          expect(earliestOf(wheel)).toBe(first?.[1]);
          if (first?.[1] !== Infinity) expect(wheel.first).toBe(first?.[0]);
        }
      }),
    );
  });

  // Enough changes that the width of the buckets adapts, both ways and more than once.
  it.each([1, 1000, 2 ** 21, 2 ** 31])(
    'gives thousands of deadlines about %d ps apart in their order',
    (spacing) => {
      const [wheel, owners] = [new TimerWheel(), 3000];
      const at = Float64Array.from({ length: owners }, (_, i) => ((i * 7919) % owners) * spacing);
      at.forEach((deadline, id) => wheel.set(id, deadline));
      let latest = 0;
      for (let step = 0; step < 20_000; step++) {
        const id = wheel.first ?? -1;
        const due = earliestOf(wheel);
        if (due < latest || due !== at[id]) throw new Error(`step ${step}: ${due} of ${id}`);
        latest = due;
        wheel.advanceTo(due);
        at[id] = due + owners * spacing * (1 + (step % 4));
        wheel.set(id, at[id]);
      }
      expect(latest).toBeGreaterThan(owners * spacing);
    },
  );
});
