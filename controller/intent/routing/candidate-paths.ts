import type { Attachment, HostNode, SwitchNode, Topology } from '../../../common/topology/topology';
import { hopsTo, portsInUse } from './routes';

/** Ways that a switch may choose from for packets to one host that came in somewhere. */
export interface CandidatePaths {
  /** 0 for all ports that {@link arrivalClass} does not tell apart. */
  readonly arrival: number;
  readonly host: HostNode;
  /** Ports, at most {@link CANDIDATES_MAX}, shortest paths first. */
  readonly ports: readonly number[];
  /** Number of the ports that are shortest paths. */
  readonly shortest: number;
}

export type PathMethod = 'equal-cost' | 'non-minimal';

export const CANDIDATES_MAX = 8;

/** Class of a packet's arrival for a non-minimal choice: 0 from a host, else by port. */
export const arrivalClass = (port: number): number => port + 1;

/**
 * The ways of one switch to every host that is not its own, without loops whatever is chosen.
 *
 * Equal cost: shortest paths only, so that each hop is nearer to the host.
 *
 * Non-minimal: where a packet came from stands in for a state in its tag. Let d be the distance of
 * the switch. From a neighbour farther away, ways lead nearer, or aside to a neighbour at d; from one
 * at d, nearer only: so at each distance a packet meets at most two switches. From a host they may
 * also lead to a neighbour at d + 1, where the packet has to come down by another switch than the
 * one it came from, and by none from which it could get back there aside.
 */
export function candidatePaths(
  topology: Topology,
  own: SwitchNode,
  method: PathMethod,
): readonly CandidatePaths[] {
  const ports = portsInUse(topology);
  return topology.hosts.flatMap((host) => {
    const place = { ports, distance: hopsTo(host.name, topology, ports) };
    if ((place.distance.get(own.name) ?? 1) === 1) return [];
    return method === 'equal-cost'
      ? [candidates(host, 0, [nearer(place, own.name)])]
      : nonMinimal(place, own.name, host);
  });
}

interface Place {
  readonly ports: ReadonlyMap<string, readonly Attachment[]>;
  /** Distance to the host from every node that relays. */
  readonly distance: ReadonlyMap<string, number>;
}

function candidates(
  host: HostNode,
  arrival: number,
  [shortest = [], ...others]: readonly (readonly Attachment[])[],
): CandidatePaths {
  const all = [...shortest, ...others.flat()].slice(0, CANDIDATES_MAX);
  return {
    arrival,
    host,
    ports: all.map(({ port }) => port),
    shortest: Math.min(shortest.length, CANDIDATES_MAX),
  };
}

function nonMinimal(place: Place, own: string, host: HostNode): readonly CandidatePaths[] {
  const d = distanceOf(place, own);
  const arrivals = (place.ports.get(own) ?? []).filter(({ peer }) => place.distance.has(peer.node));
  const [down, aside] = [nearer(place, own), at(place, own, d)];
  const fromSwitches = arrivals.map(({ port, peer }) => {
    const before = distanceOf(place, peer.node);
    const arrival = arrivalClass(port);
    if (before > d) return candidates(host, arrival, [down, aside]);
    return candidates(host, arrival, [down.filter((each) => each.peer.node !== peer.node)]);
  });
  return [
    candidates(host, 0, [down, aside, waysUp(place, own)]),
    ...fromSwitches.filter((each) => each.ports.length > 0),
  ];
}

/** Neighbours one farther away, from which packets come down elsewhere. */
function waysUp(place: Place, own: string): readonly Attachment[] {
  const d = distanceOf(place, own);
  return at(place, own, d + 1).filter(({ peer }) => {
    const ways = nearer(place, peer.node).filter((each) => each.peer.node !== own);
    const isBeside = (node: string): boolean =>
      (place.ports.get(node) ?? []).some((each) => each.peer.node === own);
    return ways.length > 0 && !ways.some((each) => isBeside(each.peer.node));
  });
}

const nearer = (place: Place, own: string): readonly Attachment[] =>
  at(place, own, distanceOf(place, own) - 1);

/** Ports of a switch towards neighbours at a distance. */
const at = ({ ports, distance }: Place, own: string, wanted: number): readonly Attachment[] =>
  (ports.get(own) ?? []).filter(({ peer }) => distance.get(peer.node) === wanted);

const distanceOf = ({ distance }: Place, node: string): number => distance.get(node) ?? Infinity;
