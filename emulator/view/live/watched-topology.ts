import { bothWays } from '../../../common/topology/topology';
import type { Topology } from '../../../common/topology/topology';
import type { WatchedLink } from './live-network';

/** A direction of a link that leaves a switch. */
export interface SwitchLink extends WatchedLink {
  /** `s1:2`. */
  readonly port: string;
  readonly from: string;
  readonly to: string;
}

/** Directions of links that leave switches, the only ones with counters. */
export function switchLinks({ switches, links }: Topology): SwitchLink[] {
  const isSwitch = new Set(switches.map(({ name }) => name));
  const ways = links.flatMap((link) => bothWays(link)).filter(({ a }) => isSwitch.has(a.node));
  return ways.map(({ a: from, b: to, rate }) => ({
    name: `${from.node}:${from.port}->${to.node}:${to.port}`,
    rateGbps: rate / 1e9,
    port: `${from.node}:${from.port}`,
    from: from.node,
    to: to.node,
  }));
}
