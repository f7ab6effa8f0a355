import { explainFlow } from '../../io/explain-flow';
import { firstDifference } from '../../io/first-difference';
import { travel } from '../../io/travel';
import type { RepeatableRun } from '../../io/travel';
import type { Result } from '../../result/result';
import { comparisonOf } from '../data/two-runs';
import { timeCharts, wholeRun } from '../data/run-charts';
import { runPage } from '../data/run-page';
import type { PageExtras } from '../data/run-page';
import type { ViewSession } from './view-session';

/** A page on the same machine may have more points than one in a file. */
export const POINTS = 24_000;

/** A run that is over, and what runs it again. */
export interface FinishedRun {
  readonly name: string;
  readonly result: Result;
  /** Absent where the scenario was not kept. */
  readonly repeat?: RepeatableRun | undefined;
  /** Why it is not repeated although there is a scenario. */
  readonly cannotRepeat?: string | undefined;
}

/** One run, or one beside another. */
export function finishedRun(
  run: FinishedRun,
  extras: PageExtras,
  other?: FinishedRun,
): ViewSession {
  const { result, repeat, cannotRepeat } = run;
  const sections = other === undefined ? undefined : comparisonOf(run, other);
  const contrast = other === undefined ? undefined : [run, other].map(labelled);
  const page = runPage(
    result,
    { ...extras, ...(sections && { sections }), ...(contrast && { contrast }) },
    wholeRun(result, POINTS),
  );
  const against = other?.repeat;
  const canCompare = repeat !== undefined && against !== undefined;
  return {
    ability: { isLive: false, canTravel: repeat !== undefined, canCompare },
    page: () => page,
    detail: (window) => timeCharts(result, { ...window, points: POINTS }),
    ...(cannotRepeat !== undefined && { cannotTravel: cannotRepeat }),
    ...(repeat && {
      travel: (wanted, gone) => travel(repeat, wanted, gone),
      explain: (flow, gone) => explainFlow(repeat, flow, gone),
    }),
    ...(repeat &&
      against && {
        difference: async (gone) => (await firstDifference(repeat, against, gone)) ?? null,
      }),
  };
}

const labelled = ({ name, result }: FinishedRun) => ({ label: name, result });
