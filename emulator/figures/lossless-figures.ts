import { count, data, instant, time } from './figure';
import type { Figure, FigureTable } from './figure';

const NONE = 'switches have no shared buffer';

const counted = (unit: string, name: string, meaning: string): Figure =>
  count(unit, name, meaning, { better: 'less', absent: NONE });

/** Figures of shared memory and pauses (PFC). */
export const LOSSLESS_FIGURES: FigureTable = {
  'lossless.pauses': counted('pauses', 'pauses', 'Frames by which switches stopped senders.'),
  'lossless.resumes': counted('resumes', 'resumes', 'Frames by which they let senders go on.'),
  'lossless.losslessDrops': counted(
    'packets',
    'lossless packets without room',
    'Packets of lossless priorities that found no room: none where the headroom is right.',
  ),
  'lossless.lossyDrops': counted(
    'packets',
    'other packets without room',
    'Packets of other priorities that found no room.',
  ),
  'lossless.storms': counted(
    'storms',
    'storms of pauses',
    'Queues of switches and hosts in which pauses let nothing go, as the watchdog found.',
  ),
  'lossless.stormDrops': counted(
    'packets',
    'packets dropped in storms',
    'Packets that the watchdog dropped.',
  ),
  'lossless.sharedPeakBytes': data(
    'peak of shared memory',
    'Most of the shared memory that a switch used at once.',
    { better: 'less', absent: NONE },
  ),
  'lossless.headroomPeakBytes': data(
    'peak of headroom',
    'Most of the headroom that one port and priority used at once.',
    { better: 'less', absent: NONE },
  ),
  'lossless.pausedUs': time('paused time', 'Sum of the times for which links stood still.', {
    better: 'less',
    absent: NONE,
  }),
  'lossless.links.*.pauses': count('pauses', 'pauses of a link', 'Times that the link stopped.', {
    each: ['link'],
    short: 'pauses',
    better: 'less',
    absent: NONE,
  }),
  'lossless.links.*.pausedUs': time(
    'paused time of a link',
    'Time for which the link stood still, over all its priorities.',
    { each: ['link'], short: 'paused', better: 'less', absent: NONE },
  ),
  'lossless.flows.*.id': count('number', 'held flow', 'Number of the flow.', {
    each: ['place'],
    short: 'flow',
    absent: NONE,
  }),
  'lossless.flows.*.heldUs': time(
    'time held by pauses',
    'Time in queues of switches, summed over packets, and at the host while it had something to send.',
    { each: ['place'], short: 'held', better: 'less', absent: NONE },
  ),
  'lossless.flows.*.victimUs': time(
    'time held for others',
    'The part of it because of links that the flow does not use: its own path was free.',
    { each: ['place'], short: 'held for others', better: 'less', absent: NONE },
  ),
  'lossless.victims': counted(
    'flows',
    'victims of pauses',
    'Flows held while their path was free.',
  ),
  'lossless.deadlocks.*.atUs': instant(
    'begin of a deadlock',
    'When the circle of links had stood still for as long as the scenario says.',
    { each: ['deadlock'], better: 'less', absent: NONE },
  ),
  'lossless.deadlocks.*.endedAtUs': instant(
    'end of a deadlock',
    'When something in the circle moved again.',
    { each: ['deadlock'], better: 'less', absent: 'nothing moved again' },
  ),
};
