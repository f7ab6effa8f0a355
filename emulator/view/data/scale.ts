import type { Scale } from '../../figures/scale';
import type { Result } from '../../result/result';

const US: Scale = { unit: 'us', factor: 1 };
const MS: Scale = { unit: 'ms', factor: 1e3 };
const S: Scale = { unit: 's', factor: 1e6 };
const MS_FROM_US = 1e5;
const S_FROM_US = 1e7;

/** For instants and durations of a result, which has them in us: runs last up to minutes. */
export function timeScale({ durationUs }: Pick<Result, 'durationUs'>): Scale {
  if (durationUs >= S_FROM_US) return S;
  return durationUs >= MS_FROM_US ? MS : US;
}

/** For rates, which results have in Gb/s: links of real machines may carry megabits. */
export function rateScale({ topology }: Pick<Result, 'topology'>): Scale {
  const fastest = Math.max(0, ...topology.links.map(({ rateGbps }) => rateGbps));
  return fastest >= 1 ? { unit: 'Gb/s', factor: 1 } : { unit: 'Mb/s', factor: 1e-3 };
}

/** A value and its unit, as in `12.500 ms`. */
export const scaled = (value: number, { unit, factor }: Scale): string =>
  `${digits(value, factor)} ${unit}`;

/** The value alone. */
export const digits = (value: number, factor: number): string =>
  (value / factor).toFixed(factor === 1 ? 1 : 3);
