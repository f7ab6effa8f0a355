import type { BarVerdict } from './bars';
import type { FigureName } from '../experiment/experiment';
import type { Figures } from './figures';
import type { MininetResult } from './mininet-result';

interface FigureWords {
  readonly label: string;
  readonly text: (value: number) => string;
}

const fixed =
  (digits: number, unit = ''): ((value: number) => string) =>
  (value) =>
    `${value.toFixed(digits)}${unit}`;

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;

/** Names and formats of figures, in the order of tables. */
export const FIGURE_WORDS: Readonly<Record<FigureName, FigureWords>> = {
  rateMbps: { label: 'bottleneck', text: fixed(0, ' Mb/s') },
  utilisation: { label: 'utilisation', text: percent },
  throughputMbps: { label: 'payload', text: fixed(2, ' Mb/s') },
  queueP99Packets: { label: 'queue p99', text: fixed(1, ' packets') },
  queueMaxPackets: { label: 'queue max', text: fixed(1, ' packets') },
  queueDelayP99Ms: { label: 'queueing delay p99', text: fixed(2, ' ms') },
  drainRtts: { label: 'queue drained after', text: fixed(2, ' T') },
  drops: { label: 'drops', text: fixed(0) },
  retransmissions: { label: 'retransmissions', text: fixed(0) },
  jainSecondHalf: { label: "Jain's index, second half", text: fixed(4) },
  fairAfterSeconds: { label: 'fair after', text: fixed(1, ' s') },
  firstShare: { label: 'share of the first flow', text: percent },
  feedbackPerData: { label: 'feedback per data packet', text: fixed(3) },
  controlUpdatesPerRtt: { label: 'control updates per T', text: fixed(2) },
  recoverySeconds: { label: 'recovered after', text: fixed(2, ' s') },
  lostBytes: { label: 'bytes lost', text: fixed(0) },
  miceFctP99Ms: { label: 'FCT of mice p99', text: fixed(1, ' ms') },
  controlRequired: { label: 'type 1 at hosts', text: fixed(0) },
  controlReleased: { label: 'type 2 at hosts', text: fixed(0) },
  reroutingRequired: { label: 'type 3 at hosts', text: fixed(0) },
  pathChanges: { label: 'changes of path', text: fixed(0) },
};

const NAMES = Object.keys(FIGURE_WORDS) as readonly FigureName[];

/** A row for each figure that one of the runs has; the first row names the runs. */
export function figureTable(runs: ReadonlyMap<string, Figures>): string[][] {
  const figures = NAMES.filter((name) => [...runs.values()].some((each) => each[name] !== null));
  return [
    ['', ...runs.keys()],
    ...figures.map((name) => [
      FIGURE_WORDS[name].label,
      ...[...runs.values()].map((each) => figureText(name, each[name])),
    ]),
  ];
}

const figureText = (name: FigureName, value: number | null): string =>
  value === null ? '-' : FIGURE_WORDS[name].text(value);

/** A row per bar, with heads. */
export function barTable(bars: readonly BarVerdict[]): string[][] {
  return [
    ['bar', 'found', ''],
    ...bars.map(({ bar, found, isMet }) => [
      bar,
      found === null ? 'unknown' : String(Number(found.toPrecision(4))),
      isMet ? 'met' : 'MISSED',
    ]),
  ];
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
  return `${cores} cores, ${idle}, ${left}; ${carried}, ${capacity}`;
}
