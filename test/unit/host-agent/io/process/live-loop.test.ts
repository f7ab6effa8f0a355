import { startClock } from '../../../../../common/io/monotonic-clock';
import { milliseconds } from '../../../../../common/units/units';
import type { Instant } from '../../../../../common/units/units';
import { LiveLoop } from '../../../../../host-agent/io/process/live-loop';
import type { Arrival, LiveWork, Pace } from '../../../../../host-agent/io/process/live-loop';

const PACE: Pace = {
  rounds: 8,
  turnMax: milliseconds(10_000),
  napMax: milliseconds(2),
  idleNaps: 3,
};

/** Work that finds what a test says, then nothing; by the machine's clock. */
class ScriptedWork implements LiveWork {
  readonly rounds: Instant[] = [];
  finished = 0;
  dueAt: Instant = Infinity;
  isBroken = false;

  constructor(readonly script: Arrival[] = []) {}

  round(now: Instant): Arrival {
    if (this.isBroken) throw new Error('broken');
    this.rounds.push(now);
    if (now >= this.dueAt) this.dueAt = Infinity;
    return this.script.shift() ?? 'none';
  }

  nextAt(): Instant {
    return this.dueAt;
  }

  finish(): void {
    this.finished++;
  }
}

function makeLoop(work: ScriptedWork) {
  const clock = startClock();
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const loop = new LiveLoop({ clock, work, pace: PACE, fds: { urgent: [] }, onFailure });
  return { loop, clock, failures };
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await after(1);
}

const gapsMs = ({ rounds }: ScriptedWork): number[] =>
  rounds.slice(1).map((at, i) => (at - (rounds[i] ?? 0)) / milliseconds(1));

describe('a live loop', () => {
  test('goes on at once while more arrives, and naps when less does', async () => {
    const script: Arrival[] = [...new Array<Arrival>(100).fill('more'), 'some', 'some', 'none'];
    const work = new ScriptedWork(script);
    const { loop } = makeLoop(work);
    loop.start();
    await until(() => work.script.length === 0);
    await loop.stop();
    const gaps = gapsMs(work);
    expect(Math.min(...gaps.slice(0, 100))).toBeLessThan(1);
    expect(Math.min(...gaps.slice(100, 102))).toBeGreaterThan(1.9);
  });

  test('sleeps when nothing has come in so many naps', async () => {
    const work = new ScriptedWork(['none', 'some']);
    const { loop } = makeLoop(work);
    loop.start();
    // What came begins the count of naps anew; the last one is a sleep already.
    await until(() => work.rounds.length > 2 + PACE.idleNaps);
    await loop.stop();
    const gaps = gapsMs(work);
    expect(Math.max(...gaps.slice(0, 1 + PACE.idleNaps))).toBeLessThan(99);
    expect(gaps[1 + PACE.idleNaps]).toBeGreaterThan(99);
  });

  test('wakes up when it is told to, and when something is due', async () => {
    const latenessMs: number[] = [];
    const wokenMs: number[] = [];
    // Of several, because a machine with other work may be late once.
    for (let i = 0; i < 4; i++) {
      const work = new ScriptedWork();
      const { loop, clock } = makeLoop(work);
      const dueAt = clock() + milliseconds(30);
      work.dueAt = dueAt;
      loop.start();
      await until(() => work.dueAt === Infinity);
      latenessMs.push(((work.rounds.at(-1) ?? Infinity) - dueAt) / milliseconds(1));
      await after(20);
      const before = clock();
      work.script.push('some');
      loop.wake();
      await until(() => work.script.length === 0);
      wokenMs.push((clock() - before) / milliseconds(1));
      await loop.stop();
    }
    expect(Math.min(...latenessMs)).toBeLessThan(20);
    expect(Math.min(...wokenMs)).toBeLessThan(20);
  });

  test('gives timers their turn though more and more arrives', async () => {
    const work = new ScriptedWork(new Array<Arrival>(100_000).fill('more'));
    const { loop } = makeLoop(work);
    loop.start();
    let rounds = 0;
    await new Promise<void>((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) =>
      setImmediate(() => resolve(void (rounds = work.rounds.length))),
    );
    expect(rounds).toBeGreaterThanOrEqual(PACE.rounds);
    expect(rounds % PACE.rounds).toBe(0);
    await loop.stop();
  });

  test('finishes once, whether it ran or not', async () => {
    const { loop } = makeLoop(new ScriptedWork());
    const idle = new ScriptedWork();
    await makeLoop(idle).loop.stop();
    expect(idle).toMatchObject({ finished: 1, rounds: [] });
    loop.start();
    await loop.stop();
    await loop.stop();
    expect(loop.isFinished).toBe(true);
    loop.wake();
  });

  test('finishes and says why when the work fails', async () => {
    const work = new ScriptedWork();
    work.isBroken = true;
    const { loop, failures } = makeLoop(work);
    loop.start();
    await until(() => failures.length > 0);
    await loop.stop();
    expect(failures).toEqual([new Error('broken')]);
    expect(work.finished).toBe(1);
  });
});
