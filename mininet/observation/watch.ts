import { LiveNetwork } from '../../emulator/view/live/live-network';
import type { Counted } from '../../emulator/view/live/live-links';
import type { WatchedNetwork } from '../../emulator/view/live/live-network';
import type { Link, Topology } from '../../common/topology/topology';
import { topologyRecord } from '../../emulator/result/topology-record';
import { switchLinks } from '../../emulator/view/live/watched-topology';
import { bothWays, formatIpv4 } from '../../common/topology/topology';
import type { PortSample } from '../plan/run-files';
import type { TcpSample, TraceLine } from './outputs';

const US = 1e6;

/** Everything about a network but what it did. */
export type Watched = Omit<WatchedNetwork, 'links' | 'topology'> & { readonly of: Topology };

/** A flow whose trace is read. */
export interface TracedFlow {
  readonly key: string;
  readonly source: string;
  readonly destination: string;
}

/**
 * Follows the links and flows of a run under Mininet in its files, line by line. Instants are
 * seconds since readiness.
 */
export class RunWatch {
  readonly network: LiveNetwork;
  /** Both directions of each link. */
  readonly #ways: readonly Link[];
  readonly #switchOf: ReadonlyMap<number, string>;
  /** Names of links by their ends, `s1 h1`. */
  readonly #names: ReadonlyMap<string, string>;
  /** Names of links by `s1:2`. */
  readonly #ports: ReadonlyMap<string, string>;
  #first: PortSample | undefined;

  readonly #hostAt: ReadonlyMap<string, string>;

  constructor({ of, ...own }: Watched) {
    this.#ways = of.links.flatMap((link) => bothWays(link));
    this.#hostAt = new Map(of.hosts.map(({ name, ipv4 }) => [formatIpv4(ipv4), name]));
    this.#switchOf = new Map(of.switches.map(({ name, nodeId }) => [nodeId, name]));
    const links = switchLinks(of);
    this.#names = new Map(links.map(({ from, to, name }) => [`${from} ${to}`, name]));
    this.#ports = new Map(links.map(({ port, name }) => [port, name]));
    this.network = new LiveNetwork({ ...own, topology: topologyRecord(of), links });
  }

  /** A line of ports.jsonl; the first one is from before anything was sent. */
  ports(sample: PortSample): void {
    this.#first ??= sample;
    const counted = countedAt(sample, this.#first, (port) => this.#ports.get(port));
    this.network.counted(sample.seconds * US, counted);
  }

  /** A line of a trace of flows under HPCC++. */
  trace(line: TraceLine, { key, source, destination }: TracedFlow): void {
    const us = line.t * US;
    const { windowBytes, rateBps, normalizedInflight } = line;
    // The receiver's own lines tell of the flow.
    if (normalizedInflight === null) return;
    const look = { windowBytes, rateBps, normalizedInflight, deliveredBytes: 0 };
    this.network.flow(key, { source, destination }, us, look);
    line.hops.forEach(([nodeId, bytes], i) => {
      const next = line.hops[i + 1];
      const to = next === undefined ? destination : this.#switchOf.get(next[0]);
      const link = this.#names.get(`${this.#switchOf.get(nodeId) ?? ''} ${to ?? ''}`);
      if (link !== undefined) this.network.waited(us, link, bytes);
    });
  }

  /** A line of an agent's trace of TCP: what waits does so before the slowest link of the path. */
  tcp({ t, flow, rateBps, queueBytes }: TcpSample, source: string): void {
    const us = t * US;
    const peer = flow.split('-').at(-1)?.replace(/:\d+$/, '') ?? '';
    const destination = this.#hostAt.get(peer) ?? peer;
    const link = this.#slowest(source, destination);
    if (link !== undefined) this.network.waited(us, link, queueBytes);
    const look = {
      rateBps: rateBps ?? 0,
      windowBytes: 0,
      normalizedInflight: 0,
      deliveredBytes: 0,
    };
    this.network.flow(`${source} ${flow}`, { source, destination }, us, look);
  }

  /** The slowest direction that leaves a switch on the shortest path; among equals the first. */
  #slowest(source: string, destination: string): string | undefined {
    let slowest: { readonly name: string; readonly rate: number } | undefined;
    const path = shortestPath(this.#ways, source, destination);
    path.forEach((node, i) => {
      const to = path[i + 1] ?? '';
      const name = this.#names.get(`${node} ${to}`);
      const link = this.#ways.find(({ a, b }) => a.node === node && b.node === to);
      if (name === undefined || link === undefined) return;
      if (slowest === undefined || link.rate < slowest.rate) slowest = { name, rate: link.rate };
    });
    return slowest?.name;
  }
}

/** Counts of ports since a first line, by the names of links. */
export function countedAt(
  { ports }: PortSample,
  first: PortSample,
  nameOf: (port: string) => string | undefined,
): Counted {
  const sentBytes = new Map<string, number>();
  let droppedPackets = 0;
  for (const [port, { txBytes, txDropped }] of Object.entries(ports)) {
    const before = first.ports[port];
    const name = nameOf(port);
    if (name !== undefined) sentBytes.set(name, txBytes - (before?.txBytes ?? 0));
    droppedPackets += txDropped - (before?.txDropped ?? 0);
  }
  return { sentBytes, droppedPackets };
}

/** Names of nodes from one to another; empty where no path leads. */
function shortestPath(links: readonly Link[], from: string, to: string): readonly string[] {
  const paths = new Map([[from, [from]]]);
  for (const [node, path] of paths) {
    if (node === to) return path;
    for (const { a, b } of links) {
      const next = a.node === node ? b.node : b.node === node ? a.node : undefined;
      if (next !== undefined && !paths.has(next)) paths.set(next, [...path, next]);
    }
  }
  return [];
}
