import { count, ratio, share, time } from './figure';
import type { FigureTable } from './figure';

const NONE = 'no flow was asked about: hpcc run --why';

/** Figures of the time of flows by cause. */
export const CAUSE_FIGURES: FigureTable = {
  'causes.*.flow': count('number', 'explained flow', 'Number of the flow.', {
    each: ['place'],
    short: 'flow',
    absent: NONE,
  }),
  'causes.*.startUs': time('start of an explained flow', 'Start of the flow.', {
    each: ['place'],
    short: 'start',
    absent: NONE,
  }),
  'causes.*.fctUs': time(
    'FCT of an explained flow',
    'From the start of the flow to its last acknowledgement: the sum of its parts.',
    { each: ['place'], short: 'FCT', better: 'less', absent: NONE },
  ),
  'causes.*.idealFctUs': time(
    'FCT of an explained flow alone',
    'Alone on idle links at line rate, with its own frames.',
    { each: ['place'], short: 'FCT alone', absent: NONE },
  ),
  'causes.*.slowdown': ratio(
    'slowdown of an explained flow',
    'Completion time over that of the same flow alone on idle links.',
    { each: ['place'], short: 'slowdown', better: 'less', absent: NONE },
  ),
  'causes.*.parts.*.timeUs': time(
    'time by cause',
    'Time that the last acknowledgement of the flow had to wait for this, at this place.',
    { each: ['place', 'part'], short: 'time', better: 'less', absent: NONE },
  ),
  'causes.*.parts.*.share': share('share of a cause', 'This time over the completion time.', {
    each: ['place', 'part'],
    short: 'share',
    better: 'less',
    absent: NONE,
  }),
  'causes.*.parts.*.fromUs': time(
    'begin of a cause',
    'Begin of the shortest span with at least half of it.',
    { each: ['place', 'part'], short: 'half of it from', absent: NONE },
  ),
  'causes.*.parts.*.toUs': time(
    'end of a cause',
    'End of the shortest span with at least half of it.',
    {
      each: ['place', 'part'],
      short: 'half of it to',
      absent: NONE,
    },
  ),
  'causes.*.parts.*.flows.*.id': count(
    'number',
    'flow before it',
    'Number of a flow whose packets were before it; none: packets of no flow.',
    { each: ['place', 'part', 'rank'], short: 'flow', absent: NONE },
  ),
  'causes.*.parts.*.flows.*.timeUs': time('time of a flow before it', 'Time that those took.', {
    each: ['place', 'part', 'rank'],
    short: 'time',
    better: 'less',
    absent: NONE,
  }),
};
