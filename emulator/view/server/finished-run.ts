import type { Result } from '../../result/result';
import { timeCharts, wholeRun } from '../data/run-charts';
import { runPage } from '../data/run-page';
import type { PageExtras } from '../data/run-page';
import type { ViewSession } from './view-session';

/** A page on the same machine may have more points than one in a file. */
const POINTS = 24_000;

/** A run that is over. */
export function finishedRun(result: Result, extras: PageExtras): ViewSession {
  const page = runPage(result, extras, wholeRun(result, POINTS));
  return {
    ability: { isLive: false, canTravel: false },
    page: () => page,
    detail: (window) => timeCharts(result, { ...window, points: POINTS }),
  };
}
