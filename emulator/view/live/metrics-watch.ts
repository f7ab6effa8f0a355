import { InputError } from '../../../common/errors';
import type { Topology } from '../../../common/topology/topology';
import type { Result } from '../../result/result';
import { LIVE_INTERVAL_US } from './live-links';
import { LiveNetwork } from './live-network';
import type { WatchedLink } from './live-network';
import type { MetricSample, Metrics } from './metrics-text';
import { topologyRecord } from '../../result/topology-record';
import { switchLinks } from './watched-topology';

/** Metrics of each switch and agent at one instant, by their names. */
export type MetricsByName = ReadonlyMap<string, Metrics>;

const BITS_PER_BYTE = 8;
/** Age beyond which an observation says nothing about the present. */
const HELD_US = 1e6;
/** Most ports of one switch. */
const PORTS_MAX = 4096;
const NONE: readonly MetricSample[] = [];

/** Record of real switches and agents, from their metrics. */
export class MetricsWatch {
  readonly network: LiveNetwork;
  /** Names of directions of links by `s1:2`. */
  readonly #links: ReadonlyMap<string, string>;
  readonly #first: ReadonlyMap<string, number>;
  readonly #firstDrops: ReadonlyMap<string, number>;
  /** Drops of each switch since the first look. */
  readonly #drops = new Map<string, number>();

  /**
   * @param first the first metrics of each: counters count from there.
   * @param topology links between the nodes, where they are known.
   */
  constructor(
    first: MetricsByName,
    {
      title,
      generator,
      topology,
    }: {
      readonly title: string;
      readonly generator: Result['generator'];
      readonly topology: Topology | undefined;
    },
  ) {
    const drawn = topology === undefined ? starsOf(first) : drawnOf(topology);
    this.#links = new Map(drawn.links.map(({ port, name }) => [port, name]));
    const paths = [...first].filter(isAgent).map(([name]) => ({ name: pathOf(name), rateGbps: 0 }));
    this.network = new LiveNetwork({
      title,
      generator,
      name: 'live',
      parameters: {},
      topology: drawn.topology,
      links: [...drawn.links, ...paths],
    });
    this.#first = sentBytes(first);
    this.#firstDrops = drops(first);
  }

  /**
   * @param us since the first look.
   * @param told new metrics; peers that have not answered are left out.
   */
  note(us: number, told: MetricsByName): void {
    for (const [node, metrics] of told) {
      this.#queues(us, node, metrics);
      this.#flows(us, node, metrics);
      this.#connections(us, node, metrics);
    }
    const totals = [...sentBytes(told)].flatMap(([port, bytes]) => {
      const name = this.#links.get(port);
      return name === undefined ? [] : [[name, since(bytes, this.#first.get(port))] as const];
    });
    for (const [node, count] of drops(told)) {
      this.#drops.set(node, since(count, this.#firstDrops.get(node)));
    }
    const droppedPackets = [...this.#drops.values()].reduce((sum, count) => sum + count, 0);
    this.network.counted(us, { sentBytes: new Map(totals), droppedPackets });
  }

  #queues(us: number, node: string, metrics: Metrics): void {
    for (const { labels, value } of metrics.get('hpcc_switch_queue_bytes') ?? NONE) {
      const link = this.#links.get(`${node}:${labels.get('port') ?? ''}`);
      if (link !== undefined) this.#waited(us, link, value);
    }
    const queues = metrics.get('hpcc_flow_queue_bytes') ?? NONE;
    const longest = queues.reduce((most, { value }) => Math.max(most, value), 0);
    if (queues.length > 0) this.#waited(us, pathOf(node), longest);
  }

  /** A queue is taken to have been so long since the look before, of which there are some per second. */
  #waited(us: number, link: string, bytes: number): void {
    if (bytes === 0) return;
    const from = Math.max(this.network.us, us - HELD_US);
    for (let at = us - 1; at >= from; at -= LIVE_INTERVAL_US) this.network.waited(at, link, bytes);
  }

  #flows(us: number, node: string, metrics: Metrics): void {
    const of = (name: string) =>
      new Map((metrics.get(name) ?? NONE).map(({ labels, value }) => [flowKey(labels), value]));
    const [rates, loads, delivered] = [
      of('hpcc_flow_pacing_bytes_per_second'),
      of('hpcc_flow_normalized_inflight'),
      of('hpcc_flow_acknowledged_bytes'),
    ];
    for (const { labels, value: windowBytes } of metrics.get('hpcc_flow_window_bytes') ?? NONE) {
      const key = flowKey(labels);
      const from = labels.get('source');
      // A flow of another host is told by the agent that receives it and runs its algorithm.
      const ends =
        from === undefined
          ? { source: node, destination: `peer of ${labels.get('flow') ?? ''}` }
          : { source: from, destination: node };
      this.network.flow(`${node} ${key}`, ends, us, {
        windowBytes,
        rateBps: (rates.get(key) ?? 0) * BITS_PER_BYTE,
        normalizedInflight: loads.get(key) ?? 0,
        deliveredBytes: delivered.get(key) ?? 0,
      });
    }
  }

  #connections(us: number, node: string, metrics: Metrics): void {
    const of = (name: string) => byLabel(metrics, name, 'connection');
    const delivered = of('hpcc_tcp_acknowledged_bytes');
    for (const [connection, rate] of of('hpcc_tcp_rate_bytes_per_second')) {
      this.network.flow(`${node} ${connection}`, { source: node, destination: connection }, us, {
        windowBytes: 0,
        rateBps: rate * BITS_PER_BYTE,
        normalizedInflight: 0,
        deliveredBytes: delivered.get(connection) ?? 0,
      });
    }
  }
}

