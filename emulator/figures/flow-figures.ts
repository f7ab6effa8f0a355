import { count, data, ratio, rate, share, time } from './figure';
import type { Figure, FigureDetails, FigureTable } from './figure';

const NO_FLOW = 'no flow finished';
const NO_BINS = 'there are fewer than 100 finished flows, or all are of one size';
const LISTED = 'the result lists all flows';

/** Quantiles of a distribution over flows, with the words that tell where it is from. */
function quantiles(
  row: typeof time,
  { at, name, of, absent, each, isInCsv }: QuantileWords,
  keys: readonly (keyof typeof QUANTILES)[],
): FigureTable {
  const rows = keys.map((key): [string, Figure] => {
    const [word, meaning] = QUANTILES[key];
    const details: FigureDetails = {
      better: 'less',
      absent,
      ...(each !== undefined && { each }),
      ...(isInCsv === true && { column: word }),
    };
    return [`${at}.${key}`, row(`${word} ${name}`, `${meaning} ${of}.`, details)];
  });
  return Object.fromEntries(rows);
}

interface QuantileWords {
  readonly at: string;
  readonly name: string;
  readonly of: string;
  readonly absent: string;
  readonly each?: readonly string[];
  /** True if CSV files have a column for each, named by the quantile. */
  readonly isInCsv?: true;
}

const QUANTILES = {
  p50: ['p50', 'Smallest value that half of the finished flows do not exceed:'],
  p95: ['p95', 'Smallest value that 95 % of the finished flows do not exceed:'],
  p99: ['p99', 'Smallest value that 99 % of the finished flows do not exceed:'],
  p999: ['p99.9', 'Smallest value that 99.9 % of the finished flows do not exceed:'],
  max: ['largest', 'Largest value of a finished flow:'],
} as const;

const ALL = ['p50', 'p95', 'p99', 'p999', 'max'] as const;
const WITHOUT_P999 = ['p50', 'p95', 'p99', 'max'] as const;

const FCT = 'time from the first segment to the last acknowledgement';
const SLOWDOWN = 'completion time over that of the same flow alone on idle links';

