import { bitRate, count, data, ratio, seconds } from './figure';
import type { FigureTable } from './figure';

const NO_LINK = 'no telemetry has shown a link';

/** Figures of flows that a host sends for real, by their keys in the report of `hpcc send --json`. */
export const SEND_FIGURES: FigureTable = {
  'sent.flows.*.acknowledgedBytes': data(
    'payload acknowledged',
    'Payload of the flow that is acknowledged.',
    {
      each: ['place'],
      short: 'payload',
      better: 'more',
    },
  ),
  'sent.flows.*.seconds': seconds(
    'FCT of a sent flow',
    'Flow completion time; so far, of an unfinished flow.',
    {
      each: ['place'],
      short: 'time',
      better: 'less',
    },
  ),
  'sent.flows.*.bitsPerSecond': bitRate(
    'throughput of a sent flow',
    'Payload acknowledged over the time of the flow.',
    {
      each: ['place'],
      short: 'throughput',
      better: 'more',
    },
  ),
  'sent.flows.*.segmentsRetransmitted': count(
    'segments',
    'segments of a sent flow sent again',
    'Segments that the flow sent more than once.',
    {
      each: ['place'],
      short: 'sent again',
      better: 'less',
    },
  ),
  'sent.flows.*.timeouts': count(
    'timeouts',
    'timeouts of a sent flow',
    'Times that nothing was heard for so long that the flow sent all again.',
    {
      each: ['place'],
      short: 'timeouts',
      better: 'less',
    },
  ),
  'sent.flows.*.windowBytes': data(
    'window of a sent flow at its end',
    'Payload that might be unacknowledged when it ended.',
    {
      each: ['place'],
      short: 'window',
      symbol: 'W',
    },
  ),
  'sent.flows.*.queueBytesMax': data(
    'longest queue that a sent flow saw',
    'Longest queue of any link in the telemetry of the flow.',
    {
      each: ['place'],
      short: 'queue max',
      better: 'less',
      absent: NO_LINK,
    },
  ),
  'sent.flows.*.hops': count(
    'links',
    'links with telemetry',
    'Links in the newest telemetry of the flow.',
    {
      each: ['place'],
      short: 'hops',
      absent: NO_LINK,
    },
  ),
  'sent.flows.*.uncontrolledSeconds': seconds(
    'time of a sent flow without control',
    'Time for which the flow sent and could not react to anything.',
    {
      each: ['place'],
      better: 'less',
    },
  ),
  'sent.total.jain': ratio(
    "Jain's index of sent flows",
    'Square of the sum of their throughputs over their number times the sum of squares.',
    {
      short: "Jain's index",
      digits: 4,
      better: 'more',
    },
  ),
  'sent.total.fctSeconds.median': seconds(
    'median FCT of sent flows',
    'Of finished flows, within 1 %.',
    {
      short: 'FCT median',
      better: 'less',
    },
  ),
  'sent.total.fctSeconds.p99': seconds('p99 FCT of sent flows', 'Of finished flows, within 1 %.', {
    short: 'p99',
    better: 'less',
  }),
  'sent.total.fctSeconds.max': seconds(
    'longest FCT of sent flows',
    'Of finished flows, within 1 %.',
    {
      short: 'max',
      better: 'less',
    },
  ),
  'sent.total.unfinishedFlows': count(
    'flows',
    'unfinished sent flows',
    'Flows that did not finish.',
    {
      short: 'unfinished',
      better: 'less',
    },
  ),
  'intervals.*.*.bytes': data(
    'payload of an interval',
    'Payload that was acknowledged in the interval.',
    {
      each: ['interval', 'place'],
      short: 'payload',
      better: 'more',
    },
  ),
  'intervals.*.*.bitsPerSecond': bitRate(
    'throughput of an interval',
    'Payload acknowledged over the interval.',
    {
      each: ['interval', 'place'],
      short: 'throughput',
      better: 'more',
    },
  ),
  'intervals.*.*.segmentsRetransmitted': count(
    'segments',
    'segments of an interval sent again',
    'Segments sent more than once.',
    {
      each: ['interval', 'place'],
      short: 'sent again',
      better: 'less',
    },
  ),
  'intervals.*.*.windowBytes': data(
    'window of an interval',
    'Payload that might be unacknowledged at its end.',
    {
      each: ['interval', 'place'],
      short: 'window',
      symbol: 'W',
    },
  ),
  'intervals.*.*.queueBytes': data(
    'queue of an interval',
    'Longest queue of any link in the newest telemetry.',
    {
      each: ['interval', 'place'],
      short: 'queue',
      better: 'less',
      absent: NO_LINK,
    },
  ),
};
