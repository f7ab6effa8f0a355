import { setTimeout } from 'node:timers/promises';
import { projectVersion } from '../../../common/io/repository';
import type { Topology } from '../../../common/topology/topology';
import type { Metrics } from '../live/metrics-text';
import { MetricsWatch } from '../live/metrics-watch';
import { requestMetrics } from './metrics-request';
import type { MetricsTarget } from './metrics-request';
import { watchedSession } from './watched-network';
import type { ViewSession } from './view-session';

export interface WatchedTargets {
  readonly targets: readonly MetricsTarget[];
  readonly topology: Topology | undefined;
  /** Command line of this view. */
  readonly command: string;
}

export interface LiveMetrics {
  readonly session: ViewSession;
  /** Resolves when the view is closed. */
  readonly over: Promise<void>;
}

const EVERY_MS = 350;
/** Silence after which a peer is named in the status. */
const SILENT_MS = 1500;

/**
 * Asks switches and agents for their metrics some times per second, each by itself: one that is slow
 * holds up no other.
 * @throws InputError when one of them does not answer at first; later that is shown.
 */
export async function liveMetrics(
  { targets, topology, command }: WatchedTargets,
  signal: AbortSignal,
): Promise<LiveMetrics> {
  const first = new Map(
    await Promise.all(
      targets.map(async (each) => [each.name, await requestMetrics(each, signal)] as const),
    ),
  );
  const began = performance.now();
  const watch = new MetricsWatch(first, {
    title: targets.map(({ name }) => name).join(', '),
    topology,
    generator: {
      version: projectVersion(),
      commit: 'unknown',
      p4Program: 'unknown',
      p4Digest: 'unknown',
      executor: 'real',
      queueModel: 'real',
    },
  });
  const shown = watchedSession(watch.network, command);
  const peers = targets.map((each) => new Peer(each, began));
  const show = async (): Promise<void> => {
    while (await paused(signal)) {
      const now = performance.now();
      const answers = peers.flatMap((peer) => peer.take());
      const oldest = Math.min(...answers.map(({ requestedAt }) => requestedAt));
      const latest = new Map(answers.map(({ name, metrics }) => [name, metrics]));
      if (answers.length > 0) watch.note((oldest - began) * 1000, latest);
      const silent = peers.filter(({ answeredAt }) => now - answeredAt > SILENT_MS);
      if (silent.length === 0) shown.show((now - began) * 1000);
      else shown.say(`no answer from ${silent.map(({ name }) => name).join(', ')}`);
    }
  };
  const over = Promise.all([show(), ...peers.map((peer) => peer.follow(signal))]);
  return { session: shown.session, over: over.then(() => undefined) };
}

/** Metrics of one peer, with the time of the request. */
interface PeerMetrics {
  readonly name: string;
  readonly metrics: Metrics;
  readonly requestedAt: number;
}

/** A peer that is polled; its newest answer is kept until it is taken. */
class Peer {
  #newest: PeerMetrics | undefined;
  #answeredAt: number;

  constructor(
    private readonly target: MetricsTarget,
    began: number,
  ) {
    this.#answeredAt = began;
  }

  get name(): string {
    return this.target.name;
  }

  get answeredAt(): number {
    return this.#answeredAt;
  }

  take(): PeerMetrics[] {
    const newest = this.#newest;
    this.#newest = undefined;
    return newest === undefined ? [] : [newest];
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (await paused(signal)) {
      const requestedAt = performance.now();
      const metrics = await requestMetrics(this.target, signal).catch(() => undefined);
      if (metrics === undefined) continue;
      this.#newest = { name: this.name, metrics, requestedAt };
      this.#answeredAt = performance.now();
    }
  }
}

/** Waits; false if the signal ends the wait. */
const paused = (signal: AbortSignal): Promise<boolean> =>
  setTimeout(EVERY_MS, true, { signal }).catch(() => false);
