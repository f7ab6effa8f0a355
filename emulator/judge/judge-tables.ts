import { figureColumns } from '../figures/figure-columns';
import type { FigureColumn } from '../figures/figure-columns';
import type { Spread } from './arena';
import type { Judgement } from './judgement';
import type { ContestFigures, Standing } from './standing';

/** Heads, and one line per law. */
export function lawTable({ laws }: Judgement): string[][] {
  const lines = laws.map(({ law, about, holds, counterexample }) => [
    law,
    holds ? 'holds' : 'broken',
    counterexample?.breach ?? about,
  ]);
  return [['law', '', ''], ...lines];
}

/** A judgement, and the processor time that its trials and contests took, in s. */
export interface TimedJudgement {
  readonly judgement: Judgement;
  readonly processorSeconds: number;
}

/** Heads, one line per judgement, and what all took. */
export function summaryTable(judged: readonly TimedJudgement[]): string[][] {
  const lines = judged.map(({ judgement: { algorithm, laws, shortest, trials }, ...rest }) => {
    const broken = laws.filter(({ holds }) => !holds).map(({ law }) => law);
    return [
      algorithm,
      broken.length === 0 ? 'all laws hold' : `breaks ${broken.join(', ')}`,
      shortest?.breach ?? '',
      String(trials),
      rest.processorSeconds.toFixed(1),
    ];
  });
  const trials = judged.reduce((sum, { judgement }) => sum + judgement.trials, 0);
  const seconds = judged.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
  return [
    ['algorithm', 'laws', 'shortest scenario', 'trials', 'processor s'],
    ...lines,
    [`${judged.length} in all`, '', '', String(trials), seconds.toFixed(1)],
  ];
}

const STANDING: readonly FigureColumn<Standing>[] = [
  { path: 'judge.completion', of: ({ completion }) => finite(completion) },
  { path: 'judge.queueP99Bytes', of: ({ queueP99Bytes }) => finite(queueP99Bytes) },
  { path: 'judge.failed', of: ({ failed }) => failed },
];

/** Heads, and one line per algorithm, the best completion first. */
export function standingTable({ standings }: Judgement, spread: Spread): string[][] {
  const rows = standings
    .filter((one) => one.spread === spread)
    .toSorted((a, b) => order(a.completion) - order(b.completion));
  const [heads = [], ...cells] = figureColumns(rows, STANDING);
  const lines = rows.map(({ algorithm, dominatedBy }, i) => [
    algorithm,
    ...(cells[i] ?? []),
    dominatedBy.length === 0 ? 'on the front' : `beaten by ${dominatedBy.join(', ')}`,
  ]);
  return [['algorithm', ...heads, ''], ...lines];
}

const CONTEST: readonly FigureColumn<ContestFigures | undefined>[] = [
  { path: 'judge.fctMaxUs', of: (figures) => figures?.fctMaxUs ?? null },
  { path: 'allFlows.slowdown.p99', of: (figures) => figures?.slowdownP99 ?? null },
  { path: 'bottleneck.queueP99Bytes', of: (figures) => figures?.queueP99Bytes ?? null },
  {
    path: 'allFlows.retransmittedSegments',
    of: (figures) => figures?.retransmittedSegments ?? null,
  },
];

/** Heads, and one line per contest of the judged algorithm. */
export function contestTable({ contests }: Judgement, spread: Spread): string[][] {
  const rows = contests.filter((one) => one.spread === spread);
  const figures = rows.map((row) => ('failure' in row.figures ? undefined : row.figures));
  const [heads = [], ...cells] = figureColumns(figures, CONTEST);
  const lines = rows.map(({ contest, figures: own }, i) => [
    contest,
    ...(cells[i] ?? []),
    'failure' in own ? own.failure : '',
  ]);
  return [['contest', ...heads, ''], ...lines];
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
const order = (value: number): number => (Number.isFinite(value) ? value : Infinity);
