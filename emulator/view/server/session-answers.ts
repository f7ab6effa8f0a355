import { InputError } from '../../../common/errors';
import type { ViewSession } from './view-session';

/** Repeats runs for one reader after the other. */
export type Repeat = <Found>(run: (gone: AbortSignal) => Promise<Found>) => Promise<Found>;

type Answer = (session: ViewSession, query: URLSearchParams, repeat: Repeat) => unknown;

/** A longer moment has more packets than anybody looks at. */
const LENGTH_MAX_US = 1000;

const NOT_KEPT = 'there is no scenario.json to run again';

/** Answers to questions of a page, by name; each answer is JSON, or a promise of it. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  data: ({ page }) => page(),
  detail: ({ detail }, query) => {
    const fromUs = numberOf(query, 'from', 0);
    return detail({ fromUs, toUs: numberOf(query, 'to', fromUs) });
  },
  trace: ({ travel, cannotTravel }, query, repeat) => {
    if (travel === undefined) throw new InputError(cannotTravel ?? NOT_KEPT);
    const flow = query.has('flow') ? numberOf(query, 'flow', 1) : undefined;
    const lengthUs = Math.min(numberOf(query, 'length', 0), LENGTH_MAX_US);
    const wanted = { fromUs: numberOf(query, 'from', 0), lengthUs, flow };
    return repeat((gone) => travel(wanted, gone));
  },
  why: ({ explain, cannotTravel }, query, repeat) => {
    if (explain === undefined) throw new InputError(cannotTravel ?? NOT_KEPT);
    const flow = numberOf(query, 'flow', 1);
    return repeat((gone) => explain(flow, gone));
  },
  difference: ({ difference }, _, repeat) => {
    if (difference === undefined) throw new InputError('there is no second run: use --with');
    return repeat(difference);
  },
};

/** The answer to a question by its name; undefined for a name that there is not. @throws InputError. */
export const sessionAnswer = (name: string): Answer | undefined =>
  Object.hasOwn(ANSWERS, name) ? ANSWERS[name] : undefined;

function numberOf(query: URLSearchParams, name: string, least: number): number {
  const value = Number(query.get(name) ?? NaN);
  if (Number.isFinite(value) && value >= least) return value;
  throw new InputError(
    `${name} must be a number of at least ${least}, got '${query.get(name) ?? ''}'`,
  );
}
