import type { Figure } from './figure';
import { scaleOf } from './scale';
import type { Scale } from './scale';

/** Place of a value that a result does not have. */
export const NO_VALUE = '-';

/** A mean, and half of its 95 % confidence interval; null with fewer than two values. */
export interface Estimate {
  readonly mean: number;
  readonly halfWidth: number | null;
}

/** Name and unit, as in `median FCT (us)`. */
export const withUnit = (name: string, { unit }: Scale): string =>
  unit === '' || name.endsWith(unit) ? name : `${name} (${unit})`;

/** Head of a column with values of one scale. */
export const headOf = (figure: Figure, scale: Scale): string =>
  withUnit(figure.short ?? figure.name, scale);

/** A value with its unit, as in `162.5 us`; things that are counted are named by the figure. */
export function figureText(figure: Figure, value: number | null | undefined): string {
  if (value === null || value === undefined) return NO_VALUE;
  const scale = scaleOf(figure, [value]);
  const text = cellText(figure, value, scale);
  return scale.unit === '' || figure.quantity === 'count' ? text : `${text} ${scale.unit}`;
}

/** The value alone, in the unit of its column. */
export function cellText(
  { quantity, digits, decimals }: Figure,
  value: number | null | undefined,
  { factor }: Scale,
): string {
  if (value === null || value === undefined) return NO_VALUE;
  if (decimals !== undefined) return (value / factor).toFixed(decimals + Math.log10(factor));
  const isExact = quantity === 'count' || (quantity === 'data' && factor === 1);
  if (isExact && Number.isInteger(value)) return String(value);
  return significant(value / factor, digits);
}

/** `12.3 ± 0.4`: two digits of the interval, and of the mean those that it leaves. */
export function estimateText(
  figure: Figure,
  estimate: Estimate | null | undefined,
  scale: Scale,
): string {
  if (estimate === null || estimate === undefined) return NO_VALUE;
  const { mean, halfWidth } = estimate;
  const alone = cellText(figure, mean, scale);
  if (halfWidth === null) return alone;
  if (halfWidth === 0) return `${alone} ± 0`;
  const half = halfWidth / scale.factor;
  const shown = mean / scale.factor;
  // A mean within its interval keeps two digits of its own.
  const least = shown === 0 ? 0 : decimalsOf(shown, INTERVAL_DIGITS);
  const wanted = Math.max(decimalsOf(half, INTERVAL_DIGITS), least, 0);
  const decimals = Math.min(wanted, DECIMALS_MAX);
  return `${shown.toFixed(decimals)} ± ${half.toFixed(decimals)}`;
}

const INTERVAL_DIGITS = 2;
const DECIMALS_MAX = 6;
/** Smaller numbers have a power of ten. */
const SMALL = 1e-4;

/** A number in so many significant digits, with the zeros that belong to them. */
export function significant(value: number, digits: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  if (Math.abs(value) < SMALL) return value.toExponential(digits - 1);
  const rounded = Number(value.toPrecision(digits));
  return rounded.toFixed(Math.max(0, decimalsOf(rounded, digits)));
}

/** Decimals that give a number so many significant digits; negative where digits before the point do. */
const decimalsOf = (value: number, digits: number): number =>
  digits - 1 - Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
