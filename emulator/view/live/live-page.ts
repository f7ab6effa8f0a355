import type { PageData } from '../data/page-data';
import { runPage } from '../data/run-page';
import { withoutFile } from '../data/chart';
import type { Chart } from '../data/chart';
import { timeCharts, wholeRun } from '../data/run-charts';
import type { Detail } from '../data/run-charts';
import type { Result } from '../../result/result';
import { rateScale } from '../data/scale';
import type { LiveNetwork } from './live-network';

/** The charts over time of a part of it; a watched network has no file. */
export const liveCharts = (result: Result, detail: Detail): Chart[] =>
  timeCharts(result, detail).map(withoutFile);

/** The page of a network that is watched. */
export function livePage(network: LiveNetwork, command: string, points: number): PageData {
  const result = network.result();
  const { bottleneck, flows, links, durationUs, counters, timelines } = result;
  const { unit, factor } = rateScale(result);
  const interval = (timelines?.intervalUs ?? durationUs) / 1000;
  const busiest = (timelines?.links ?? []).reduce((most, { sentBytes }, i) => {
    const capacity = (links[i]?.rateGbps ?? 0) * 1e6 * interval;
    const newest = sentBytes.at(-2) ?? 0;
    return capacity === 0 ? most : Math.max(most, (8 * newest) / capacity);
  }, 0);
  const newest = result.series.reduce((sum, { rateGbps }) => sum + (rateGbps.at(-1) ?? 0), 0);
  const page = runPage(
    result,
    {
      command,
      subtitle: `Real time, watched for ${(durationUs / 1e6).toFixed(1)} s.`,
      facts: [
        [`${(bottleneck.queuePeakBytes / 1000).toFixed(1)} KB`, 'peak queue'],
        [`${(busiest * 100).toFixed(1)} %`, 'load of the busiest link now'],
        [`${(newest / factor).toFixed(2)} ${unit}`, 'paced by all flows now'],
        [String(flows.length + network.flowsOmitted), 'flows'],
        [String(counters.drops['counted'] ?? 0), 'drops'],
      ],
    },
    wholeRun(result, points),
  );
  return { ...page, charts: page.charts.map(withoutFile) };
}
