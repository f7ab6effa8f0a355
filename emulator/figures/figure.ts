/** Kinds of quantities. Results of runs hold each in one unit; reports of hosts, times and rates in others. */
export type Quantity = 'time' | 'data' | 'rate' | 'share' | 'ratio' | 'count' | 'other';

/** One figure or series of results, as people read about it. */
export interface Figure {
  /** Name as it stands in a sentence: `median FCT`. */
  readonly name: string;
  /** Name where there is no room, as in wide tables; the name unless given. */
  readonly short?: string;
  /** Symbol of the drafts. */
  readonly symbol?: string;
  readonly quantity: Quantity;
  /** Unit in which results hold it; of a count, the things that are counted. */
  readonly unit: string;
  /** Significant digits that mean something; counts are exact. */
  readonly digits: number;
  /** Decimals of instants in us, which share a scale and are compared to the last one; absent: digits say. */
  readonly decimals?: number;
  /** Direction in which a network is better; neither where a figure only describes. */
  readonly better: 'more' | 'less' | 'neither';
  /** Where it comes from, in a sentence. */
  readonly meaning: string;
  /** When a result does not have it; never unless given. */
  readonly absent?: string;
  /** Column of the CSV files beside a result. */
  readonly column?: string;
  /** Noun for each `*` of its path; empty where the key itself says what it is. */
  readonly each?: readonly string[];
}

/** Properties of a row beyond those that its quantity gives. */
export type FigureDetails = Partial<
  Pick<Figure, 'short' | 'symbol' | 'digits' | 'better' | 'absent' | 'each' | 'column'>
>;

/** Paths of results, with `*` for any index or key, and their figures. */
export type FigureTable = Readonly<Record<string, Figure>>;

type Row = (name: string, meaning: string, details?: FigureDetails) => Figure;

const rowOf =
  (quantity: Quantity, unit: string, digits: number): Row =>
  (name, meaning, details = {}) => ({
    name,
    quantity,
    unit,
    digits,
    better: 'neither',
    meaning,
    ...details,
  });

/** A duration or an instant of virtual time, which begins at 0. */
export const time = rowOf('time', 'us', 4);
export const data = rowOf('data', 'bytes', 4);
export const rate = rowOf('rate', 'Gb/s', 4);
/** A duration of real time, as reports of hosts hold it. */
export const seconds = rowOf('time', 's', 4);
/** An instant of virtual time, to the ns. */
export const instant: Row = (name, meaning, details) => ({
  ...time(name, meaning, details),
  decimals: 3,
});
/** A rate as reports of hosts hold it. */
export const bitRate = rowOf('rate', 'bit/s', 4);
/** A part of a whole, from 0 to 1; people read percent. */
export const share = rowOf('share', '1', 3);
export const ratio = rowOf('ratio', '1', 3);

/** A number of things, which is exact. */
export const count = (
  unit: string,
  name: string,
  meaning: string,
  details?: FigureDetails,
): Figure => rowOf('count', unit, 4)(name, meaning, details);

/** A number whose unit is known elsewhere. */
export const other = (
  unit: string,
  name: string,
  meaning: string,
  details?: FigureDetails,
): Figure => rowOf('other', unit, 4)(name, meaning, details);
