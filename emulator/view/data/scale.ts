import { figureAt } from '../../figures/dictionary';
import { scaleOf } from '../../figures/scale';
import type { Scale } from '../../figures/scale';
import type { Result } from '../../result/result';

/** For instants and durations of a result: runs last up to minutes. */
export const timeScale = ({ durationUs }: Pick<Result, 'durationUs'>): Scale =>
  scaleOf(figureAt('durationUs'), [durationUs]);

/** For rates: links of real machines may carry megabits. */
export const rateScale = ({ topology }: Pick<Result, 'topology'>): Scale =>
  scaleOf(
    figureAt('topology.links.*.rateGbps'),
    topology.links.flatMap(({ rateGbps, backRateGbps = rateGbps }) => [rateGbps, backRateGbps]),
  );
