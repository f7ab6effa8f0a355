import { count, data, instant, time } from './figure';
import type { Figure, FigureTable } from './figure';

const NONE = 'switches do not coordinate (hpcc-ccm)';

const counted = (unit: string, name: string, meaning: string, isBad = false): Figure =>
  count(unit, name, meaning, { absent: NONE, ...(isBad && { better: 'less' }) });

/** Notifications of the three types, counted at one place. */
function notifications(at: string, where: string): FigureTable {
  const row = (type: number, about: string): Figure =>
    counted('notifications', `type ${type} ${where}`, `Notifications ${where}: ${about}.`);
  return {
    [`coordination.${at}.controlRequired`]: row(1, 'congestion control required'),
    [`coordination.${at}.controlReleased`]: row(2, 'congestion control released'),
    [`coordination.${at}.reroutingRequired`]: row(3, 'rerouting required'),
  };
}

const FAULTS = {
  genuine: 'without a fault',
  lost: 'lost on purpose',
  duplicated: 'doubled',
  delayed: 'delayed',
  forged: 'forged',
  replayed: 'repeated later',
} as const;

/** Faults of notifications on their last links. */
const faults = (at: string): FigureTable =>
  Object.fromEntries(
    Object.entries(FAULTS).map(([key, what]) => [
      `coordination.faults.${at}.${key}`,
      count(
        'notifications',
        `notifications to ${at}, ${what}`,
        `Notifications on the last links before ${at}.`,
        { absent: 'the scenario has no faults of notifications' },
      ),
    ]),
  );

const eachFlow = (unit: string, name: string, meaning: string): Figure =>
  count(unit, name, meaning, { each: ['place'], absent: NONE });

const span = (name: string, meaning: string, absent?: string): Figure =>
  time(name, meaning, { each: ['span'], ...(absent !== undefined && { absent }) });

/** Figures of workloads, and of the coordination of routing and congestion control. */
export const COORDINATION_FIGURES: FigureTable = {
  'collectives.*.connections': count(
    'connections',
    'connections of a workload',
    'Connections that the workload uses.',
    { each: ['workload'] },
  ),
  'collectives.*.bytes': data('payload of a workload', 'Payload of all its connections.', {
    each: ['workload'],
  }),
  'collectives.*.startUs': time('start of a workload', 'When its first message was sent.', {
    each: ['workload'],
    short: 'start',
  }),
  'collectives.*.completionUs': time(
    'completion time of a workload',
    'From its first message sent to its last one arrived.',
    {
      each: ['workload'],
      short: 'completion',
      better: 'less',
      absent: 'the last message never arrived',
    },
  ),

  'coordination.packets': counted(
    'packets',
    'data packets received',
    'Data packets that arrived at their receivers.',
  ),
  'coordination.reordered': counted(
    'packets',
    'reordered packets',
    "Packets that arrived at the receiver's link after one that had left the sender later.",
    true,
  ),
  'coordination.reroutes': counted(
    'changes',
    'changes of path at switches',
    'Changes of the egress port of a flow at any switch.',
  ),
  'coordination.taggedReroutes': counted(
    'changes',
    'changes of path with the CC indicator',
    'Those of packets with the CC indicator.',
  ),
  'coordination.sourceReroutes': counted(
    'changes',
    'changes of path at senders',
    'Changes of the source port of a flow.',
  ),
  'coordination.reductionsBelowFair': counted(
    'reductions',
    'reductions below fair',
    'Reductions below three quarters of the fair rate while the CC indicator was clear and a light path existed.',
    true,
  ),
  ...notifications('sent', 'sent by switches'),
  ...notifications('received', 'received'),
  ...notifications('taken', 'accepted by hosts'),
  'coordination.tagged': counted('times', 'flows tagged', 'Times that a flow was tagged.'),
  'coordination.released': counted('times', 'released by type 2', 'Tags that a type 2 ended.'),
  'coordination.expired': counted('times', 'released by timeout', 'Tags that a timeout ended.'),
  'coordination.marked': counted('times', 'tagged by CE', 'Tags because of a CE mark.'),
  'coordination.refused.*': count(
    'notifications',
    'notifications refused',
    'Notifications that hosts refused, by reason.',
    { each: [''], absent: NONE },
  ),
  'coordination.outdatedRequests': counted(
    'notifications',
    'outdated type 1',
    'Type 1 that came to a host after a later type 2 of the same switch.',
  ),
  'coordination.controlled.*.flow': eachFlow('number', 'controlled flow', 'Number of the flow.'),
  'coordination.controlled.*.fromUs': span('control begins', 'When control of the flow began.'),
  'coordination.controlled.*.toUs': span(
    'control ends',
    'When control of the flow ended.',
    'the flow or the run ended first',
  ),
  'coordination.controlled.*.lastRequestUs': span(
    'last type 1',
    'Last type 1 of a switch that had not released the flow.',
    'there is none',
  ),
  'coordination.controlled.*.lastMarkUs': span(
    'last CE mark',
    'Last echo of a CE mark until the end.',
    'there is none',
  ),
  ...faults('hosts'),
  ...faults('switches'),
  'coordination.flows.*.id': eachFlow('number', 'coordinated flow', 'Number of the flow.'),
  'coordination.flows.*.packets': eachFlow(
    'packets',
    'data packets of a flow',
    'Data packets that arrived at the receiver.',
  ),
  'coordination.flows.*.reordered': eachFlow(
    'packets',
    'reordered packets of a flow',
    'Packets that arrived after one that had left later.',
  ),
  'coordination.flows.*.reroutes': eachFlow(
    'changes',
    'changes of path of a flow',
    'Changes of its egress port at any switch.',
  ),
  'coordination.flows.*.taggedReroutes': eachFlow(
    'changes',
    'changes of path of a flow with the CC indicator',
    'Those of packets with the CC indicator.',
  ),
  'coordination.flows.*.sourceReroutes': eachFlow(
    'changes',
    'changes of path of a flow at its sender',
    'Changes of its source port.',
  ),
  'coordination.flows.*.tagged': eachFlow('times', 'tags of a flow', 'Times it was tagged.'),
  'coordination.flows.*.reductionsBelowFair': eachFlow(
    'reductions',
    'reductions of a flow below fair',
    'Reductions below three quarters of the fair rate without need.',
  ),
  'coordination.log.*.atUs': instant('instant of an entry', 'When it happened.', {
    each: ['entry'],
    short: 'instant',
  }),
  'coordination.log.*.flow': eachFlow('number', 'flow of an entry', 'Number of the flow.'),
  'coordination.logOmitted': counted('entries', 'entries left out', 'Entries beyond the log.'),
};
