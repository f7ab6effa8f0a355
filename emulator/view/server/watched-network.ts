import { liveCharts, livePage } from '../live/live-page';
import type { LiveNetwork } from '../live/live-network';
import { LiveFeed } from './live-feed';
import type { ViewSession } from './view-session';

/** A page is sent some times per second, so it has fewer points than that of a finished run. */
const POINTS = 3000;

/** View of a network of real switches and hosts while it works. */
export interface WatchedSession {
  readonly session: ViewSession;
  /** Shows the present state. @param now the network's time, in us; known values are older. */
  readonly show: (now: number) => void;
  readonly say: (status: string) => void;
}

export function watchedSession(network: LiveNetwork, command: string): WatchedSession {
  const feed = new LiveFeed();
  const page = () => livePage(network, command, POINTS);
  return {
    session: {
      ability: { isLive: true, canTravel: false, canCompare: false },
      page,
      detail: (window) => liveCharts(network.result(), { ...window, points: POINTS }),
      follow: feed.follow,
    },
    show: (now) =>
      feed.publish(page, `live, ${Math.max(0, (now - network.us) / 1e6).toFixed(2)} s behind`),
    say: (status) => feed.publish(page, status),
  };
}
