import type { Figures } from './figures';
import type { Observation } from './observation';
import type { NotificationCounts, TraceLine } from './outputs';

type CoordinationFigures = Pick<Figures, keyof NotificationCounts | 'pathChanges'>;

/**
 * Notifications that senders have taken, and how often flows went another way. Null in networks
 * without coordination; without notifications where switches send none.
 */
export function coordinationFigures({ flows, network }: Observation): CoordinationFigures {
  const counts = flows.flatMap(({ notifications }) => notifications ?? []);
  const sum = (name: keyof NotificationCounts): number | null =>
    counts.length === 0 ? null : counts.reduce((all, each) => all + each[name], 0);
  const changes = flows.reduce((all, { trace }) => all + pathChanges(trace), 0);
  return {
    controlRequired: sum('controlRequired'),
    controlReleased: sum('controlReleased'),
    reroutingRequired: sum('reroutingRequired'),
    pathChanges: network.text.coordination === undefined ? null : changes,
  };
}

/** How often telemetry came from other switches than the telemetry before it. */
export function pathChanges(trace: readonly Pick<TraceLine, 'hops'>[]): number {
  const paths = trace.map(({ hops }) => hops.map(([nodeId]) => nodeId).join(' '));
  return paths.filter((path, i) => i > 0 && path !== paths[i - 1]).length;
}
