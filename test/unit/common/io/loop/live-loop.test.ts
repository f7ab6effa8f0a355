import { startClock } from '../../../../../common/io/monotonic-clock';
import { LiveLoop } from '../../../../../common/io/loop/live-loop';
import type { LiveLoopOptions, LiveWork } from '../../../../../common/io/loop/live-loop';
import { libc, standInForLibc } from '../../../../../common/io/net/libc';
import { microseconds, milliseconds } from '../../../../../common/units/units';
import type { Instant } from '../../../../../common/units/units';

/** The naps that the process takes meanwhile, in ns; each ends at once. */
function napsNow(): { readonly naps: number[]; readonly restore: () => void } {
  const naps: number[] = [];
  const nanosleep = (time: Uint8Array): number => {
    naps.push(Number(new DataView(time.buffer, time.byteOffset).getBigInt64(8, true)));
    return 0;
  };
  return { naps, restore: standInForLibc({ ...libc(), nanosleep }) };
}

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Work that finds what a test says, then nothing; by the machine's clock. */
class ScriptedWork implements LiveWork {
  readonly rounds: Instant[] = [];
  finished = 0;
  dueAt: Instant = Infinity;
  isBroken = false;
  inRound: () => void = () => undefined;

  constructor(readonly script: number[] = []) {}

  round(now: Instant): number {
    if (this.isBroken) throw new Error('broken');
    this.rounds.push(now);
    if (now >= this.dueAt) this.dueAt = Infinity;
    this.inRound();
    return this.script.shift() ?? 0;
  }

  nextAt(): Instant {
    return this.dueAt;
  }

  finish(): void {
    this.finished++;
  }
}

function makeLoop(work: ScriptedWork, options: Partial<LiveLoopOptions> = {}) {
  const clock = startClock();
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const loop = new LiveLoop({ clock, work, gather: milliseconds(2), onFailure, ...options });
  return { loop, clock, failures };
}

