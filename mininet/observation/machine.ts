import { z } from 'zod';
import { percentileOf } from '../../common/statistics/statistics';
import type { MachineCapacity } from '../experiment/parameters';
import type { SwitchKind } from '../experiment/switch-kinds';
import { busyTime } from './observation';
import type { Observation } from './observation';
import type { LateCounts } from './outputs';

/**
 * Figures of the machine, by which a run under Mininet is judged: did it measure the network or the
 * machine? Unlike the rest of a result, this has wall-clock figures.
 */
export const machineSchema = z.strictObject({
  switchKind: z.enum(['bmv2', 'embedded']),
  cores: z.number(),
  versions: z.record(z.string(), z.string()),
  /** Unix time in seconds; null when the run never became ready. */
  readySince: z.number().nullable(),
  /** From the first node until hosts may send: links, processes, programs and entries; null when not measured. */
  startSeconds: z.number().nullable().default(null),
  wallSeconds: z.number(),
  /** Share of the processors without work while flows were active: its mean, and its 5th percentile. */
  idleMean: z.number().nullable(),
  idleLow: z.number().nullable(),
  /**
   * Share of the processors that the run left over. Its processes come before all others, so this
   * says more than the idle time where other programs run too.
   */
  leftMean: z.number(),
  /** True if its processes were scheduled in real time. */
  realtime: z.boolean(),
  /** Packets per second that the busiest switch forwarded. */
  carriedPacketsPerSecond: z.number(),
  /**
   * Packets per second that one such switch forwards, as measured by the doctor; null when it has
   * not.
   */
  capacityPacketsPerSecond: z.number().nullable(),
  /** False when the figures may be the machine's and not the network's; `reasons` say why. */
  valid: z.boolean(),
  reasons: z.array(z.string()),
  /** Exit codes by process; null when a signal ended it. */
  exitCodes: z.record(z.string(), z.number().nullable()),
});

export type Machine = z.infer<typeof machineSchema>;

/**
 * Below this share of idle time others' work may have held up what is not scheduled in real time, and
 * the figures are then theirs.
 */
const CROWDED_IDLE = 0.1;
/** A machine of which a run leaves less than this share is saturated. */
const SATURATED_LEFT = 0.3;
/** A switch that forwards more than this share of its capacity is. */
const SATURATED_SHARE = 0.9;
/**
 * Share of one processor, start and end of the process included; a thread that uses more is saturated. With less it
 * still carries more, as longer batches cost less for each packet.
 */
const SATURATED_THREAD = 0.97;
/** Share of a process's turns; if more of them are late by T, lateness decides what senders do. */
const LATE_SHARE = 0.02;
/** Late turns of a process; fewer are those of a start or of a node without traffic, and no flow feels them. */
const LATE_TURNS = 5;
const LOW_PERCENTILE = 0.05;

/** Facts about a run that are known before it begins. */
export interface MachineSetting {
  readonly kind: SwitchKind;
  readonly capacity: MachineCapacity | undefined;
  readonly realtime: boolean;
  /** Advice for a lighter run, as the end of a sentence. */
  readonly lighter: string;
}

export function machineOf(observation: Observation, setting: MachineSetting): Machine {
  const { kind, capacity, realtime, lighter } = setting;
  const { run } = observation;
  const idle = idleWhileBusy(observation);
  const idleMean = idle.length === 0 ? null : idle.reduce((a, b) => a + b, 0) / idle.length;
  const carried = busiestSwitch(observation);
  const capable = capacity?.packetsPerSecond[kind] ?? null;
  const leftMean = 1 - ownShare(observation);
  const reasons = [
    ...processorSaturation(leftMean, lighter),
    ...threadSaturation(observation, setting),
    ...crowding(idleMean, setting),
    ...switchSaturation(carried, capable),
    ...overflows(observation),
    ...lateness(observation, lighter),
    ...failures(observation),
  ];
  return {
    switchKind: kind,
    cores: run.cores,
    versions: run.versions,
    readySince: run.readySince,
    startSeconds: run.startSeconds,
    wallSeconds: run.durationSeconds ?? 0,
    idleMean,
    idleLow: idle.length === 0 ? null : percentileOf(idle, LOW_PERCENTILE),
    leftMean,
    realtime,
    carriedPacketsPerSecond: Math.round(carried),
    capacityPacketsPerSecond: capable === null ? null : Math.round(capable),
    valid: reasons.length === 0,
    reasons,
    exitCodes: Object.fromEntries(run.processes.map(({ name, exitCode }) => [name, exitCode])),
  };
}

function idleWhileBusy(observation: Observation): number[] {
  const { from, to } = busyTime(observation);
  return observation.cpu
    .filter(({ seconds }) => seconds >= from && seconds <= to)
    .map(({ idle }) => idle);
}

/** Packets per second that left the switch that sent most, from the first sample to the last. */
function busiestSwitch(observation: Observation): number {
  const { from, to } = busyTime(observation);
  const inside = observation.ports.filter(({ seconds }) => seconds >= from && seconds <= to);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || last.seconds <= first.seconds) return 0;
  const sent = new Map<string, number>();
  for (const [port, { txPackets }] of Object.entries(last.ports)) {
    const name = port.slice(0, port.lastIndexOf(':'));
    const packets = txPackets - (first.ports[port]?.txPackets ?? 0);
    sent.set(name, (sent.get(name) ?? 0) + packets);
  }
  return Math.max(0, ...sent.values()) / (last.seconds - first.seconds);
}

