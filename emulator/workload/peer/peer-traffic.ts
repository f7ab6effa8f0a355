import type { HostPair, TrafficStream } from '../traffic-stream';
import type { Peer } from './peer';
import { PeerSchedule } from './peer-schedule';
import type { PeerRanks } from './peer-schedule';

/** A link between two nodes, by name. */
interface Link {
  readonly a: string;
  readonly b: string;
  readonly rateGbps: number;
  readonly delayNs: number;
  readonly backRateGbps?: number | undefined;
  readonly backDelayNs?: number | undefined;
}

/** Traffic of ranks that a peer decides about; any rank may send to any other one. */
export function peerTraffic(peer: Peer, ranks: PeerRanks, links: readonly Link[]): TrafficStream {
  const newSchedule = (): PeerSchedule => new PeerSchedule(peer, ranks);
  return {
    pairs: pairsOf([...new Set(ranks.hosts)], links),
    first: [],
    workloads: [],
    newSchedule,
  };
}

/** Pairs of hosts, one of all whose paths are equal: hosts with equal links to the same nodes are alike. */
function pairsOf(hosts: readonly string[], links: readonly Link[]): HostPair[] {
  const ends = new Map(hosts.map((name): [string, string[]] => [name, []]));
  for (const { a, b, rateGbps, delayNs, backRateGbps = rateGbps, backDelayNs = delayNs } of links) {
    ends.get(a)?.push([b, rateGbps, delayNs, backRateGbps, backDelayNs].join());
    ends.get(b)?.push([a, backRateGbps, backDelayNs, rateGbps, delayNs].join());
  }
  const alike = new Map<string, string[]>();
  for (const [host, own] of ends) {
    const key = own.sort().join(' ');
    const known = alike.get(key) ?? [];
    if (known.length < 2) alike.set(key, [...known, host]);
  }
  const chosen = [...alike.values()].flat();
  return chosen.flatMap((from) => chosen.filter((to) => to !== from).map((to) => ({ from, to })));
}
