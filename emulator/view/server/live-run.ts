import { runScenario } from '../../io/run-scenario';
import { travel } from '../../io/travel';
import type { RepeatableRun } from '../../io/travel';
import type { Result } from '../../result/result';
import { withoutFile } from '../data/chart';
import { timeCharts, wholeRun } from '../data/run-charts';
import { runPage } from '../data/run-page';
import { POINTS } from './finished-run';
import { LiveFeed } from './live-feed';
import type { ViewSession } from './view-session';

/** Real time between two pages, in seconds. */
const EVERY_SECONDS = 0.5;

export interface LiveRun {
  readonly session: ViewSession;
  /** Resolves when the run has ended. */
  readonly over: Promise<void>;
}

/**
 * A run in virtual time, seen while it goes on. What is sent is bounded: the timelines of links have
 * as many intervals after an hour as after a second.
 * @throws InputError for a scenario that cannot be run.
 */
export async function liveRun(repeat: RepeatableRun, signal: AbortSignal): Promise<LiveRun> {
  const feed = new LiveFeed();
  const command = `./hpcc view ${repeat.scenario.name} --live --seed ${repeat.seed}`;
  // PERF: a result so far is made only when it is shown.
  let present: () => Result = noResult;
  let shownAt = -Infinity;
  const page = () => {
    const result = present();
    const whole = runPage(result, { command }, wholeRun(result, POINTS));
    return { ...whole, charts: whole.charts.map(withoutFile) };
  };
  const show = (newest: () => Result, status: string): void => {
    present = once(newest);
    feed.publish(page, status);
  };
  return new Promise((started, failed) => {
    const session: ViewSession = {
      ability: { isLive: true, canTravel: true, canCompare: false },
      page,
      detail: (window) => timeCharts(present(), { ...window, points: POINTS }).map(withoutFile),
      travel: (wanted, gone) => travel(repeat, wanted, gone),
      follow: feed.follow,
    };
    const over = runScenario({
      ...repeat,
      signal,
      onProgress: ({ wallSeconds, fraction, partial }) => {
        if (partial === undefined || wallSeconds < shownAt + EVERY_SECONDS) return;
        shownAt = wallSeconds;
        show(partial, `in progress: ${(fraction * 100).toFixed(0)} %`);
        started({ session, over });
      },
    }).then((run) => {
      show(() => run.result, 'the run is over');
      started({ session, over });
    });
    over.catch(failed);
  });
}

const noResult = (): never => {
  throw new Error('nothing has been shown yet');
};

/** Calls `make` once and returns its value from then on. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
