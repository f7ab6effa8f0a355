import type { Axis, Chart } from '../data/chart';
import type { PageChart } from '../picture/draw-picture';
import type { Span } from './shown-part';

/** Values of a drawn chart, and their places on the surface between its axes. */
export class ChartScale {
  constructor(
    readonly drawn: PageChart,
    private readonly chart: Pick<Chart, 'x' | 'y'>,
  ) {}

  get width(): number {
    return this.drawn.rect.right - this.drawn.rect.left;
  }

  get height(): number {
    return this.drawn.rect.bottom - this.drawn.rect.top;
  }

  /** Share of the way from left to right; beyond 0 and 1 outside of the picture. */
  shareOf(x: number): number {
    const { from, to } = this.drawn;
    return share(x, [from[0], to[0]], this.chart.x);
  }

  /** Pixels from the upper edge. */
  topOf(y: number): number {
    const { from, to } = this.drawn;
    return (1 - share(y, [from[1], to[1]], this.chart.y)) * this.height;
  }

  /** The x at so many pixels from the left edge. */
  valueAt(pixels: number): number {
    const { from, to } = this.drawn;
    const part = Math.min(1, Math.max(0, pixels / this.width));
    const { isLogarithmic, categories } = this.chart.x;
    if (categories !== undefined) {
      return Math.min(categories.length - 1, Math.floor(part * categories.length));
    }
    if (isLogarithmic === true) return from[0] * (to[0] / from[0]) ** part;
    return from[0] + part * (to[0] - from[0]);
  }
}

/** Share of the way along an axis. */
function share(value: number, [from, to]: Span, { isLogarithmic, categories }: Axis): number {
  if (categories !== undefined) return (value + 0.5) / categories.length;
  if (isLogarithmic !== true) return (value - from) / (to - from);
  return Math.log(Math.max(value, from) / from) / Math.log(to / from);
}
