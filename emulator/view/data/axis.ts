import { figureAt } from '../../figures/dictionary';
import { headOf } from '../../figures/figure-text';
import type { Scale } from '../../figures/scale';
import type { Axis } from './chart';

/** The axis of a figure of the dictionary, in one of its units. */
export function figureAxis(path: string, scale: Scale, details: Partial<Axis> = {}): Axis {
  return { label: headOf(figureAt(path), scale), figure: path, unit: scale.unit, ...details };
}
