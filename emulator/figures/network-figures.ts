import { count, data, other, rate, share, time } from './figure';
import type { Figure, FigureTable } from './figure';

const IN_ORDER = 'all came in order, or over RoCEv2, which does not count it';
const UNCUT = 'no switch has cut data to its headers';
const NEVER_LOW = 'the queue did not come down to 5 KB';

/** Packets and bytes of hosts for one purpose. */
function sentBy(purpose: string, name: string, what: string): FigureTable {
  return {
    [`traffic.${purpose}.packets`]: count('packets', `${name} packets`, `${what}, from all hosts.`),
    [`traffic.${purpose}.bytes`]: data(`${name} bytes`, `${what}, from all hosts, on the wire.`),
  };
}

const counted = (name: string, meaning: string, each: string, absent?: string): Figure =>
  count('packets', name, meaning, {
    each: [each],
    better: 'less',
    ...(absent !== undefined && { absent }),
  });

/** Figures of the run itself, of links and queues, and of what nodes counted. */
export const NETWORK_FIGURES: FigureTable = {
  seed: count('number', 'seed', 'Seed of all randomness of the run.'),
  'parameters.*': other('as in settings.md', 'setting', 'Value of a setting of the hosts.', {
    each: [''],
    absent: 'it is a word, or not given',
  }),
  durationUs: time('duration', 'Virtual time from the beginning to the end of the run.'),
  interruptedAtUs: time('interruption', 'When the run was interrupted.', {
    absent: 'the run was not interrupted',
  }),
  'frames.dataAtHostBytes': data('data frame at the host', 'Largest frame that left a host.'),
  'frames.dataAtBottleneckBytes': data(
    'data frame at the bottleneck',
    'Largest frame on the bottleneck link, which telemetry has lengthened.',
  ),
  'frames.ackBytes': data('acknowledgement frame', 'Largest acknowledgement.'),
  'frames.segmentBytes': data('segment', 'Payload of a full packet.'),

  'bottleneck.queuePeakBytes': data(
    'peak queue',
    'Most bytes that waited at once at the bottleneck, the switch port with the longest queue.',
    { better: 'less' },
  ),
  'bottleneck.queuePeakAtUs': time('time of the peak queue', 'When the queue was longest.'),
  'bottleneck.queueP99Bytes': data(
    'p99 queue',
    'Queue of the bottleneck that 99 % of its samples do not exceed, up to its last transmission.',
    { better: 'less' },
  ),
  'queues.p99Bytes': data(
    'p99 queue of all ports',
    'Queue that 99 % of the samples of all switch ports do not exceed, of each up to its last transmission.',
    { better: 'less', absent: 'no switches, or an experiment on real interfaces' },
  ),
  'bottleneck.drainedAtUs': time(
    'queue down to 5 KB',
    'First sample after the peak with at most 5 KB at the bottleneck.',
    { short: 'drained', better: 'less', absent: NEVER_LOW },
  ),
  'bottleneck.settledAtUs': time(
    'queue settled',
    'First sample after the last one with more than 5 KB at the bottleneck.',
    { short: 'settled', better: 'less', absent: NEVER_LOW },
  ),
  'bottleneck.utilization': share(
    'utilisation of the bottleneck',
    'Wire bytes over what the link could carry from its first to its last transmission.',
    { short: 'used', better: 'more' },
  ),
  'queueTimeline.startUs': time('first sample of the queue', 'When sampling began.'),
  'queueTimeline.intervalUs': time('interval of queue samples', 'Time between two samples.'),
  'queueTimeline.bytes.*': data('queue', 'Bytes that wait at the bottleneck.', {
    column: 'queue_bytes',
    each: ['sample'],
    better: 'less',
  }),
  'timelines.intervalUs': time('interval of timelines', 'Length of the intervals of timelines.', {
    absent: 'links were not sampled all the time, as under Mininet',
  }),
  'timelines.links.*.sentBytes.*': data(
    'bytes sent in an interval',
    'Wire bytes whose transmission began in the interval.',
    { each: ['link', 'interval'] },
  ),
  'timelines.links.*.queuePeakBytes.*': data(
    'longest queue of an interval',
    'Longest queue before the link at the samples of the interval.',
    { each: ['link', 'interval'], short: 'queue', better: 'less' },
  ),
  'timelines.droppedPackets.*': count(
    'packets',
    'packets lost in an interval',
    'Packets that switches dropped, and that links lost.',
    { each: ['interval'], short: 'lost packets', better: 'less' },
  ),
  'timelines.feedbackPackets.*': count(
    'packets',
    'feedback in an interval',
    'Feedback packets that reached senders, and records in acknowledgements.',
    { each: ['interval'], short: 'feedback packets' },
  ),

  'links.*.rateGbps': rate('capacity', 'Capacity of the link.', { each: ['link'] }),
  'links.*.packets': count('packets', 'packets on a link', 'Packets that the link carried.', {
    each: ['link'],
  }),
  'links.*.bytes': data('bytes on a link', 'Wire bytes that the link carried.', {
    each: ['link'],
  }),
  'links.*.lostPackets': counted('packets that a link lost', 'Packets lost on the wire.', 'link'),
  'links.*.queuePeakBytes': data('peak queue of a link', 'Longest queue before the link.', {
    each: ['link'],
    better: 'less',
  }),
  'topology.links.*.rateGbps': rate('capacity of a cable', 'Capacity in each direction.', {
    each: ['link'],
  }),
  'topology.links.*.backRateGbps': rate(
    'capacity back',
    'Capacity from b to a, where it differs.',
    {
      each: ['link'],
    },
  ),
  'topology.links.*.delayUs': time('propagation delay', 'Propagation delay in each direction.', {
    each: ['link'],
  }),
  'topology.links.*.backDelayUs': time('delay back', 'Delay from b to a, where it differs.', {
    each: ['link'],
  }),

  ...sentBy('data', 'data', 'Packets with payload of flows'),
  ...sentBy('probes', 'probe', 'Probes'),
  ...sentBy('acks', 'acknowledgement', 'Acknowledgements'),
  ...sentBy(
    'feedback',
    'feedback',
    'Congestion feedback: records in acknowledgements, responses, notifications and windows',
  ),

  'reordering.packets': count(
    'packets',
    'reordered data packets',
    'Data packets that arrived behind later ones of their flow, other than what was sent again.',
    { short: 'reordered', better: 'less', absent: IN_ORDER },
  ),
  'reordering.share': share('share of reordered packets', 'The same of all data packets.', {
    better: 'less',
    absent: IN_ORDER,
  }),
  'reordering.meanBytes': data(
    'mean distance of reordering',
    'Bytes of the flow by which a reordered packet was behind (RFC 4737, section 4.3), on average.',
    { better: 'less', absent: IN_ORDER },
  ),
  'reordering.maxBytes': data('largest distance of reordering', 'The same of the latest packet.', {
    better: 'less',
    absent: IN_ORDER,
  }),

  'trimming.headers': count(
    'headers',
    'trimmed data packets',
    'Headers of data that receivers got because switches had cut off the payload.',
    { short: 'trimmed', better: 'less', absent: UNCUT },
  ),
  'trimming.share': share('share of trimmed packets', 'The same of all data packets.', {
    better: 'less',
    absent: UNCUT,
  }),

  'counters.packetHops': count('packet-hops', 'packet-hops', 'Packets times links they crossed.'),
  'counters.events': count('events', 'events', 'Events that the emulator handled.'),
  'counters.telemetryRecords': count(
    'records',
    'telemetry records checked',
    "Hop records of switches that were compared with the network's own ledger.",
  ),
  'counters.drops.*': counted('drops of a switch', 'Packets that it dropped, by reason.', ''),
  'counters.hostRejections.*': counted('refused by hosts', 'Packets that hosts refused.', ''),
  'counters.telemetryRejections.*': counted(
    'telemetry refused',
    'Telemetry that flows refused, by reason.',
    '',
    'plausibility is not checked',
  ),
  'counters.lies': count(
    'packets',
    'forged packets',
    'Packets whose telemetry was forged, or that were repeated.',
    { absent: 'nothing is forged' },
  ),
  'counters.programs.*': count(
    'as counted',
    'counter of a P4 program',
    'Cell of a counter; zeros are left out.',
    { each: [''], absent: 'the program counts nothing' },
  ),

  'judged.*': other('as the judge says', 'found by the judge', 'Number that the judge returned.', {
    each: [''],
    absent: 'the study has no judge',
  }),
};
