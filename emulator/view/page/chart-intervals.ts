import type uPlot from 'uplot';
import type { Chart } from '../data/chart';
import { colorOf } from './palette';

const CAP = 4;

/**
 * Confidence intervals as thin lines with caps, over the points of their series. One that leaves the axis,
 * as those to zero and below do on a logarithmic one, ends without a cap.
 */
export function drawIntervals(made: uPlot, { series }: Chart): void {
  const { ctx } = made;
  const { min = -Infinity, max = Infinity } = made.scales['y'] ?? {};
  const within = (value: number): number => Math.min(Math.max(value, min), max);
  series.forEach(({ x, y, halfWidths }, i) => {
    if (halfWidths === undefined || made.series[i + 1]?.show === false) return;
    ctx.save();
    ctx.strokeStyle = colorOf(i);
    ctx.lineWidth = devicePixelRatio;
    ctx.beginPath();
    x.forEach((at, j) => {
      const [mean, half] = [y[j], halfWidths[j]];
      if (mean === null || mean === undefined || half === null || half === undefined) return;
      const left = made.valToPos(at, 'x', true);
      const ends = [mean + half, mean - half];
      const [top = NaN, bottom = NaN] = ends.map((v) => made.valToPos(within(v), 'y', true));
      ctx.moveTo(left, top);
      ctx.lineTo(left, bottom);
      for (const end of ends.filter((v) => within(v) === v)) {
        const height = made.valToPos(end, 'y', true);
        ctx.moveTo(left - CAP * devicePixelRatio, height);
        ctx.lineTo(left + CAP * devicePixelRatio, height);
      }
    });
    ctx.stroke();
    ctx.restore();
  });
}
