import { count, data, rate, ratio, share, time } from './figure';
import type { FigureTable } from './figure';

/** Figures that comparisons compute from results, by their keys below `compare`. */
export const COMPARISON_FIGURES: FigureTable = {
  'compare.queueP50Bytes': data('p50 queue', 'Queue that half of the samples do not exceed.', {
    better: 'less',
  }),
  'compare.queueP95Bytes': data('p95 queue', 'Queue that 95 % of the samples do not exceed.', {
    better: 'less',
  }),
  'compare.queueShare': share(
    'share of time',
    'Part of the time for which the queue of the bottleneck was at most so long.',
  ),
  'compare.goodputGbps': rate(
    'goodput',
    'Payload of all flows over the time from the first start to the last end.',
    { better: 'more' },
  ),
  'compare.throughputGbps': rate(
    'throughput',
    'Payload delivered in the whole run over its duration.',
    { better: 'more' },
  ),
  'compare.completionUs': time(
    'workloads complete',
    'When the last message of the last workload had arrived.',
    { better: 'less', absent: 'a workload was never complete' },
  ),
  'compare.jainAfterJoins': ratio(
    "Jain's index after joins",
    "Lowest of Jain's index half a millisecond after flows joined others.",
    { digits: 4, short: 'Jain after joins', better: 'more', absent: 'no flow joined others' },
  ),
  'compare.fairAfterUs': time(
    'fair after',
    "Time from the last join until Jain's index of an interval was 0.95.",
    { better: 'less', absent: 'no flow joined others, or it never was' },
  ),
  'compare.feedbackPerRtt': ratio(
    'feedback packets per RTT',
    'Feedback packets per flow and base RTT that the flow lasted.',
    { short: 'feedback per RTT' },
  ),
  'compare.switchResponses': count(
    'responses',
    'responses of switches',
    'Responses that switches sent by themselves.',
    { short: 'switch responses' },
  ),
  'compare.refused': count(
    'packets',
    'refused feedback',
    'Feedback packets and telemetry that hosts refused.',
    { short: 'refused', better: 'less' },
  ),
  'compare.drops': count('packets', 'drops', 'Packets that switches dropped.', {
    better: 'less',
  }),
  'compare.lostOnLinks': count(
    'packets',
    'packets that links lost',
    'Packets that links lost: by their loss rate, or on the way when they failed.',
    { short: 'lost on links', better: 'less' },
  ),
  'compare.reroutes': count(
    'changes',
    'changes of path',
    'Changes of path of flows, at switches and senders.',
  ),
  'compare.runs': count('runs', 'runs', 'Runs with different seeds, of which means are shown.'),
  'compare.violations': count(
    'violations',
    'violations',
    'Broken invariants, and one more each where flows did not finish or had no control.',
    { better: 'less' },
  ),
  'compare.sizeFlows': count('flows', 'finished flows of a size', 'Of all runs together.', {
    short: 'flows',
  }),
};

/** Figures of networks that are watched while they work. */
export const LIVE_FIGURES: FigureTable = {
  'live.load': share(
    'load of the busiest link now',
    'Wire bytes of the newest whole interval over what the link could carry in it.',
  ),
  'live.pacedGbps': rate('paced by all flows now', 'Sum of the newest pacing rates of all flows.'),
};
