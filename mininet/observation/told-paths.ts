import { z } from 'zod';
import { attachments, formatIpv4 } from '../../common/topology/topology';
import type { Attachment, LinkEnd, Topology } from '../../common/topology/topology';
import { IPERF3_PORT } from '../plan/run-processes';
import type { CollectedFlow } from './collected';
import type { Observation, ObservedFlow } from './observation';

/** Mean and largest value; null where none was told. */
const extremesSchema = z.strictObject({ mean: z.number(), max: z.number() }).nullable();

const toldHopSchema = z.strictObject({
  node: z.string(),
  ingressPort: z.number().nullable(),
  egressPort: z.number().nullable(),
  /** Time in the switch. */
  latencyNs: extremesSchema,
  queueBytes: extremesSchema,
});

/** The path of a flow as telemetry reports have told it, and whether the topology has it so. */
export const toldPathSchema = z.strictObject({
  /** `h1:40000 -> h2:5201 tcp`. */
  flow: z.string(),
  reports: z.number(),
  hops: z.array(toldHopSchema),
  /** Contradiction between path and topology; absent where there is none. */
  fault: z.string().optional(),
  /** Hops that have told no latency, or a mean of more than 1.5 of the longest round trip of the flow. */
  implausibleHops: z.number(),
});

type Extremes = z.infer<typeof extremesSchema>;
export type ToldHop = z.infer<typeof toldHopSchema>;
export type ToldPath = z.infer<typeof toldPathSchema>;

/**
 * Paths of all flows that a collector was told of, and of those that it should have been: the two directions of
 * each flow of the run. Undefined where no collector has run.
 */
export function toldPaths(observation: Observation): ToldPath[] | undefined {
  const { collected } = observation;
  if (collected === undefined) return undefined;
  const places = placesOf(observation.network.spec.topology);
  const told = collected.flows.map((flow) => toldPath(flow, places, observation));
  return [...told, ...missing(observation, places, collected.flows)];
}

interface Places {
  readonly topology: Topology;
  readonly hosts: ReadonlyMap<string, string>;
  readonly nodes: ReadonlyMap<number, string>;
  readonly ports: ReadonlyMap<string, readonly Attachment[]>;
}

const placesOf = (topology: Topology): Places => ({
  topology,
  hosts: new Map(topology.hosts.map(({ name, ipv4 }) => [formatIpv4(ipv4), name])),
  nodes: new Map(topology.switches.map(({ name, nodeId }) => [nodeId, name])),
  ports: attachments(topology),
});

interface Ends {
  readonly from: string;
  readonly to: string;
  readonly fromPort: number;
  readonly toPort: number;
  readonly protocol: string;
}

/** Reads names of flows with ports, as the collector writes them: `10.0.0.1:7 -> 10.0.0.2:5201 tcp`. */
const FLOW_NAME = /^([\d.]+):(\d+) -> ([\d.]+):(\d+) (\S+)$/;

function endsOf(name: string, { hosts }: Places): Ends | undefined {
  const [, source = '', fromPort, destination = '', toPort, protocol = ''] =
    FLOW_NAME.exec(name) ?? [];
  const [from, to] = [hosts.get(source), hosts.get(destination)];
  if (from === undefined || to === undefined) return undefined;
  return { from, to, fromPort: Number(fromPort), toPort: Number(toPort), protocol };
}

function toldPath(found: CollectedFlow, places: Places, { flows }: Observation): ToldPath {
  const ends = endsOf(found.flow, places);
  const hops = found.path.map((hop) => ({
    node: places.nodes.get(hop.nodeId) ?? `node ${hop.nodeId}`,
    ingressPort: hop.ingressPort,
    egressPort: hop.egressPort,
    latencyNs: extremesOf(hop.latencyNs),
    queueBytes: extremesOf(hop.queueBytes),
  }));
  const fault =
    ends === undefined ? 'not between hosts of the network' : pathFault(found, hops, ends, places);
  const roundTripNs = ends && roundTripOf(ends, flows);
  return {
    flow: ends === undefined ? found.flow : nameOf(ends),
    reports: found.reports,
    hops,
    ...(fault !== undefined && { fault }),
    implausibleHops: hops.filter(({ latencyNs }) => !isPlausible(latencyNs, roundTripNs)).length,
  };
}

