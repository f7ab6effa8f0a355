import { EventLog } from '../record/event-log';
import type { FirstDifference, LoggedEvent } from '../result/packet-story';
import { runScenario } from './run-scenario';
import type { RepeatableRun } from './travel';

/** Events of one run that wait to be compared. PERF: a run waits when it is so far ahead. */
const AHEAD_MAX = 20_000;

/** Runs both at once, event by event, until they differ. Undefined: they never do. */
export async function firstDifference(
  one: RepeatableRun,
  other: RepeatableRun,
): Promise<FirstDifference | undefined> {
  const [left, right] = [eventsOf(one), eventsOf(other)];
  try {
    for (let equal = 0; ; equal++) {
      const [a, b] = [await left.next(), await right.next()];
      if (a === undefined && b === undefined) return undefined;
      if (a === undefined || b === undefined || !isEqual(a, b)) {
        return { equal, events: [a ?? null, b ?? null] };
      }
    }
  } finally {
    await Promise.all([left.end(), right.end()]);
  }
}

const isEqual = (a: LoggedEvent, b: LoggedEvent): boolean =>
  a.atUs === b.atUs && a.what === b.what && a.digest === b.digest;

interface Events {
  next(): Promise<LoggedEvent | undefined>;
  end(): Promise<void>;
}

/** The events of a run one by one; the run goes on when they are wanted. */
function eventsOf({ scenario, seed }: RepeatableRun): Events {
  const log = new EventLog();
  const stop = new AbortController();
  let waiting: readonly LoggedEvent[] = [];
  let at = 0;
  let isOver = false;
  let resume = (): void => undefined;
  let arrived = (): void => undefined;
  const run = runScenario({
    scenario,
    seed,
    checkInvariants: false,
    signal: stop.signal,
    watcher: () => log,
    onStep: () =>
      log.size < AHEAD_MAX || stop.signal.aborted
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
    async next() {
      while (at === waiting.length) {
        waiting = log.take();
        at = 0;
        if (waiting.length > 0) break;
        if (isOver) return undefined;
        const more = new Promise<void>((go) => (arrived = go));
        resume();
        await Promise.race([more, run]);
      }
      return waiting[at++];
    },
    async end() {
      stop.abort();
      resume();
      await run;
    },
  };
}
