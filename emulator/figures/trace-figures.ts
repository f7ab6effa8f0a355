import { count, data, other, rate, time } from './figure';
import type { FigureTable } from './figure';

const UNDONE = 'some of its tasks were not done';
const NEVER = 'not all of its ranks have done it';

const RANK = { each: ['trace', 'rank'] } as const;
const COLLECTIVE = { each: ['trace', 'collective'] } as const;
const PATH = { each: ['trace'], absent: 'some tasks were not done' } as const;

/** Figures of workloads whose ranks do tasks. */
export const TRACE_FIGURES: FigureTable = {
  'traces.*.tasks': count('steps', 'steps of a trace', 'Computations, messages and joins.', {
    each: ['trace'],
  }),
  'traces.*.unfinishedTasks': count(
    'steps',
    'unfinished steps of a trace',
    'Those that were not done when the run ended.',
    { each: ['trace'], better: 'less' },
  ),
  'traces.*.stepUs': time('step time', 'From the start of the workload to its last task.', {
    each: ['trace'],
    better: 'less',
    absent: 'some tasks were not done',
  }),
  'traces.*.exposedUs': time(
    'exposed communication',
    'The most of all ranks: time in which a rank has messages or collectives under way and computes nothing.',
    { each: ['trace'], better: 'less' },
  ),
  'traces.*.collectivesOmitted': count(
    'collectives',
    'collectives not listed',
    'Those beyond the first ones.',
    { each: ['trace'] },
  ),

  'traces.*.ranks.*.rank': other('1', 'rank', 'Its number, from 0.', RANK),
  'traces.*.ranks.*.finishUs': time('finish of a rank', 'When its last task was done.', {
    ...RANK,
    short: 'finish',
    better: 'less',
    absent: UNDONE,
  }),
  'traces.*.ranks.*.computeUs': time(
    'computing time of a rank',
    'Time in which any of its processors computes.',
    { ...RANK, short: 'computing' },
  ),
  'traces.*.ranks.*.communicationUs': time(
    'communication time of a rank',
    'Time in which it has messages or collectives under way.',
    { ...RANK, short: 'communication' },
  ),
  'traces.*.ranks.*.exposedUs': time(
    'exposed communication of a rank',
    'The part of it in which the rank computes nothing.',
    { ...RANK, short: 'exposed', better: 'less' },
  ),

  'traces.*.collectives.*.ranks': count('ranks', 'ranks of a collective', 'Those that do it.', {
    ...COLLECTIVE,
    short: 'ranks',
  }),
  'traces.*.collectives.*.bytes': data(
    'length of a collective',
    'The larger of the input and output of a rank, as nccl-tests count.',
    { ...COLLECTIVE, short: 'length' },
  ),
  'traces.*.collectives.*.startUs': time('start of a collective', 'When its first rank entered.', {
    ...COLLECTIVE,
    short: 'start',
    absent: NEVER,
  }),
  'traces.*.collectives.*.timeUs': time(
    'time of a collective',
    'From when its first rank entered to when its last one left.',
    { ...COLLECTIVE, short: 'time', better: 'less', absent: NEVER },
  ),
  'traces.*.collectives.*.algorithmBandwidthGbps': rate(
    'algorithm bandwidth',
    'Length over the time from when all ranks had entered.',
    { ...COLLECTIVE, better: 'more', absent: NEVER },
  ),
  'traces.*.collectives.*.busBandwidthGbps': rate(
    'bus bandwidth',
    'The same times 2(n - 1)/n for all-reduce, (n - 1)/n for gathering, scattering and all-to-all, as nccl-tests do.',
    { ...COLLECTIVE, better: 'more', absent: NEVER },
  ),
  'traces.*.collectives.*.lastToEnter': other(
    '1',
    'last rank to enter',
    'Whom the others waited for.',
    {
      ...COLLECTIVE,
      absent: NEVER,
    },
  ),
  'traces.*.collectives.*.lastToLeave': other('1', 'last rank to leave', 'Who was done last.', {
    ...COLLECTIVE,
    absent: NEVER,
  }),

  'traces.*.phases.gapUs': time(
    'shortest pause of a rank that is kept',
    'In what its phases tell; shorter ones are filled.',
    { each: ['trace'] },
  ),
  'traces.*.phases.ranks.*.computingUs.*': time(
    'computing of a rank',
    'Instants at which it begins and ends, in turn.',
    { each: ['trace', 'rank', 'instant'] },
  ),
  'traces.*.phases.ranks.*.communicatingUs.*': time(
    'communication of a rank',
    'Instants at which it begins and ends, in turn.',
    { each: ['trace', 'rank', 'instant'] },
  ),

  'traces.*.slowest.rank': other('1', 'slowest rank', 'Who was done last.', PATH),
  'traces.*.slowest.computeUs': time(
    'computing on the critical path',
    'Part of the step time, along the tasks that each waited for last.',
    PATH,
  ),
  'traces.*.slowest.networkUs': time(
    'network on the critical path',
    'Messages between hosts, along the same path.',
    PATH,
  ),
  'traces.*.slowest.localUs': time(
    'messages inside hosts on the critical path',
    'Messages between ranks of one host, along the same path.',
    PATH,
  ),
  'traces.*.slowest.waitUs': time(
    'waits on the critical path',
    'Waits that the trace demands, along the same path.',
    PATH,
  ),
};
