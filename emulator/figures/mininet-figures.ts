import { count, data, other, ratio, share, time } from './figure';
import type { FigureTable } from './figure';

const NO_QUEUE = 'no queue was sampled';

const NO_COLLECTOR = 'no collector took reports';

/** Figures of runs on real interfaces under Mininet, by their keys there. */
export const MININET_FIGURES: FigureTable = {
  'mininet.rateMbps': other('Mb/s', 'capacity of the bottleneck', 'As the experiment sets it.', {
    short: 'bottleneck',
  }),
  'mininet.utilisation': share(
    'utilisation under Mininet',
    'Wire bytes over what the bottleneck could carry while flows were busy.',
    { short: 'utilisation', better: 'more' },
  ),
  'mininet.throughputMbps': other(
    'Mb/s',
    'payload rate',
    'Payload of measured flows over the time in which they were busy.',
    { short: 'payload', better: 'more', absent: 'no flow is measured' },
  ),
  'mininet.queueP99Packets': other(
    'packets',
    'p99 queue in packets',
    'Queue of the bottleneck that 99 % of its samples do not exceed, over the size of a frame.',
    { short: 'queue p99', better: 'less', absent: NO_QUEUE },
  ),
  'mininet.queueMaxPackets': other(
    'packets',
    'peak queue in packets',
    'Longest queue of the bottleneck over the size of a frame.',
    { short: 'queue max', better: 'less', absent: NO_QUEUE },
  ),
  'mininet.queueDelayP99Ms': other(
    'ms',
    'p99 queueing delay',
    'Time that the bottleneck takes to send its p99 queue.',
    { short: 'queueing delay p99', better: 'less', absent: NO_QUEUE },
  ),
  'mininet.drainRtts': other(
    'T',
    'queue drained after',
    'Time from the first long queue of flows that begin together to the first short one after its peak, in base RTTs.',
    { better: 'less', absent: 'no flows begin together, or the queue stayed long' },
  ),
  'mininet.drops': count('packets', 'drops under Mininet', 'Packets that switches dropped.', {
    short: 'drops',
    better: 'less',
    absent: 'switches do not count them',
  }),
  'mininet.retransmissions': count('segments', 'retransmissions', 'Segments sent again.', {
    better: 'less',
  }),
  'mininet.timeouts': count(
    'timeouts',
    'timeouts under Mininet',
    'Times that a flow heard nothing for so long that it sent all again.',
    { short: 'timeouts', better: 'less', absent: 'all flows are of TCP' },
  ),
  'mininet.trimmedPackets': count(
    'packets',
    'trimmed data under Mininet',
    'Headers that receivers got of data whose payload switches had cut off.',
    { short: 'trimmed', absent: 'switches do not trim' },
  ),
  'mininet.reorderedPackets': count(
    'packets',
    'reordered data under Mininet',
    'Data that arrived behind later data of its flow, other than what was sent again.',
    { short: 'reordered', absent: 'no flow takes several paths at once' },
  ),
  'mininet.jainSecondHalf': ratio(
    "Jain's index, second half",
    "Jain's index of measured flows in the second half of the time that they share.",
    { digits: 4, better: 'more', absent: 'fewer than two flows are measured' },
  ),
  'mininet.fairAfterSeconds': other(
    's',
    'fair after, under Mininet',
    'Time until measured flows shared the bottleneck fairly.',
    { short: 'fair after', better: 'less', absent: 'they never did' },
  ),
  'mininet.firstShare': share(
    'share of the first flow',
    'Part of the payload that the first measured flow received.',
    { absent: 'fewer than two flows are measured' },
  ),
  'mininet.feedbackPerData': ratio(
    'feedback per data packet',
    'Feedback packets over data packets.',
    { absent: 'no data was sent' },
  ),
  'mininet.controlUpdatesPerRtt': ratio(
    'control updates per T',
    'Updates of the algorithm per flow and base RTT.',
    { absent: 'hosts trace no updates' },
  ),
  'mininet.recoverySeconds': other(
    's',
    'recovered after',
    'Time from the first failure of a link until flows had their rate again.',
    { better: 'less', absent: 'nothing failed, or it never came back' },
  ),
  'mininet.lostBytes': count('bytes', 'bytes lost', 'Payload that never arrived.', {
    better: 'less',
  }),
  'mininet.miceFctP99Ms': other('ms', 'p99 FCT of mice', 'Of flows that are mice.', {
    short: 'FCT of mice p99',
    better: 'less',
    absent: 'no flow is a mouse',
  }),
  'mininet.controlRequired': count('notifications', 'type 1 at hosts', 'Those that arrived.'),
  'mininet.controlReleased': count('notifications', 'type 2 at hosts', 'Those that arrived.'),
  'mininet.reroutingRequired': count('notifications', 'type 3 at hosts', 'Those that arrived.'),
  'mininet.pathChanges': count('changes', 'changes of path under Mininet', 'Of all flows.', {
    short: 'changes of path',
  }),
  'mininet.telemetryReports': count(
    'datagrams',
    'telemetry reports',
    'Datagrams of reports that the collector has taken.',
    { short: 'reports', absent: NO_COLLECTOR },
  ),
  'mininet.reportGaps': count(
    'datagrams',
    'missing reports',
    'Datagrams that are missing by the sequence numbers of each switch.',
    { better: 'less', absent: NO_COLLECTOR },
  ),
  'mininet.undecodedReports': count(
    'datagrams',
    'datagrams that were no reports',
    'Those that the collector could not read.',
    { short: 'undecoded', better: 'less', absent: NO_COLLECTOR },
  ),
  'mininet.wrongPaths': count(
    'flows',
    'flows with wrong paths',
    'Flows whose reports do not lead from link to link between their hosts, or that have none.',
    { short: 'wrong paths', better: 'less', absent: NO_COLLECTOR },
  ),
  'mininet.implausibleHops': count(
    'hops',
    'implausible hops',
    'Hops of flows without a latency, or with a mean above 1.5 of the longest round trip of their TCP.',
    { better: 'less', absent: NO_COLLECTOR },
  ),
  'mininet.delayMs': other(
    'ms',
    'queueing delay',
    'Time that a packet waited at the bottleneck, by its telemetry.',
    { short: 'delay', better: 'less' },
  ),
  'mininet.delayShare': share(
    'share of longer delays',
    'Part of the telemetry records with more than a delay.',
    { short: 'share', better: 'less' },
  ),
};