/** Name in place of a link: the bottleneck of an agent's paths, whichever link that is. */
const pathOf = (agent: string): string => `bottleneck link from ${agent}`;

const isAgent = ([, metrics]: readonly [string, Metrics]): boolean =>
  metrics.has('hpcc_agent_frames_total');

const drawnOf = (topology: Topology) => ({
  topology: topologyRecord(topology),
  links: switchLinks(topology),
});

/** Topology where none is given: each switch, and a node at each of its ports. */
function starsOf(first: MetricsByName) {
  const nodes: Result['topology']['nodes'] = [];
  const wires: Result['topology']['links'] = [];
  const links: (WatchedLink & { readonly port: string })[] = [];
  for (const [node, metrics] of first) {
    const ports = byLabel(metrics, 'hpcc_switch_queue_bytes', 'port');
    if (ports.size === 0) continue;
    if (ports.size > PORTS_MAX) {
      throw new InputError(`${node} has ${ports.size} ports: at most ${PORTS_MAX} are watched`);
    }
    nodes.push({ name: node, kind: 'switch' });
    const rates = byLabel(metrics, 'hpcc_switch_link_bytes_per_second', 'port');
    for (const port of ports.keys()) {
      const peer = `${node} port ${port}`;
      const rateGbps = ((rates.get(port) ?? 0) * BITS_PER_BYTE) / 1e9;
      nodes.push({ name: peer, kind: 'host' });
      wires.push({ a: node, b: peer, rateGbps, delayUs: 0 });
      links.push({ name: `${node}:${port}->${peer}:1`, port: `${node}:${port}`, rateGbps });
    }
  }
  return { topology: { nodes, links: wires }, links };
}

/** Identifies a flow among those of an agent. */
const flowKey = (labels: MetricSample['labels']): string =>
  [labels.get('source') ?? [], labels.get('flow') ?? []].flat().join(' ');

const byLabel = (metrics: Metrics, name: string, label: string): Map<string, number> =>
  new Map((metrics.get(name) ?? NONE).map(({ labels, value }) => [labels.get(label) ?? '', value]));

/** Bytes sent, by `s1:2`. */
function sentBytes(told: MetricsByName): Map<string, number> {
  const found = new Map<string, number>();
  for (const [node, metrics] of told) {
    for (const { labels, value } of metrics.get('hpcc_switch_bytes_total') ?? NONE) {
      if (labels.get('direction') !== 'sent') continue;
      found.set(`${node}:${labels.get('port') ?? ''}`, value);
    }
  }
  return found;
}

/** Drops by switch. */
function drops(told: MetricsByName): Map<string, number> {
  const found = new Map<string, number>();
  for (const [node, metrics] of told) {
    const counts = metrics.get('hpcc_switch_drops_total') ?? NONE;
    found.set(
      node,
      counts.reduce((sum, { value }) => sum + value, 0),
    );
  }
  return found;
}

/** Count since the first look; a counter that has restarted counts from 0. */
const since = (count: number, first = 0): number => (count >= first ? count - first : count);
