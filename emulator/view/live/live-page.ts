import type { PageData } from '../data/page-data';
import { factOf, runPage } from '../data/run-page';
import { withoutFile } from '../data/chart';
import type { Chart } from '../data/chart';
import { timeCharts, wholeRun } from '../data/run-charts';
import type { Detail } from '../data/run-charts';
import type { Result } from '../../result/result';
import type { LiveNetwork } from './live-network';

/** The charts over time of a part of it; a watched network has no file. */
export const liveCharts = (result: Result, detail: Detail): Chart[] =>
  timeCharts(result, detail).map(withoutFile);

/** The page of a network that is watched. */
export function livePage(network: LiveNetwork, command: string, points: number): PageData {
  const result = network.result();
  const { bottleneck, flows, links, durationUs, counters, timelines } = result;
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
        factOf('bottleneck.queuePeakBytes', bottleneck.queuePeakBytes),
        factOf('live.load', busiest),
        factOf('live.pacedGbps', newest),
        factOf('allFlows.flows', flows.length + network.flowsOmitted),
        factOf('compare.drops', counters.drops['counted'] ?? 0),
      ],
    },
    wholeRun(result, points),
  );
  return { ...page, charts: page.charts.map(withoutFile) };
}
