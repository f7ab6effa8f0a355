import { setTimeout } from 'node:timers/promises';
import { InputError } from '../../../common/errors';
import { projectVersion } from '../../../common/io/repository';
import type { Topology } from '../../../common/topology/topology';
import { parseMetrics } from '../live/metrics-text';
import type { Metrics } from '../live/metrics-text';
import { MetricsWatch } from '../live/metrics-watch';
import { watchedSession } from './watched-network';
import type { ViewSession } from './view-session';

/** A switch or an agent, and where it serves metrics. */
export interface MetricsTarget {
  readonly name: string;
  /** HOST:PORT. */
  readonly address: string;
}

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
const ANSWER_MS = 2000;
const BYTES_MAX = 16e6;

/**
 * Asks switches and agents for their metrics some times per second.
 * @throws InputError when one of them does not answer at first; later that is shown.
 */
export async function liveMetrics(
  { targets, topology, command }: WatchedTargets,
  signal: AbortSignal,
): Promise<LiveMetrics> {
  const first = await Promise.all(
    targets.map(async (each) => [each.name, await ask(each)] as const),
  );
  const began = performance.now();
  const watch = new MetricsWatch(new Map(first), {
    title: targets.map(({ name }) => name).join(', '),
    topology,
    generator: {
      ...{ version: projectVersion(), commit: 'unknown', p4Program: 'unknown' },
      ...{ p4Digest: 'unknown', executor: 'real', queueModel: 'real' },
    },
  });
  const shown = watchedSession(watch.network, command);
  const latest = new Map(first);
  const over = (async () => {
    while (!signal.aborted) {
      await setTimeout(EVERY_MS, undefined, { signal }).catch(() => undefined);
      const us = (performance.now() - began) * 1000;
      const asked = await Promise.allSettled(targets.map(ask));
      const silent: string[] = [];
      asked.forEach((answer, i) => {
        const { name = '' } = targets[i] ?? {};
        if (answer.status === 'fulfilled') latest.set(name, answer.value);
        else silent.push(name);
      });
      watch.note(us, latest);
      if (silent.length > 0) shown.say(`no answer from ${silent.join(', ')}`);
      else shown.show((performance.now() - began) * 1000);
    }
  })();
  return { session: shown.session, over };
}

async function ask({ name, address }: MetricsTarget): Promise<Metrics> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`http://${address}/metrics`, { signal });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    if (text.length > BYTES_MAX) throw new Error(`${text.length} characters of metrics`);
    return parseMetrics(text);
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new InputError(`no metrics of ${name} at http://${address}/metrics: ${reason}`);
  }
}
