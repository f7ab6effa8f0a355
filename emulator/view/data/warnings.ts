import { figureAt, figureName } from '../../figures/dictionary';
import { rate } from '../../figures/figure';
import { figureText } from '../../figures/figure-text';
import { samplesWanted } from '../../figures/samples';
import type { AlgorithmRow } from '../../result/algorithm-comparison';
import type { Result } from '../../result/result';
import { jainIndex } from '../../../common/statistics/statistics';
import { fairRatesTogether } from './fair-shares';
import type { PageSection } from './page-data';

/** Jain's index of fair rates below which it tells of the network, not of fairness. */
const SAME_SHARES = 0.995;
/** Flows beyond which fair rates are not computed for a warning. */
const FLOWS_MAX = 2000;
const FAIR_RATE = rate('fair rate', 'Max-min fair rate.');

/** Says which figures of a result say less than they seem to. */
export const resultWarnings = (result: Result): string[] => [
  ...jainWarnings(result),
  ...binWarnings(result),
];

/** Says the same of algorithms side by side. */
export function comparisonWarnings(rows: readonly AlgorithmRow[]): string[] {
  const seeds = Math.max(1, ...rows.map((row) => row.seeds));
  return [
    ...rows.flatMap(({ algorithm, slowdowns }) =>
      slowdowns.flatMap(({ size, flows }) =>
        percentileWarnings(`slowdown of ${algorithm}, ${size}`, Math.floor(flows / seeds)),
      ),
    ),
    ...seedWarnings(seeds),
  ];
}

/** Says how far intervals of a few runs can be believed. */
export function seedWarnings(seeds: number): string[] {
  if (seeds === 1) return ['One seed: no interval says by how much figures vary with it.'];
  if (seeds >= SEEDS_MIN) return [];
  return [
    `${seeds} seeds: intervals are wide, and hold only if figures are spread normally; ${SEEDS_MIN} or more say more.`,
  ];
}

const SEEDS_MIN = 5;

/** The warnings as a section of a page; none without any. */
export const warningSections = (warnings: readonly string[]): PageSection[] =>
  warnings.length === 0 ? [] : [{ title: 'Read with care', text: warnings }];

/** Says which percentiles have fewer samples than mean something. */
function percentileWarnings(what: string, samples: number): string[] {
  const few = ['p95', 'p99', 'p999'].filter((key) => samplesWanted(key, samples) !== undefined);
  const [first] = few;
  if (first === undefined) return [];
  const names = few.map((key) => (key === 'p999' ? 'p99.9' : key)).join(', ');
  const flows = samples === 1 ? '1 flow' : `${samples} flows`;
  return [
    `${names} of the ${what}: ${flows} a run, where ${first === 'p999' ? 'p99.9' : first} needs ${samplesWanted(first, samples)}; they are about the largest value.`,
  ];
}

/** Flows of different bottlenecks have different fair rates, which Jain's index calls unfair. */
function jainWarnings(result: Result): string[] {
  const { jain, flows, flowTotals } = result;
  if (jain === null || flowTotals !== undefined || flows.length > FLOWS_MAX) return [];
  const rates = fairRatesTogether(result);
  const fair = jainIndex(rates);
  if (fair >= SAME_SHARES) return [];
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  return [
    `${figureName('jain')}: flows have different bottlenecks, with max-min fair rates of ` +
      `${figureText(FAIR_RATE, least)} to ${figureText(FAIR_RATE, most)}; a fair network has ${figureText(figureAt('jain'), fair)} here, not 1.`,
  ];
}

const binWarnings = ({ slowdowns = [] }: Result): string[] => {
  const fewest = Math.min(...slowdowns.map(({ flows }) => flows));
  return slowdowns.length === 0 ? [] : percentileWarnings('slowdown of a bin', fewest);
};