/** Where others have the processor, arrivals in a row are not always close to each other. */
async function untilGathering({ script }: ScriptedWork, loop: LiveLoop): Promise<void> {
  for (let i = 0; i < 1000 && !loop.isGathering; i++) {
    script.push(1);
    loop.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(loop.isGathering).toBe(true);
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await after(1);
}

const gapsMs = ({ rounds }: ScriptedWork): number[] =>
  rounds.slice(1).map((at, i) => (at - (rounds[i] ?? 0)) / milliseconds(1));

describe('a live loop', () => {
  test('goes on at once while rounds are full', async () => {
    const work = new ScriptedWork(new Array<number>(100).fill(32));
    const { loop } = makeLoop(work);
    loop.start();
    await until(() => work.script.length === 0);
    await loop.stop();
    expect(Math.min(...gapsMs(work))).toBeLessThan(0.5);
    // The next finds nothing, and the loop does not go round in vain until it is stopped.
    expect(work.rounds.length - 100).toBeLessThan(5);
  });

  test.each([
    ['takes what the round took off the nap', 0.5, 500_000],
    ['naps shortly where the round took as long as packets are gathered', 3, 10_000],
  ])('%s', async (_, roundMs, mostNs) => {
    const { naps, restore } = napsNow();
    try {
      const work = new ScriptedWork();
      const { loop } = makeLoop(work, { gather: milliseconds(1) });
      loop.start();
      await untilGathering(work, loop);
      // From now on each round finds a packet and takes its time.
      work.inRound = () => busyFor(roundMs);
      work.script.push(...new Array<number>(10).fill(1));
      naps.length = 0;
      await until(() => work.script.length === 0);
      await loop.stop();
      // How many of the rounds nap depends on who else has the processor.
      expect(naps.length).toBeGreaterThan(0);
      expect(Math.max(...naps)).toBeLessThanOrEqual(mostNs);
      expect(Math.min(...naps)).toBeGreaterThanOrEqual(10_000);
    } finally {
      restore();
    }
  });

  test('gathers packets that come fast, and waits for each when they come slowly again', async () => {
    const work = new ScriptedWork();
    const { loop } = makeLoop(work);
    loop.start();
    await untilGathering(work, loop);
    const before = work.rounds.length;
    work.script.push(2, 2, 2);
    await until(() => !loop.isGathering);
    const gaps = gapsMs(work).slice(before);
    await loop.stop();
    // Three rich gatherings, then poor ones for three times as long as packets are close.
    const quiet = (work.rounds.at(-1) ?? 0) - (work.rounds[before + 2] ?? 0);
    expect(quiet / milliseconds(1)).toBeGreaterThan(6);
    // Others may follow wake-ups that came before, or times in which the process stood still.
    expect(gaps.filter((gap) => gap > 1.9).length).toBeGreaterThanOrEqual(3);
  });

  test('never gathers what may not be gathered', async () => {
    const work = new ScriptedWork();
    const { loop } = makeLoop(work, { gather: 0 });
    loop.start();
    for (let i = 0; i < 20; i++) {
      work.script.push(2);
      loop.wake();
      await new Promise((resolve) => setImmediate(resolve));
      expect(loop.isGathering).toBe(false);
    }
    await loop.stop();
  });

  test('sleeps when there is nothing to do', async () => {
    const work = new ScriptedWork();
    const { loop } = makeLoop(work);
    loop.start();
    await after(50);
    expect(work.rounds.length).toBeLessThan(3);
    await loop.stop();
  });

  test('wakes up when it is told to, and when something is due', async () => {
    const latenessMs: number[] = [];
    const wokenMs: number[] = [];
    // One of several counts, because a machine with other work may be late once.
    for (let i = 0; i < 4; i++) {
      const work = new ScriptedWork();
      const { loop, clock } = makeLoop(work);
      const dueAt = clock() + microseconds(30_300);
      work.dueAt = dueAt;
      loop.start();
      await until(() => work.dueAt === Infinity);
      latenessMs.push(((work.rounds.at(-1) ?? Infinity) - dueAt) / milliseconds(1));
      await after(20);
      const before = clock();
      work.script.push(1);
      loop.wake();
      await until(() => work.script.length === 0);
      wokenMs.push((clock() - before) / milliseconds(1));
      await loop.stop();
    }
    expect(Math.min(...latenessMs)).toBeLessThan(20);
    expect(Math.min(...latenessMs)).toBeGreaterThanOrEqual(0);
    expect(Math.min(...wokenMs)).toBeLessThan(20);
  });

  test('gives timers their turn though more and more arrives', async () => {
    const work = new ScriptedWork(new Array<number>(1e6).fill(32));
    const { loop } = makeLoop(work);
    loop.start();
    await after(20);
    expect(work.script.length).toBeGreaterThan(0);
    await loop.stop();
  });

  test('shares the thread: each work gets its rounds, and one that fails ends alone', async () => {
    const works = [0, 1, 2].map(() => new ScriptedWork(new Array<number>(1000).fill(32)));
    const loops = works.map((work) => makeLoop(work));
    for (const { loop } of loops) loop.start();
    const broken = works[1] as ScriptedWork;
    broken.inRound = () => {
      broken.isBroken = broken.rounds.length === 10;
    };
    await until(() => works[0]?.script.length === 0 && works[2]?.script.length === 0);
    expect(works.map(({ rounds }) => rounds.length > 900)).toEqual([true, false, true]);
    expect(loops.map(({ failures }) => failures.length)).toEqual([0, 1, 0]);
    for (const { loop } of loops) await loop.stop();
    expect(works.map(({ finished }) => finished)).toEqual([1, 1, 1]);
  });

  test('finishes once, whether it ran or not, also when its own round stops it', async () => {
    const { loop } = makeLoop(new ScriptedWork());
    const idle = new ScriptedWork();
    await makeLoop(idle).loop.stop();
    expect(idle).toMatchObject({ finished: 1, rounds: [] });
    loop.start();
    await loop.stop();
    await loop.stop();
    expect(loop.isFinished).toBe(true);
    loop.wake();
    const own = new ScriptedWork();
    const stopping = makeLoop(own).loop;
    const stopped = new Promise<void>((resolve) => {
      own.inRound = () => void stopping.stop().then(resolve);
    });
    stopping.start();
    await stopped;
    expect(own).toMatchObject({ finished: 1, rounds: [expect.any(Number)] });
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

  test('says why it failed even when its work cannot be finished', async () => {
    const work = new ScriptedWork();
    work.isBroken = true;
    work.finish = () => {
      throw new Error('cannot be finished');
    };
    const { loop, failures } = makeLoop(work);
    loop.start();
    await until(() => failures.length > 0);
    expect(failures).toEqual([new Error('broken')]);
  });
});
