import type uPlot from 'uplot';
import type { Chart } from '../data/chart';
import { colorOf } from './palette';

const CAP = 4;

/** Confidence intervals as thin lines with caps, over the points of their series. */
export function drawIntervals(made: uPlot, { series }: Chart): void {
  const { ctx } = made;
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
      const [top, bottom] = [mean + half, mean - half].map((v) => made.valToPos(v, 'y', true));
      if (top === undefined || bottom === undefined) return;
      ctx.moveTo(left, top);
      ctx.lineTo(left, bottom);
      for (const end of [top, bottom]) {
        ctx.moveTo(left - CAP * devicePixelRatio, end);
        ctx.lineTo(left + CAP * devicePixelRatio, end);
      }
    });
    ctx.stroke();
    ctx.restore();
  });
}