/** Figures of telemetry in captures, over time. */
export const CAPTURE_FIGURES: FigureTable = {
  'capture.queueBytes': other(
    'as the axis says',
    'queue of a link in telemetry',
    'Longest queue of an interval that records of the link tell.',
    { short: 'queue', better: 'less', absent: 'the carrier does not tell queues' },
  ),
  'capture.latencyNs': other(
    'as the axis says',
    'latency of a switch in telemetry',
    'Longest time in the switch of an interval.',
    { short: 'latency', better: 'less', absent: 'the carrier does not tell times' },
  ),
  'capture.rate': other(
    'as the axis says',
    'rate of a link in telemetry',
    "Difference of the switch's own counter over that of its clock.",
    { short: 'rate', absent: 'the carrier does not tell counters' },
  ),
};

/** Figures of hops in telemetry reports, mean and longest, in printed tables. */
export const REPORTED_HOP_FIGURES: FigureTable = {
  'int.hops.*.latencyUs': time(
    'latency of a hop',
    'Time of a packet in a switch, by its reports.',
    {
      each: ['hop'],
      better: 'less',
      absent: 'reports do not tell it',
    },
  ),
  'int.hops.*.queueBytes': data('queue of a hop', 'Queue that a packet found, by its reports.', {
    each: ['hop'],
    better: 'less',
    absent: 'reports do not tell it',
  }),
};
