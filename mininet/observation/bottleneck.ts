import { assert } from '../../common/assert';
import { bothWays } from '../../common/topology/topology';
import type { Link, LinkEnd } from '../../common/topology/topology';
import type { Observation } from './observation';
import type { Trace } from './trace';

/** The link whose queue and use an experiment is about. */
export interface Bottleneck {
  /** `s1:3`. */
  readonly port: string;
  /** `s1:3->s2:3`, as results name directions of links. */
  readonly name: string;
  readonly rateBps: number;
  readonly link: Link;
  readonly from: LinkEnd;
  readonly to: LinkEnd;
}

/** A length of a queue at an instant: seconds since readiness, bytes. */
export type QueueSample = readonly [seconds: number, bytes: number];

export function bottleneckOf({ own, network }: Pick<Observation, 'own' | 'network'>): Bottleneck {
  const [node = '', port = ''] = own.document.bottleneck.split(':');
  return outgoing(network.spec.topology.links, node, Number(port));
}

/** The link that leaves a switch at a port. */
export function outgoing(links: readonly Link[], node: string, port: number): Bottleneck {
  const isFrom = (end: LinkEnd): boolean => end.node === node && end.port === port;
  const link = links.flatMap((each) => bothWays(each)).find(({ a }) => isFrom(a));
  assert(link !== undefined, 'the experiment was checked against its network');
  const { a: from, b: to } = link;
  const name = `${node}:${port}->${to.node}:${to.port}`;
  return { port: `${node}:${port}`, name, rateBps: link.rate, link, from, to };
}

/**
 * Lengths of a link's queue in the order of time: what telemetry of any flow through it has said.
 * A record names its switch; which of its links is meant follows from what comes next on the path.
 */
export function queueSamples(observation: Observation, { from, to }: Bottleneck): QueueSample[] {
  const nodeIds = new Map(
    observation.network.spec.topology.switches.map(({ name, nodeId }) => [name, nodeId]),
  );
  const own = nodeIds.get(from.node);
  // Where TCP runs, the bottleneck is the one link that has a queue.
  const isBottleneck = observation.own.document.bottleneck === `${from.node}:${from.port}`;
  const told = isBottleneck ? observation.tcpSamples : [];
  const samples = told.map(({ t, queueBytes }): QueueSample => [t, queueBytes]);
  for (const flow of observation.flows) {
    const isLast = flow.sender.flow.to === to.node;
    const next = nodeIds.get(to.node);
    const { trace } = flow;
    for (let row = 0; row < trace.length; row++) {
      const hop = hopOf(trace, row, own);
      if (hop < 0) continue;
      const leadsTo = hop + 1 < trace.hopEnd(row) ? trace.hopNode(hop + 1) === next : isLast;
      if (leadsTo) samples.push([trace.seconds(row), trace.hopQueueBytes(hop)]);
    }
  }
  return samples.sort(([a], [b]) => a - b);
}

/** The first hop of an update at a switch; -1 if it has none there. */
function hopOf(trace: Trace, row: number, nodeId: number | undefined): number {
  const end = trace.hopEnd(row);
  for (let hop = trace.hopStart(row); hop < end; hop++) {
    if (trace.hopNode(hop) === nodeId) return hop;
  }
  return -1;
}

/** Share of the link's rate that the kernel has counted at the port, between two instants. */
export function utilisationOf(
  { ports }: Observation,
  { port, rateBps }: Bottleneck,
  { from, to }: { readonly from: number; readonly to: number },
): number | null {
  const inside = ports.filter(({ seconds }) => seconds >= from && seconds <= to);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || last.seconds <= first.seconds) return null;
  const bytes = (last.ports[port]?.txBytes ?? 0) - (first.ports[port]?.txBytes ?? 0);
  return (8 * bytes) / (rateBps * (last.seconds - first.seconds));
}
