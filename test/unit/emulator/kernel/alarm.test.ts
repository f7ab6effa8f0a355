import * as fc from 'fast-check';
import { Alarm } from '../../../../emulator/kernel/alarm';
import { VirtualTime } from '../../../../emulator/kernel/virtual-time';

function newAlarm(ring: (now: number, what: number, alarm: Alarm) => void) {
  const time = new VirtualTime({ queueOf: () => '', lookahead: Infinity, period: 1000 });
  const queue = time.queueOf('');
  const alarm: Alarm = new Alarm(queue, queue.newSource(), (now, what) => ring(now, what, alarm));
  return { time, alarm };
}

describe('an alarm', () => {
  it('rings at each instant that it is set for, at equal ones in the order of setting', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { maxLength: 60 }), (times) => {
        const rung: [number, number][] = [];
        const { time, alarm } = newAlarm((now, what) => rung.push([now, what]));
        times.forEach((at, what) => alarm.set(at, what));
        while (time.run(Infinity, 1));
        const expected = times.map((at, what): [number, number] => [at, what]);
        expect(rung).toEqual(expected.sort(([s, i], [t, j]) => s - t || i - j));
      }),
    );
  });

  it('may be set while it rings, for the present instant too', () => {
    const rung: string[] = [];
    const { time, alarm } = newAlarm((now, what, own) => {
      rung.push(`${what}@${now}`);
      if (what === 0)
        for (const [at, next] of [
          [5, 2],
          [4, 3],
        ] as const)
          own.set(at, next);
    });
    alarm.set(4, 0);
    alarm.set(4, 1);
    time.run(Infinity, 100);
    expect(rung).toEqual(['0@4', '1@4', '3@4', '2@5']);
  });
});
