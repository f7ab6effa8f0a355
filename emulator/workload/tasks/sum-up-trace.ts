import { PS_PER_US } from '../../../common/units/units';
import type { Instant } from '../../../common/units/units';
import type {
  CollectiveTimes,
  CriticalPath,
  Phases,
  RankTimes,
  TraceRecord,
} from '../../result/trace-record';
import { busFactor } from '../collectives/collective';
import type { PlannedCollective } from './expand-trace';
import { Intervals } from './intervals';
import { COMPUTE, LOCAL, TRANSFER, WAIT } from './task-plan';
import type { TaskSchedule } from './task-schedule';
import { taskName } from './trace';

/** More collectives than these are counted, not listed. */
const COLLECTIVES_MAX = 1000;
const BITS = 8;
const US_PER_SECOND = 1e6;

const us = (duration: number): number => duration / PS_PER_US;

/** Times of a trace that was run: of the step, of its ranks and collectives, and why it took so long. */
export function sumUpTrace(name: string, schedule: TaskSchedule): TraceRecord {
  const { planned, times, doneAt, startsAt } = schedule;
  const { plan, collectives } = planned;
  const work = workOf(schedule);
  const ranks = ranksOf(schedule, work);
  const unfinished = times.done.reduce((sum, at) => sum + (Number.isNaN(at) ? 1 : 0), 0);
  return {
    name,
    tasks: plan.count,
    unfinishedTasks: unfinished,
    stepUs: doneAt === undefined ? null : us(doneAt - startsAt),
    exposedUs: ranks.reduce((most, { exposedUs }) => Math.max(most, exposedUs), 0),
    ranks,
    collectives: collectives
      .slice(0, COLLECTIVES_MAX)
      .map((collective) => collectiveTimes(schedule, collective)),
    collectivesOmitted: Math.max(0, collectives.length - COLLECTIVES_MAX),
    slowest: doneAt === undefined ? null : criticalPath(schedule, doneAt),
    phases: phasesOf(work, startsAt),
  };
}

interface RankWork {
  readonly computing: Intervals;
  readonly communicating: Intervals;
  finish: Instant;
}

/** Times at which each rank was at work. */
function workOf({ planned, times, startsAt }: TaskSchedule): RankWork[] {
  const { plan, hosts, connections, collectives } = planned;
  const work = hosts.map((): RankWork => ({
    computing: new Intervals(),
    communicating: new Intervals(),
    finish: startsAt,
  }));
  for (let step = 0; step < plan.count; step++) {
    const [from, to] = [times.begun[step] as Instant, times.done[step] as Instant];
    const own = work[plan.rank[step] as number] as RankWork;
    own.finish = Math.max(own.finish, to);
    if (plan.kind[step] === COMPUTE) own.computing.add(from, to);
    if (plan.kind[step] === LOCAL) own.communicating.add(from, to);
    if (plan.kind[step] !== TRANSFER) continue;
    own.communicating.add(from, to);
    const receiver = connections[plan.connection[step] as number]?.to;
    if (receiver !== undefined) work[receiver]?.communicating.add(from, to);
  }
  for (const { ranks, entries, exits } of collectives) {
    ranks.forEach((rank, i) => {
      const [from, to] = [times.done[entries[i] as number], times.done[exits[i] as number]];
      if (from !== undefined && to !== undefined) work[rank]?.communicating.add(from, to);
    });
  }
  return work;
}

function ranksOf({ planned, startsAt }: TaskSchedule, work: readonly RankWork[]): RankTimes[] {
  return work.map(({ computing, communicating, finish }, rank) => ({
    rank,
    host: planned.hosts[rank] as string,
    finishUs: Number.isNaN(finish) ? null : us(finish - startsAt),
    computeUs: us(computing.length),
    communicationUs: us(communicating.length),
    exposedUs: us(communicating.without(computing)),
  }));
}

/** Intervals of all ranks together: a megabyte of text. */
const INTERVALS_MAX = 50_000;
/** Most of one rank's: more than a screen has columns. */
const INTERVALS_OF_RANK_MAX = 1000;

