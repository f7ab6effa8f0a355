import type { Topology } from '../../../common/topology/topology';
import { PS_PER_US } from '../../../common/units/units';
import type { Result } from '../../result/result';
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
  return links.flatMap(({ a, b, rate }) => {
    const ways = [
      [a, b],
      [b, a],
    ] as const;
    return ways
      .filter(([from]) => isSwitch.has(from.node))
      .map(([from, to]) => ({
        name: `${from.node}:${from.port}->${to.node}:${to.port}`,
        rateGbps: rate / 1e9,
        port: `${from.node}:${from.port}`,
        from: from.node,
        to: to.node,
      }));
  });
}

/** The network as results have it. */
export const topologyRecord = ({ switches, hosts, links }: Topology): Result['topology'] => ({
  nodes: [
    ...switches.map(({ name }) => ({ name, kind: 'switch' as const })),
    ...hosts.map(({ name }) => ({ name, kind: 'host' as const })),
  ],
  links: links.map(({ a, b, rate, delay }) => ({
    a: a.node,
    b: b.node,
    rateGbps: rate / 1e9,
    delayUs: delay / PS_PER_US,
  })),
});
