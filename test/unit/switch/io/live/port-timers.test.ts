import * as fc from 'fast-check';
import { PortTimers } from '../../../../../switch/io/live/live-switch';

describe('port timers', () => {
  test('run in order of time and not before they are due', () => {
    const timers = new PortTimers();
    timers.schedule(1, 300);
    timers.schedule(2, 100);
    timers.schedule(3, 200);
    const ran: number[] = [];
    timers.run(200, (port) => ran.push(port));
    expect(ran).toEqual([2, 3]);
    expect(timers.next()).toBe(300);
  });

  test('also run what a timer adds, when it is due', () => {
    const timers = new PortTimers();
    timers.schedule(1, 100);
    const ran: number[] = [];
    timers.run(150, (port) => {
      ran.push(port);
      if (ran.length < 3) timers.schedule(port, 100 + ran.length * 40);
    });
    expect(ran).toEqual([1, 1]);
    expect(timers.next()).toBe(180);
  });

  test('are told the instant that they wanted, however late it is', () => {
    const timers = new PortTimers();
    timers.schedule(1, 100);
    const instants: number[] = [];
    timers.run(350, (port, at) => {
      instants.push(at);
      timers.schedule(port, at + 100);
    });
    expect(instants).toEqual([100, 200, 300]);
    expect(timers.next()).toBe(400);
  });

  test('have no next instant when nobody waits', () => {
    expect(new PortTimers().next()).toBeUndefined();
  });

  test('run each timer once, whatever the steps of time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 })),
        fc.array(fc.integer({ min: 0, max: 100 })),
        (instants, steps) => {
          const timers = new PortTimers();
          instants.forEach((at, port) => timers.schedule(port, at));
          const ran: number[] = [];
          for (const now of [...steps.sort((a, b) => a - b), 100]) {
            timers.run(now, (port) => {
              expect(instants[port]).toBeLessThanOrEqual(now);
              ran.push(port);
            });
          }
          expect(ran.sort((a, b) => a - b)).toEqual(instants.map((_, port) => port));
          expect(timers.next()).toBeUndefined();
        },
      ),
    );
  });
});
