import { figureAt } from '../../figures/dictionary';
import { headOf } from '../../figures/figure-text';
import type { Scale } from '../../figures/scale';
import type { Axis } from './chart';

/** Units of charts whose series keep one. */
export const KILOBYTES: Scale = { unit: 'KB', factor: 1000 };
export const MEGABYTES: Scale = { unit: 'MB', factor: 1e6 };
export const MICROSECONDS: Scale = { unit: 'us', factor: 1 };
export const PERCENT: Scale = { unit: '%', factor: 0.01 };
/** Values as they are, of figures without a unit. */
export const PLAIN: Scale = { unit: '', factor: 1 };

/** The axis of a figure of the dictionary, in one of its units. */
export function figureAxis(path: string, scale: Scale, details: Partial<Axis> = {}): Axis {
  const figure = figureAt(path);
  const name = figure.short ?? figure.name;
  return { label: headOf(figure, scale), figure: path, name, unit: scale.unit, ...details };
}

/** The axis of time. */
export const timeAxis = (scale: Scale, details: Partial<Axis> = {}): Axis =>
  figureAxis('series.*.timeUs.*', scale, details);
