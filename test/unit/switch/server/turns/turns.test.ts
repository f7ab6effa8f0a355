import { finish } from '../../../../support/finish';
import { Turns } from '../../../../../switch/server/turns/turns';
import type { TurnClock, Work } from '../../../../../switch/server/turns/turns';

/** A millisecond passes with every look at the clock. */
class SteppingClock implements TurnClock {
  readonly due: (() => void)[] = [];
  private time = 0;

  now(): number {
    return (this.time += 0.4);
  }

  soon(resume: () => void): void {
    this.due.push(resume);
  }
}

function* steps(count: number, log: string[], name: string): Work<string> {
  for (let i = 0; i < count; i++) {
    log.push(`${name}${i}`);
    yield;
  }
  return name;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns of control work', () => {
  test('row 10: work pauses when its slice is over, and all works share one slice per round', async () => {
    const clock = new SteppingClock();
    const turns = new Turns(clock);
    const log: string[] = [];
    const done = Promise.all([turns.run(steps(5, log, 'a')), turns.run(steps(5, log, 'b'))]);
    for (let round = 0; clock.due.length > 0; round++) {
      await settle();
      log.push('packets');
      clock.due.shift()?.();
      await settle();
    }
    expect(await done).toEqual(['a', 'b']);
    const slices = log
      .join(' ')
      .split('packets')
      .map((each) => each.trim());
    expect(slices.filter((slice) => /a\d.*b\d|b\d.*a\d/.test(slice)).length).toBeLessThanOrEqual(1);
    expect(Math.max(...slices.map((slice) => slice.split(' ').length))).toBeLessThanOrEqual(5);
    expect(log.filter((each) => each === 'packets').length).toBeGreaterThanOrEqual(3);
  });

  test('what work throws comes out, now or later', async () => {
    function* broken(): Work<never> {
      yield;
      throw new Error('broken');
    }
    await expect(new Turns().run(broken())).rejects.toThrow('broken');
    expect(() => finish(broken())).toThrow('broken');
    expect(finish(steps(3, [], 'x'))).toBe('x');
  });
});
