import type { Registry } from 'prom-client';
import { counters, gauges } from '../../common/io/metric-families';
import { PS_PER_SECOND } from '../../common/units/units';
import type { Bytes, Instant, PortNumber } from '../../common/units/units';
import type { BufferPeaks } from '../buffer/shared-buffer';
import type { PauseCounters } from '../v1model/lossless-port';
import type { PauseRequests } from '../v1model/pause-control';

/** Counters of a switch's shared memory and pauses. */
export interface CountedPauses {
  readonly requests: PauseRequests;
  readonly peaks: BufferPeaks;
  /** Counters of each priority of a port. */
  pauseCounters(port: PortNumber, now: Instant): readonly PauseCounters[];
}

/** A queue that the other end of its link has stopped. */
export interface StoppedQueue {
  readonly port: PortNumber;
  readonly priority: number;
  readonly pauses: number;
  /** Resumes before the time of the pause was over. */
  readonly resumes: number;
  readonly seconds: number;
  /** Times that pauses let nothing go, packets dropped for it, and requests too many for the link; if any. */
  readonly storms?: number;
  readonly stormDrops?: number;
  readonly ignored?: number;
}

/** Summary of the memory that ports share, with the names that results of scenarios use. */
export interface LosslessSummary extends PauseRequests {
  readonly sharedPeakBytes: Bytes;
  /** Largest headroom used by one port and priority. */
  readonly headroomPeakBytes: Bytes;
  /** Queues of the switch that neighbours have stopped. */
  readonly stopped: readonly StoppedQueue[];
}

/** @param ports those that have links. */
export function losslessSummary(
  pauses: CountedPauses,
  ports: Iterable<PortNumber>,
  now: Instant,
): LosslessSummary {
  return {
    ...pauses.requests,
    sharedPeakBytes: pauses.peaks.sharedBytes,
    headroomPeakBytes: pauses.peaks.headroomBytes,
    stopped: queuesOf(pauses, ports, now)
      .filter((each) => each.pauses + each.ignored > 0)
      .map(({ storms, stormDrops, ignored, ...queue }) => ({
        ...queue,
        ...(storms > 0 && { storms, stormDrops }),
        ...(ignored > 0 && { ignored }),
      })),
  };
}

function queuesOf(
  pauses: CountedPauses,
  ports: Iterable<PortNumber>,
  now: Instant,
): Required<StoppedQueue>[] {
  return [...ports].flatMap((port) =>
    pauses.pauseCounters(port, now).map(({ duration, ...counts }, priority) => {
      return { port, priority, ...counts, seconds: duration / PS_PER_SECOND };
    }),
  );
}

/** Source of the values at each scrape. */
export interface PauseSource {
  readonly pauses: CountedPauses;
  readonly ports: () => Iterable<PortNumber>;
  readonly now: () => Instant;
}

/** Adds the metrics of a switch whose ports share memory. */
export function addPauseMetrics(registry: Registry, { pauses, ports, now }: PauseSource): void {
  const queues = () =>
    queuesOf(pauses, ports(), now()).map((queue) => {
      const { port, priority } = queue;
      return { queue, labels: { port: String(port), priority: String(priority) } };
    });
  counters(registry, {
    name: 'hpcc_switch_pauses_requested_total',
    help: 'Times that the switch has stopped a sender, or let it go on',
    labels: ['kind'],
    read: () => [
      [{ kind: 'pause' }, pauses.requests.pauses],
      [{ kind: 'resume' }, pauses.requests.resumes],
    ],
  });
  counters(registry, {
    name: 'hpcc_switch_pauses_obeyed_total',
    help: 'Times that a neighbour has stopped a queue, or let it go on before its time was over',
    labels: ['port', 'priority', 'kind'],
    read: () =>
      queues().flatMap(({ queue, labels }) => [
        [{ ...labels, kind: 'pause' }, queue.pauses] as const,
        [{ ...labels, kind: 'resume' }, queue.resumes] as const,
      ]),
  });
  counters(registry, {
    name: 'hpcc_switch_pause_storms_total',
    help: 'Times that pauses of a neighbour let nothing of a queue go, as the watchdog found',
    labels: ['port', 'priority'],
    read: () => queues().map(({ queue, labels }) => [labels, queue.storms]),
  });
  counters(registry, {
    name: 'hpcc_switch_pause_storm_drops_total',
    help: 'Packets that the watchdog dropped in storms of pauses',
    labels: ['port', 'priority'],
    read: () => queues().map(({ queue, labels }) => [labels, queue.stormDrops]),
  });
  counters(registry, {
    name: 'hpcc_switch_pauses_ignored_total',
    help: 'Requests to pause that were more than one per full frame of the link',
    labels: ['port', 'priority'],
    read: () => queues().map(({ queue, labels }) => [labels, queue.ignored]),
  });
  counters(registry, {
    name: 'hpcc_switch_paused_seconds_total',
    help: 'How long each queue was stopped by its neighbour',
    labels: ['port', 'priority'],
    read: () => queues().map(({ queue, labels }) => [labels, queue.seconds]),
  });
  counters(registry, {
    name: 'hpcc_switch_buffer_drops_total',
    help: 'Packets that found no room in the shared memory',
    labels: ['kind'],
    read: () => [
      [{ kind: 'lossless' }, pauses.requests.losslessDrops],
      [{ kind: 'lossy' }, pauses.requests.lossyDrops],
    ],
  });
  gauges(registry, {
    name: 'hpcc_switch_buffer_peak_bytes',
    help: 'The most of the shared part, and of the headroom of one port and priority',
    labels: ['part'],
    read: () => [
      [{ part: 'shared' }, pauses.peaks.sharedBytes],
      [{ part: 'headroom' }, pauses.peaks.headroomBytes],
    ],
  });
}
