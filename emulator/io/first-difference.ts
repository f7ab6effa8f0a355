import { EventLog, isSameEvent, toldEvent } from '../record/event-log';
import type { PacketEvent } from '../record/event-log';
import type { FirstDifference } from '../result/packet-story';
import { runScenario } from './run-scenario';
import type { RepeatableRun } from './travel';

/** Events of one run that wait to be compared. PERF: a run waits when it is so far ahead. */
const AHEAD_MAX = 20_000;

/**
 * Runs both at once, event by event, until they differ. Undefined: they never do.
 * @param signal ends both runs early, and rejects with its reason.
 */
export async function firstDifference(
  one: RepeatableRun,
  other: RepeatableRun,
  signal?: AbortSignal,
): Promise<FirstDifference | undefined> {
  const [left, right] = [eventsOf(one, signal), eventsOf(other, signal)];
  try {
    for (let equal = 0; ;) {
      const [a, b] = [await left.waiting(), await right.waiting()];
      signal?.throwIfAborted();
      const both = Math.min(a.length, b.length);
      const same = sameFromStart(a, b, both);
      equal += same;
      const [mine, theirs] = [a[same], b[same]];
      if (mine === undefined && theirs === undefined && both === 0) return undefined;
      if (same < both || both === 0) return { equal, events: [told(mine), told(theirs)] };
      left.compared(both);
      right.compared(both);
    }
  } finally {
    await Promise.all([left.end(), right.end()]);
  }
}

function sameFromStart(
  a: readonly PacketEvent[],
  b: readonly PacketEvent[],
  count: number,
): number {
  let same = 0;
  while (same < count && isSameEvent(a[same] as PacketEvent, b[same] as PacketEvent)) same++;
  return same;
}

const told = (event: PacketEvent | undefined) => (event === undefined ? null : toldEvent(event));

interface Events {
  /** The next ones, in their order; none when the run is over. */
  waiting(): Promise<readonly PacketEvent[]>;
  /** The first ones need not wait any more. */
  compared(count: number): void;
  end(): Promise<void>;
}

/** The events of a run in batches; the run goes on when they are wanted. */
function eventsOf({ scenario, seed }: RepeatableRun, signal: AbortSignal | undefined): Events {
  const log = new EventLog();
  const stop = new AbortController();
  const ended = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  let waiting: readonly PacketEvent[] = [];
  let isOver = false;
  let resume = (): void => undefined;
  let arrived = (): void => undefined;
  ended.addEventListener('abort', () => resume());
  const run = runScenario({
    scenario,
    seed,
    checkInvariants: false,
    signal: ended,
    observer: () => log,
    onStep: () =>
      log.size < AHEAD_MAX || ended.aborted
        ? undefined
        : new Promise<void>((go) => {
            resume = go;
            arrived();
          }),
  }).finally(() => {
    isOver = true;
    arrived();
  });
  return {
    async waiting() {
      while (waiting.length === 0) {
        waiting = log.take();
        if (waiting.length > 0 || isOver) break;
        const more = new Promise<void>((go) => (arrived = go));
        resume();
        await Promise.race([more, run]);
      }
      return waiting;
    },
    compared(count) {
      waiting = waiting.slice(count);
    },
    async end() {
      stop.abort();
      resume();
      await run;
    },
  };
}