/** Figures of single flows, of all together and of those of similar size. */
export const FLOW_FIGURES: FigureTable = {
  'fctUs.min': time('shortest FCT', `Shortest of the finished flows: ${FCT}.`, {
    better: 'less',
    absent: NO_FLOW,
  }),
  'fctUs.median': time(
    'median FCT',
    `Middle of the finished flows, or mean of the two in the middle: ${FCT}.`,
    { better: 'less', absent: NO_FLOW },
  ),
  'fctUs.max': time('longest FCT', `Longest of the finished flows: ${FCT}.`, {
    better: 'less',
    absent: NO_FLOW,
  }),

  'allFlows.flows': count('flows', 'flows', 'Flows of the run.'),
  'allFlows.unfinished': count('flows', 'unfinished flows', 'Flows that did not finish.', {
    short: 'unfinished',
    better: 'less',
  }),
  'allFlows.retransmittedSegments': count(
    'segments',
    'segments sent again',
    'Sum over all flows of the segments that they sent more than once.',
    { short: 'sent again', better: 'less' },
  ),
  ...quantiles(time, { at: 'allFlows.fctUs', name: 'FCT', of: FCT, absent: NO_FLOW }, WITHOUT_P999),
  ...quantiles(
    ratio,
    { at: 'allFlows.slowdown', name: 'slowdown', of: SLOWDOWN, absent: NO_FLOW },
    WITHOUT_P999,
  ),

  'flowTotals.flows': count('flows', 'flows in sums', 'Flows of a run that keeps sums.', {
    absent: LISTED,
  }),
  'flowTotals.finished': count('flows', 'finished flows', 'Flows that finished.', {
    better: 'more',
    absent: LISTED,
  }),
  'flowTotals.listed': count('flows', 'listed flows', 'Flows that the result lists: the first.', {
    absent: LISTED,
  }),
  'flowTotals.deliveredBytes': data(
    'payload of all flows',
    'Sum of the payload that arrived in order.',
    { better: 'more', absent: LISTED },
  ),
  'flowTotals.retransmittedSegments': count(
    'segments',
    'segments sent again, in sums',
    'Sum over all flows of the segments that they sent more than once.',
    { better: 'less', absent: LISTED },
  ),
  'flowTotals.activeUs': time('time of all flows', 'Sum of the times for which flows lasted.', {
    absent: LISTED,
  }),
  'flowTotals.firstStartUs': time('first start', 'Start of the first flow.', { absent: LISTED }),
  'flowTotals.lastStartUs': time('last start', 'Start of the last flow.', { absent: LISTED }),
  'flowTotals.lastEndUs': time(
    'last flow complete',
    'End of the last flow, or of the run, if a flow did not finish.',
    { better: 'less', absent: LISTED },
  ),
  'flowTotals.switchResponses': count(
    'responses',
    'responses of switches, in sums',
    'Responses of switches that flows took, where they alone control flows.',
    { absent: `${LISTED}, or telemetry controls flows` },
  ),
  'flowTotals.relativeError': share(
    'error of quantiles',
    'Quantiles of the sums lie so far above the exact ones at most.',
    { absent: LISTED },
  ),
  ...quantiles(
    time,
    { at: 'flowTotals.fctUs', name: 'FCT, in sums', of: FCT, absent: `${LISTED}, or ${NO_FLOW}` },
    ALL,
  ),
  ...quantiles(
    ratio,
    {
      at: 'flowTotals.slowdown',
      name: 'slowdown, in sums',
      of: SLOWDOWN,
      absent: `${LISTED}, or ${NO_FLOW}`,
    },
    ALL,
  ),
  'flowTotals.classes.*.upToBytes': data('largest payload', 'Largest payload of the class.', {
    each: ['class'],
    absent: `${LISTED}, or the class has no end`,
  }),
  'flowTotals.classes.*.flows': count(
    'flows',
    'finished flows of a class',
    'Finished flows of these sizes.',
    { each: ['class'], absent: LISTED },
  ),
  ...quantiles(
    ratio,
    {
      at: 'flowTotals.classes.*.slowdown',
      name: 'slowdown of a class',
      of: SLOWDOWN,
      absent: LISTED,
      each: ['class'],
    },
    ALL,
  ),

  'slowdowns.*.fromBytes': data('smallest flow', 'Payload of the smallest flow of the bin.', {
    column: 'from_bytes',
    each: ['bin'],
    absent: NO_BINS,
  }),
  'slowdowns.*.toBytes': data('largest flow', 'Payload of the largest flow of the bin.', {
    column: 'to_bytes',
    each: ['bin'],
    absent: NO_BINS,
  }),
  'slowdowns.*.flows': count('flows', 'flows of a bin', 'Finished flows of these sizes.', {
    column: 'flows',
    each: ['bin'],
    absent: NO_BINS,
  }),
  ...quantiles(
    ratio,
    {
      at: 'slowdowns.*',
      name: 'slowdown of a bin',
      of: SLOWDOWN,
      absent: NO_BINS,
      isInCsv: true,
      each: ['bin'],
    },
    ['p50', 'p95', 'p99', 'p999'],
  ),

  'flows.*.id': count('number', 'flow', 'Number of the flow, from 1.', {
    column: 'flow',
    each: ['place'],
  }),
  'flows.*.bytes': data('payload', 'Payload that the flow has to send.', {
    column: 'bytes',
    each: ['place'],
  }),
  'flows.*.startUs': time('start', 'When the first segment may leave.', {
    column: 'start_us',
    each: ['place'],
  }),
  'flows.*.fctUs': time('FCT', `Flow completion time: ${FCT}.`, {
    column: 'fct_us',
    each: ['place'],
    better: 'less',
    absent: 'the flow did not finish',
  }),
  'flows.*.idealFctUs': time(
    'ideal FCT',
    'Completion time of this flow alone on idle links, at line rate, with its own frames.',
    { each: ['place'] },
  ),
  'flows.*.slowdown': ratio('slowdown', 'FCT over the ideal FCT of the flow.', {
    column: 'slowdown',
    each: ['place'],
    better: 'less',
    absent: 'the flow did not finish',
  }),
  'flows.*.deliveredBytes': data('payload delivered', 'Payload that arrived in order.', {
    each: ['place'],
    better: 'more',
  }),
  'flows.*.retransmittedSegments': count(
    'segments',
    'segments of a flow sent again',
    'Segments that the flow sent more than once.',
    { each: ['place'], short: 'sent again', better: 'less' },
  ),
  'flows.*.uncontrolledUs': time(
    'time without control',
    'Time for which the flow sent and could not react to anything.',
    { each: ['place'], better: 'less', absent: 'there was no such time' },
  ),
  'flows.*.switchResponses': count(
    'responses',
    'responses of switches to a flow',
    'Responses that the flow took, where they alone control it.',
    { each: ['place'], absent: 'telemetry controls the flow' },
  ),

  'series.*.flow': count('number', 'flow of a series', 'Number of the flow that was sampled.', {
    column: 'flow',
    each: ['place'],
  }),
  'series.*.timeUs.*': time('time of a sample', 'When the flow was sampled.', {
    column: 'time_us',
    each: ['series', 'sample'],
    short: 'time',
  }),
  'series.*.rateGbps.*': rate('pacing rate', 'Rate at which the sender paces its packets.', {
    column: 'rate_gbps',
    each: ['series', 'sample'],
    short: 'rate',
    symbol: 'R',
  }),
  'series.*.windowBytes.*': data('window', 'Payload that may be unacknowledged.', {
    column: 'window_bytes',
    each: ['series', 'sample'],
    symbol: 'W',
  }),
  'series.*.normalizedInflight.*': ratio(
    'U',
    'Bytes in flight on the bottleneck link of the path over its bandwidth-delay product, smoothed.',
    { column: 'u', each: ['series', 'sample'], symbol: 'U' },
  ),
  'series.*.deliveredBytes.*': data(
    'payload that has arrived',
    'Payload delivered in order up to the sample.',
    { column: 'delivered_bytes', each: ['series', 'sample'], short: 'payload', better: 'more' },
  ),

  jain: ratio(
    "Jain's index",
    'Square of the sum of the payload that flows received while all were active, over their number times the sum of squares; 1 is fair where one link is the bottleneck of all.',
    {
      digits: 4,
      short: 'Jain',
      better: 'more',
      absent: 'fewer than two flows were active at a time, or not all flows were sampled',
    },
  ),
  'jainTimeline.*.startUs': time('start of an interval', 'Start of an interval of fairness.', {
    each: ['interval'],
  }),
  'jainTimeline.*.endUs': time('end of an interval', 'End of an interval of fairness.', {
    each: ['interval'],
  }),
  'jainTimeline.*.jain': ratio(
    "Jain's index over time",
    "Jain's index of the payload that flows received in the interval, of flows that were active in all of it.",
    { each: ['interval'], digits: 4, short: "Jain's index", better: 'more' },
  ),
};