const extremesOf = (sums: Extremes): Extremes =>
  sums === null ? null : { mean: sums.mean, max: sums.max };

const nameOf = ({ from, to, fromPort, toPort, protocol }: Ends): string =>
  `${from}:${fromPort} -> ${to}:${toPort} ${protocol}`;

/** iperf3 looks at round trips twice a second, and misses what is over sooner. */
const ROUND_TRIPS_MAX = 1.5;

/** A packet is in a switch for a part of its round trip. */
const isPlausible = (latency: Extremes, roundTripNs: number | undefined): boolean =>
  latency !== null && latency.mean <= ROUND_TRIPS_MAX * (roundTripNs ?? Infinity);

/** Follows the ports that are told from link to link, from one host to the other. */
function pathFault(
  { otherHops }: CollectedFlow,
  hops: readonly ToldHop[],
  { from, to }: Ends,
  { ports }: Places,
): string | undefined {
  if (otherHops > 0) return `${otherHops} hops beyond those that are told apart`;
  const ways = ports.get(from) ?? [];
  const [first] = hops;
  let at = ways.find(({ peer }) => isAt(peer, first)) ?? ways[0];
  for (const { node, ingressPort, egressPort } of hops) {
    const peer = at?.peer;
    if (peer === undefined || !isAt(peer, { node, ingressPort })) {
      const place = peer === undefined ? 'nothing' : `${peer.node}:${peer.port}`;
      return `${node}:${ingressPort ?? '?'} where ${place} is next`;
    }
    at = ports.get(node)?.find(({ port }) => port === egressPort);
  }
  const last = at?.peer.node ?? 'nowhere';
  return last === to ? undefined : `it ends before ${last}, not ${to}`;
}

/** True if a link ends where a packet came in. */
const isAt = (
  { node, port }: LinkEnd,
  hop: Pick<ToldHop, 'node' | 'ingressPort'> | undefined,
): boolean => hop !== undefined && hop.node === node && hop.ingressPort === port;

/** Longest round trip, by the kernel's TCP, of the connection with these ports or its way back. */
function roundTripOf(ends: Ends, flows: readonly ObservedFlow[]): number | undefined {
  for (const flow of flows) {
    const { port, longestRttNs } = flow.connection ?? {};
    if (isOf(flow, ends) && port === ends.fromPort) return longestRttNs;
    if (isOf(flow, reversed(ends)) && port === ends.toPort) return longestRttNs;
  }
  return undefined;
}

const reversed = ({ from, to, fromPort, toPort, protocol }: Ends): Ends => ({
  from: to,
  to: from,
  fromPort: toPort,
  toPort: fromPort,
  protocol,
});

function isOf({ sender, number }: ObservedFlow, { from, to, toPort }: Ends): boolean {
  const { flow } = sender;
  const isPort = flow.kind !== 'iperf3' || toPort === IPERF3_PORT + number - 1;
  return flow.from === from && flow.to === to && isPort;
}

function missing(
  { flows }: Observation,
  places: Places,
  found: readonly CollectedFlow[],
): ToldPath[] {
  const told = found.flatMap(({ flow }) => endsOf(flow, places) ?? []);
  return flows.flatMap((flow) => {
    const { name, flow: own } = flow.sender;
    const none = (from: string, to: string): ToldPath => ({
      flow: `${name}: ${from} -> ${to}`,
      reports: 0,
      hops: [],
      fault: 'no report',
      implausibleHops: 0,
    });
    return [
      ...(told.some((ends) => isOf(flow, ends)) ? [] : [none(own.from, own.to)]),
      ...(told.some((ends) => isOf(flow, reversed(ends))) ? [] : [none(own.to, own.from)]),
    ];
  });
}
