/**
 * Rates and times as ns-3 writes them. Decimals are scaled in their text, so that no double rounds
 * `2.000000007872` seconds on the way to picoseconds.
 */

interface RateUnit {
  /** Power of ten of the unit in bit/s. */
  readonly power: number;
  /** Factor besides the power of ten: bits per byte, and powers of 1024. */
  readonly factor: number;
}

/** Spellings of ns-3's `DataRate`, and the same for tera. */
const RATE_UNITS: ReadonlyMap<string, RateUnit> = new Map([
  ...rateUnits('', 0),
  ...rateUnits('k', 3),
  ...rateUnits('K', 3),
  ...rateUnits('M', 6),
  ...rateUnits('G', 9),
  ...rateUnits('T', 12),
  ...(['K', 'M', 'G', 'T'] as const).flatMap((prefix, i): [string, RateUnit][] => [
    [`${prefix}ib/s`, { power: 0, factor: 1024 ** (i + 1) }],
    [`${prefix}iB/s`, { power: 0, factor: 8 * 1024 ** (i + 1) }],
  ]),
]);

/** Forms of a rate for errors. */
export const RATE_FORMS =
  'a rate as ns-3 writes it: bps or b/s for bits, Bps or B/s for bytes, after k, M, G, T, Ki, Mi, Gi or Ti ' +
  '(Ki and the like only before b/s and B/s), or bit/s without a unit';

function rateUnits(prefix: string, power: number): [string, RateUnit][] {
  return [
    [`${prefix}bps`, { power, factor: 1 }],
    [`${prefix}b/s`, { power, factor: 1 }],
    [`${prefix}Bps`, { power, factor: 8 }],
    [`${prefix}B/s`, { power, factor: 8 }],
  ];
}

/** Reads a rate such as `100Gbps`, `12.5GB/s` or `25000000000.0`, in Gb/s; undefined for anything else. */
export function parseDataRate(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d+\.?\d*|\.\d+)(\D.*)?$/.exec(text) ?? [];
  const known = unit === '' ? { power: 0, factor: 1 } : RATE_UNITS.get(unit);
  if (number === '' || known === undefined) return undefined;
  return scaled(number, known.power - 9) * known.factor;
}

/** Units of ns-3's `Time`: their power of ten in seconds, and what it leaves out. */
const TIME_UNITS: Readonly<Record<string, readonly [power: number, factor: number]>> = {
  '': [0, 1],
  fs: [-15, 1],
  ps: [-12, 1],
  ns: [-9, 1],
  us: [-6, 1],
  ms: [-3, 1],
  s: [0, 1],
  min: [0, 60],
  h: [0, 3600],
  d: [0, 86_400],
  y: [0, 31_536_000],
};

/** Forms of a time for errors. */
export const TIME_FORMS =
  'a time as ns-3 writes it: a number with fs, ps, ns, us, ms, s, min, h, d or y, or seconds without a unit';

/** Power of ten of a unit that times are wanted in, in seconds. */
export const TIME_POWER = { ns: -9, ps: -12 } as const;

/**
 * Reads a time such as `1us`, `0.001ms`, `1000000ps` or `0.000001`, whose unit is the second, in the unit
 * that is wanted; undefined for anything else. A sign is read: who wants no negative time checks.
 */
export function parseTime(text: string, wanted: keyof typeof TIME_POWER): number | undefined {
  const match = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d+))?([a-z]*)$/.exec(text);
  const [, number = '', exponent = '0', unit = ''] = match ?? [];
  const known = Object.hasOwn(TIME_UNITS, unit) ? TIME_UNITS[unit] : undefined;
  if (number === '' || known === undefined) return undefined;
  const [power, factor] = known;
  return scaled(number, Number(exponent) + power - TIME_POWER[wanted]) * factor;
}

/** A decimal times a power of ten, as near as a double can be. */
const scaled = (decimal: string, power: number): number => Number(`${decimal}e${power}`);
