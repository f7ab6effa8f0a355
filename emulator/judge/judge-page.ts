import { figureAxis, KILOBYTES, PLAIN } from '../view/data/axis';
import type { Chart } from '../view/data/chart';
import type { PageData, PageSection } from '../view/data/page-data';
import { SPREADS } from './arena';
import type { Spread } from './arena';
import type { Judgement } from './judgement';
import { contestTable, lawTable, standingTable } from './judge-tables';
import { trialText } from './trial';

const TITLES: Readonly<Record<Spread, string>> = {
  ecmp: 'One path per flow (ECMP)',
  sprayed: 'Packets sprayed over all paths',
};

/** The page of a judgement: laws, the front, the counterexample, and the tables behind them. */
export function judgePage(judgement: Judgement, command: string): PageData {
  const { algorithm, laws, shortest, trials, seed } = judgement;
  const broken = laws.filter(({ holds }) => !holds).map(({ law }) => law);
  return {
    title: `${algorithm}, judged`,
    subtitle: `${trials} trials from seed ${seed}, and twelve contests with and without spraying.`,
    command,
    verdict: broken.length === 0 ? 'No law was broken.' : `Broken: ${broken.join(', ')}.`,
    facts: [],
    leading: SPREADS.map((spread) => frontChart(judgement, spread)),
    opening: [
      {
        title: 'Laws',
        rows: lawTable(judgement),
        ...(broken.length > 0 && { tone: 'bad' as const }),
      },
      ...(shortest === null ? [] : [counterexample(shortest)]),
    ],
    charts: [],
    closing: SPREADS.flatMap((spread) => [
      {
        title: `${TITLES[spread]}: standing`,
        rows: standingTable(judgement, spread),
      },
      { title: `${TITLES[spread]}: contests`, rows: contestTable(judgement, spread) },
    ]),
  };
}

const counterexample = ({
  law,
  trial,
  breach,
  file,
}: NonNullable<Judgement['shortest']>): PageSection => ({
  title: 'The shortest scenario found in which it breaks',
  text: [
    `${trialText(trial)}.`,
    `Against "${law}": ${breach}.`,
    `./hpcc run ${file} --seed ${trial.seed}`,
  ],
});

/** Completion over queue; the front is the line of those that nobody beats in both. */
function frontChart({ algorithm, standings }: Judgement, spread: Spread): Chart {
  const here = standings.filter((one) => one.spread === spread && Number.isFinite(one.completion));
  const front = here
    .filter(({ dominatedBy }) => dominatedBy.length === 0)
    .toSorted((a, b) => a.queueP99Bytes - b.queueP99Bytes);
  const others = here.filter((one) => one.algorithm !== algorithm);
  const own = here.filter((one) => one.algorithm === algorithm);
  const queue = (bytes: number): number => bytes / KILOBYTES.factor;
  return {
    id: `front-${spread}`,
    title: TITLES[spread],
    caption:
      'Down and to the left is better; the dashed line joins algorithms that no other beats in both figures.',
    x: figureAxis('judge.queueP99Bytes', KILOBYTES, { isLogarithmic: true }),
    y: figureAxis('judge.completion', PLAIN, { min: 1 }),
    series: [
      {
        name: 'Pareto front',
        kind: 'reference',
        isStepped: true,
        x: front.map((one) => queue(one.queueP99Bytes)),
        y: front.map(({ completion }) => completion),
      },
      ...[...own, ...others].map((one) => ({
        name: one.algorithm,
        ...(one.algorithm !== algorithm && { group: 'others' }),
        kind: 'points' as const,
        x: [queue(one.queueP99Bytes)],
        y: [one.completion],
      })),
    ],
  };
}