/** Pauses that are too short to be told apart are filled, so that no rank has more intervals than there is room for. */
function phasesOf(work: readonly RankWork[], startsAt: Instant): Phases {
  const end = work.reduce((last, { finish }) => (finish > last ? finish : last), startsAt);
  const most = Math.min(INTERVALS_OF_RANK_MAX, INTERVALS_MAX / (2 * work.length));
  const gap = Math.ceil((end - startsAt) / most);
  const flat = (intervals: Intervals): number[] => intervals.filled(gap).flat().map(us);
  return {
    gapUs: us(gap),
    ranks: work.map(({ computing, communicating }) => ({
      computingUs: flat(computing),
      communicatingUs: flat(communicating),
    })),
  };
}

/** From the first rank that enters to the last one that leaves. */
function collectiveTimes({ times }: TaskSchedule, collective: PlannedCollective): CollectiveTimes {
  const { name, operation, algorithm, ranks, bytes, entries, exits } = collective;
  const entered = entries.map((step) => times.done[step] as Instant);
  const left = exits.map((step) => times.done[step] as Instant);
  const start = entered.reduce((first, at) => (at < first ? at : first), Infinity);
  const end = left.reduce((last, at) => Math.max(last, at), 0);
  const isDone = start !== Infinity && !Number.isNaN(end);
  const timeUs = isDone ? us(end - start) : null;
  // Bandwidth counts from when all are there, as a benchmark's ranks are.
  const all = entered.reduce((last, at) => Math.max(last, at), 0);
  const seconds = us(end - all) / US_PER_SECOND;
  const bandwidth = isDone && seconds > 0 ? (bytes * BITS) / seconds / 1e9 : null;
  const rankAt = (instants: readonly Instant[], at: Instant): number | null =>
    ranks[instants.indexOf(at)] ?? null;
  return {
    name,
    operation,
    algorithm,
    ranks: ranks.length,
    bytes,
    startUs: start === Infinity ? null : us(start),
    timeUs,
    algorithmBandwidthGbps: bandwidth,
    busBandwidthGbps: bandwidth === null ? null : bandwidth * busFactor(operation, ranks.length),
    lastToEnter: isDone ? rankAt(entered, all) : null,
    lastToLeave: isDone ? rankAt(left, end) : null,
  };
}

interface Segment {
  readonly step: number;
  readonly from: Instant;
  readonly to: Instant;
}

/** The steps that each waited for last, back from the last one, with the time that each has taken. */
function segmentsOf({ planned, times, startsAt }: TaskSchedule, doneAt: Instant): Segment[] {
  const { count } = planned.plan;
  const { begun, done, because } = times;
  const segments: Segment[] = [];
  let step = done.lastIndexOf(doneAt);
  if (step === -1) step = count - 1;
  let to = doneAt;
  while (step !== -1) {
    const before = because[step] as number;
    const ended = before === -1 ? startsAt : (done[before] as Instant);
    // It may have waited for the beginning alone.
    const from = Math.min(to, ended <= to ? ended : (begun[before] as Instant));
    segments.push({ step, from, to });
    step = before;
    to = from;
  }
  return segments;
}

function criticalPath(schedule: TaskSchedule, doneAt: Instant): CriticalPath {
  const { planned, startsAt } = schedule;
  const { plan, trace, hosts } = planned;
  const segments = segmentsOf(schedule, doneAt);
  const sum = (kind: number): number =>
    segments.reduce(
      (total, { step, from, to }) => total + (plan.kind[step] === kind ? to - from : 0),
      0,
    );
  const last = segments[0]?.step ?? 0;
  const rank = plan.rank[last] as number;
  const host = hosts[rank] as string;
  const [compute, network, local] = [sum(COMPUTE), sum(TRANSFER), sum(LOCAL)];
  const longest = segments.reduce((most, each) =>
    each.to - each.from > most.to - most.from ? each : most,
  );
  const longestTask = plan.task[longest.step] as number;
  const named = trace.tasks[longestTask];
  const total = doneAt - startsAt;
  const percent = (part: number): string =>
    `${total === 0 ? 0 : Math.round((100 * part) / total)} %`;
  const text =
    `rank ${rank} on ${host} is done last; of the time up to there ${percent(compute)} is computing, ` +
    `${percent(network)} messages in the network, ${percent(local)} messages inside hosts; the longest ` +
    `part is ${named === undefined ? '' : taskName(named, longestTask)}, ` +
    `${us(longest.to - longest.from).toFixed(1)} us`;
  return {
    rank,
    host,
    computeUs: us(compute),
    networkUs: us(network),
    localUs: us(local),
    waitUs: us(sum(WAIT)),
    text,
  };
}