/** Processor time of the run's processes, each averaged over its life. */
function ownShare(observation: Observation): number {
  const { from, to } = busyTime(observation);
  const { processes, cores } = observation.run;
  const used = processes.reduce((sum, { startedSeconds, endedSeconds, cpuSeconds }) => {
    if (startedSeconds === null || endedSeconds === null || cpuSeconds === null) return sum;
    const inside = Math.min(to, endedSeconds) - Math.max(from, startedSeconds);
    if (inside <= 0) return sum;
    return sum + (cpuSeconds * inside) / (endedSeconds - startedSeconds);
  }, 0);
  return to > from ? used / (cores * (to - from)) : 0;
}

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;

function processorSaturation(left: number, lighter: string): string[] {
  if (left >= SATURATED_LEFT) return [];
  const found = `the run's own processes left ${percent(left)} of the processors`;
  return [`${found}, below ${percent(SATURATED_LEFT)}: ${lighter}`];
}

/**
 * Processes without time to spare. Ours handle packets in one thread, so that one may be saturated where most
 * processors are idle. Left out are switches of bmv2, which have many, and commands of the experiment, which may.
 */
function threadSaturation(observation: Observation, { kind, lighter }: MachineSetting): string[] {
  const { run, plan, own } = observation;
  const { from, to } = busyTime(observation);
  const ofMany = [...own.document.services, ...(kind === 'bmv2' ? plan.switches : [])];
  const manyThreads = new Set(ofMany.map(({ name }) => name));
  return run.processes.flatMap(({ name, startedSeconds, endedSeconds, cpuSeconds }) => {
    if (startedSeconds === null || endedSeconds === null || cpuSeconds === null) return [];
    const isThroughout = startedSeconds <= from && endedSeconds >= to;
    const share = cpuSeconds / (endedSeconds - startedSeconds);
    if (!isThroughout || share <= SATURATED_THREAD || manyThreads.has(name)) return [];
    const found = `${name} used ${percent(Math.min(1, share))} of a processor`;
    return [`${found}, all that its one thread has: ${lighter}`];
  });
}

function crowding(idle: number | null, { realtime, lighter }: MachineSetting): string[] {
  if (idle === null) return ['there are no samples of idle time while flows were active'];
  if (realtime || idle >= CROWDED_IDLE) return [];
  const found = `the processors were idle ${percent(idle)} of the time`;
  const help = `run it with --realtime, which goes before other work here, or ${lighter}`;
  return [`${found}, below ${percent(CROWDED_IDLE)}: ${help}`];
}

function switchSaturation(carried: number, capable: number | null): string[] {
  if (capable === null || carried <= SATURATED_SHARE * capable) return [];
  const most = `${Math.round(capable)} packets/s that were measured`;
  return [`a switch forwarded ${Math.round(carried)} of the ${most} as its capacity`];
}

/** Frames that a process was too slow to fetch. */
function overflows({ agents, switches }: Observation): string[] {
  const slow = (name: string, count: number): string[] =>
    count > 0 ? [`${name} was too slow to fetch ${count} frames`] : [];
  return [
    ...[...agents].flatMap(([name, { port }]) => slow(name, port.overflowed)),
    ...[...switches].flatMap(([name, { dropped }]) => slow(name, dropped['receive-overflow'] ?? 0)),
  ];
}

/**
 * Processes that fetched frames so late that it is the machine's delay and not the network's that
 * senders saw.
 */
function lateness({ agents, switches, own }: Observation, lighter: string): string[] {
  const roundTripMs = own.document.algorithm.baseRttUs / 1000;
  const late = (name: string, counts: LateCounts): string[] => {
    if (counts === undefined) return [];
    const { turns } = counts;
    const lateTurns = lateTurnsOf(counts, roundTripMs);
    if (lateTurns < LATE_TURNS || lateTurns <= LATE_SHARE * turns) return [];
    const found = `${name} fetched frames later than T (${roundTripMs} ms)`;
    const share = ((100 * lateTurns) / turns).toFixed(1);
    return [`${found} in ${share} % of its ${turns} turns: ${lighter}, or raise T`];
  };
  return [
    ...[...agents].flatMap(([name, { port }]) => late(name, port.late)),
    ...[...switches].flatMap(([name, counts]) => late(name, counts.late)),
  ];
}

/** Waits are counted from powers of two on; the first that is not below `ms` stands for it. */
function lateTurnsOf({ waited }: NonNullable<LateCounts>, ms: number): number {
  const steps = Object.keys(waited).map(Number);
  const from = Math.min(...steps.filter((step) => step >= ms));
  return waited[String(from)] ?? 0;
}

function failures({ run, flows }: Observation): string[] {
  const names = new Set(flows.map(({ sender }) => sender.name));
  const failed = run.processes.filter(({ name, exitCode }) => names.has(name) && exitCode !== 0);
  return [
    ...run.errors,
    ...(run.interrupted ? ['the run was interrupted'] : []),
    ...failed.map(({ name, exitCode }) => `${name} ended with ${exitCode ?? 'a signal'}`),
  ];
}
