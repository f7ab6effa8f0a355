import { setTimeout } from 'node:timers/promises';
import { projectVersion } from '../../../common/io/repository';
import type { Topology } from '../../../common/topology/topology';
import type { Metrics } from '../live/metrics-text';
import { MetricsWatch } from '../live/metrics-watch';
import { askMetrics } from './metrics-request';
import type { MetricsTarget } from './metrics-request';
import { watchedSession } from './watched-network';
import type { ViewSession } from './view-session';

export interface WatchedTargets {
  readonly targets: readonly MetricsTarget[];
  readonly topology: Topology | undefined;
  /** What was typed. */
  readonly command: string;
}

export interface LiveMetrics {
  readonly session: ViewSession;
  /** Until nobody wants it any more. */
  readonly over: Promise<void>;
}

const EVERY_MS = 350;
/** Who has said nothing for so long is named. */
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
      targets.map(async (each) => [each.name, await askMetrics(each, signal)] as const),
    ),
  );
  const began = performance.now();
  const watch = new MetricsWatch(first, {
    title: targets.map(({ name }) => name).join(', '),
    topology,
    generator: {
      ...{ version: projectVersion(), commit: 'unknown', p4Program: 'unknown' },
      ...{ p4Digest: 'unknown', executor: 'real', queueModel: 'real' },
    },
  });
  const shown = watchedSession(watch.network, command);
  const peers = targets.map((each) => new Peer(each, began));
  const show = async (): Promise<void> => {
    while (await paused(signal)) {
      const now = performance.now();
      const news = peers.flatMap((peer) => peer.take());
      const oldest = Math.min(...news.map(({ askedAt }) => askedAt));
      const told = new Map(news.map(({ name, metrics }) => [name, metrics]));
      if (news.length > 0) watch.note((oldest - began) * 1000, told);
      const silent = peers.filter(({ answeredAt }) => now - answeredAt > SILENT_MS);
      if (silent.length === 0) shown.show((now - began) * 1000);
      else shown.say(`no answer from ${silent.map(({ name }) => name).join(', ')}`);
    }
  };
  const over = Promise.all([show(), ...peers.map((peer) => peer.follow(signal))]);
  return { session: shown.session, over: over.then(() => undefined) };
}

/** What one of them said, and when it was asked. */
interface News {
  readonly name: string;
  readonly metrics: Metrics;
  readonly askedAt: number;
}

/** One that is asked again and again; of its answers the newest is kept until somebody takes it. */
class Peer {
  #newest: News | undefined;
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

  take(): News[] {
    const newest = this.#newest;
    this.#newest = undefined;
    return newest === undefined ? [] : [newest];
  }

  async follow(signal: AbortSignal): Promise<void> {
    while (await paused(signal)) {
      const askedAt = performance.now();
      const metrics = await askMetrics(this.target, signal).catch(() => undefined);
      if (metrics === undefined) continue;
      this.#newest = { name: this.name, metrics, askedAt };
      this.#answeredAt = performance.now();
    }
  }
}

/** Whether to go on, after a while. */
const paused = (signal: AbortSignal): Promise<boolean> =>
  setTimeout(EVERY_MS, true, { signal }).catch(() => false);
