import { figureAt } from '../../emulator/figures/dictionary';
import { figureText } from '../../emulator/figures/figure-text';
import type { BarVerdict } from './bars';
import { FIGURES } from '../experiment/experiment';
import type { Figures } from './figures';
import type { MininetResult } from './mininet-result';

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** A row for each figure that one of the runs has; the first row names the runs. */
export function figureTable(runs: ReadonlyMap<string, Figures>): string[][] {
  const figures = FIGURES.filter((name) => [...runs.values()].some((each) => each[name] !== null));
  return [
    ['', ...runs.keys()],
    ...figures.map((name) => {
      const figure = figureAt(`mininet.${name}`);
      const texts = [...runs.values()].map((each) => figureText(figure, each[name]));
      return [figure.short ?? figure.name, ...texts];
    }),
  ];
}

/** A row per bar, with heads. */
export function barTable(bars: readonly BarVerdict[]): string[][] {
  return [
    ['bar', 'found', ''],
    ...bars.map((each) => [each.bar, foundText(each), each.isMet ? 'met' : 'MISSED']),
  ];
}

function foundText({ figure, found }: BarVerdict): string {
  if (found === null) return 'unknown';
  return figure === undefined
    ? String(Number(found.toPrecision(4)))
    : figureText(figureAt(`mininet.${figure}`), found);
}

/** Validity of a run and the state of its bars, in one sentence. */
export function verdictText({ machine, bars, uncontrolled }: MininetResult): string {
  if (uncontrolled !== undefined) return `NOT CONTROLLED: ${uncontrolled}`;
  if (!machine.valid) {
    const what = bars.length > 0 ? 'its figures and bars' : 'its figures';
    return `INVALID, ${what} may be those of the machine: ${machine.reasons.join('; ')}`;
  }
  const missed = bars.filter(({ isMet }) => !isMet).length;
  if (missed > 0) return `valid, and ${missed} of ${bars.length} bars MISSED`;
  return bars.length > 0 ? `valid, and all ${bars.length} bars met` : 'valid';
}

/** The same in a few words, for sentences that go on. */
export function validityText(result: MininetResult): string {
  if (result.uncontrolled === undefined && !result.machine.valid) {
    return 'INVALID, these may be figures of the machine';
  }
  return verdictText(result);
}

/** Load of the machine during a run, in one sentence. */
export function machineText({ machine }: MininetResult): string {
  const { idleMean, idleLow, cores, capacityPacketsPerSecond: most } = machine;
  const idle =
    idleMean === null
      ? 'no idle time measured'
      : `processors idle ${percent(idleMean)} on average, ${percent(idleLow ?? 0)} at worst`;
  const how = machine.realtime ? ', scheduled in real time,' : '';
  const left = `the run's own processes${how} left ${percent(machine.leftMean)}`;
  const carried = `busiest switch ${machine.carriedPacketsPerSecond} packets/s`;
  const capacity =
    most === null
      ? 'capacity not measured (./hpcc mininet doctor --save)'
      : `capacity ${most} packets/s`;
  const { startSeconds } = machine;
  const start = startSeconds === null ? '' : `; network ready in ${startSeconds.toFixed(1)} s`;
  return `${cores} cores, ${idle}, ${left}; ${carried}, ${capacity}${start}`;
}
