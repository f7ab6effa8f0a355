import type { Result } from '../../result/result';
import type { Chart, ChartSeries } from './chart';
import { rounded, thinned } from './thin';

/** One of the runs that are shown side by side. */
export interface ContrastRun {
  readonly label: string;
  readonly result: Result;
}

/** A queue that is drained is drained within a few round trips. */
const QUEUE_SHOWN_US = 250;
const POINTS = 500;
const KILO = 1000;
const MEGA = 1e6;

/**
 * The same traffic in several ways: the bottleneck's queue in the first microseconds, and what arrives
 * from beginning to end beside what the link could carry.
 */
export function contrastCharts(runs: readonly ContrastRun[]): Chart[] {
  const total = Math.max(...runs.map(({ result }) => delivered(result).y.at(-1) ?? 0));
  return [
    {
      id: 'contrast-queue',
      title: 'Queue at the receiver’s link',
      caption: `The first ${QUEUE_SHOWN_US} us, ${runs.map(({ label }) => label).join(' and ')}.`,
      x: { label: 'time (us)', min: 0, max: QUEUE_SHOWN_US },
      y: { label: 'queue (KB)', min: 0 },
      series: runs.map(({ label, result }) => ({ name: label, kind: 'area', ...queue(result) })),
    },
    {
      id: 'contrast-payload',
      title: 'Payload that has arrived',
      caption: 'All flows together; dashed: what the link carries if it is shared without a gap.',
      x: { label: 'time (us)', min: 0 },
      y: { label: 'payload (MB)', min: 0 },
      series: [
        ...runs.map(({ label, result }) => ({ name: label, ...delivered(result) })),
        ...noGap(runs[0], total),
      ],
    },
  ];
}

type Points = Pick<ChartSeries, 'x'> & { readonly y: readonly number[] };

function queue({ queueTimeline }: Result): Points {
  const { startUs, intervalUs, bytes } = queueTimeline;
  const count = Math.floor((QUEUE_SHOWN_US - startUs) / intervalUs) + 1;
  const y = bytes.slice(0, count).map((value) => value / KILO);
  return thinned({ x: y.map((_, i) => rounded(startUs + i * intervalUs)), y }, POINTS);
}

/** All flows together, in MB: what arrived in order, at the times of the samples and the end. */
function delivered({ series, flows }: Result): Points {
  const longest = series.reduce<readonly number[]>(
    (most, { timeUs }) => (timeUs.length > most.length ? timeUs : most),
    [],
  );
  const sums = longest.map((_, i) =>
    series.reduce((sum, one) => sum + (one.deliveredBytes[i] ?? one.deliveredBytes.at(-1) ?? 0), 0),
  );
  const all = flows.reduce((sum, { deliveredBytes }) => sum + deliveredBytes, 0);
  const end = flows.reduce((last, { startUs, fctUs }) => Math.max(last, startUs + (fctUs ?? 0)), 0);
  const isLater = end > (longest.at(-1) ?? -1);
  const x = isLater ? [...longest, end] : [...longest];
  const y = [...sums, ...(isLater ? [all] : [])].map((sum) => rounded(sum / MEGA));
  return thinned({ x, y }, POINTS);
}

/** The slope that nobody exceeds. */
function noGap(run: ContrastRun | undefined, total: number): ChartSeries[] {
  if (run === undefined) return [];
  const { topology, frames } = run.result;
  const rateGbps = Math.min(...topology.links.map((link) => link.rateGbps));
  const share = frames.segmentBytes / frames.dataAtBottleneckBytes;
  const endUs = (total * 8 * KILO) / (rateGbps * share);
  return [{ name: 'without a gap', kind: 'reference', x: [0, rounded(endUs)], y: [0, total] }];
}
