import { bothWays } from '../../common/topology/topology';
import { assert } from '../../common/assert';
import type { Bytes, Duration } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';
import type { NetworkPlan, PlannedLink } from './plan';

/** One shortest path: rates and delays of its links in order, as who sends along it sees them. */
export type Path = readonly Pick<PlannedLink, 'rate' | 'delay' | 'backRate' | 'backDelay'>[];

/** Wire bytes of the frames whose time on a path is computed. */
export interface FrameSizes {
  /** A full data frame as it leaves the host, before any switch added telemetry. */
  readonly data: Bytes;
  readonly payload: Bytes;
  /** Bytes that each switch adds. */
  readonly hop: Bytes;
  /** An acknowledgement that brings the telemetry of no hop, and what each hop adds to it. */
  readonly acknowledgement: Bytes;
  readonly echoedHop: Bytes;
}

/** Bytes of an acknowledgement that echoes the telemetry of `hops` switches. */
const ackBytes = ({ acknowledgement, echoedHop }: FrameSizes, hops: number): Bytes =>
  acknowledgement + hops * echoedHop;

/**
 * Shortest paths by number of links, found by a breadth-first search per source, when needed. Hosts with one link have
 * the search of their switch: one for each of 8,000 hosts would take more memory than there is.
 */
export class Paths {
  readonly #neighbours = new Map<string, { readonly node: string; readonly link: PlannedLink }[]>();
  readonly #trees = new Map<string, Map<string, { from: string; link: PlannedLink }>>();

  readonly #switches: ReadonlySet<string>;

  constructor({ links, topology }: NetworkPlan) {
    this.#switches = new Set(topology.switches.map(({ name }) => name));
    for (const link of links.flatMap((each) => bothWays(each))) this.#join(link);
  }

  /** True if a path leads from one host to another. */
  has(source: string, destination: string): boolean {
    const { root } = this.#startOf(source);
    return source !== destination && (root === destination || this.#tree(root).has(destination));
  }

  /** There is a path: {@link has} says so. */
  between(source: string, destination: string): Path {
    const { root, first } = this.#startOf(source);
    const tree = this.#tree(root);
    const path: PlannedLink[] = [];
    for (let node = destination; node !== root;) {
      const step = tree.get(node);
      assert(step !== undefined, `a path leads from ${source} to ${destination}`);
      path.unshift(step.link);
      node = step.from;
    }
    if (first !== undefined) path.unshift(first);
    return path;
  }

  /** Names of the nodes on that path, the last one first. */
  nodesBetween(source: string, destination: string): readonly string[] {
    const { root } = this.#startOf(source);
    const tree = this.#tree(root);
    const nodes = [destination];
    for (let node = destination; node !== root;) {
      const step = tree.get(node);
      assert(step !== undefined, `a path leads from ${source} to ${destination}`);
      nodes.push(step.from);
      node = step.from;
    }
    if (root !== source) nodes.push(source);
    return nodes;
  }

  /** Node that a source's search begins at, and the link there, if it is not the source. */
  #startOf(source: string): { readonly root: string; readonly first?: PlannedLink } {
    const [only, ...more] = this.#neighbours.get(source) ?? [];
    if (only === undefined || more.length > 0) return { root: source };
    if (this.#switches.has(source) || !this.#switches.has(only.node)) return { root: source };
    return { root: only.node, first: only.link };
  }

  #join(link: PlannedLink): void {
    const { a, b } = link;
    const list = this.#neighbours.get(a.node) ?? [];
    list.push({ node: b.node, link });
    this.#neighbours.set(a.node, list);
  }

  #tree(source: string): Map<string, { from: string; link: PlannedLink }> {
    const known = this.#trees.get(source);
    if (known !== undefined) return known;
    const tree = new Map<string, { from: string; link: PlannedLink }>();
    const queue = [source];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      for (const { node: next, link } of this.#neighbours.get(node) ?? []) {
        if (next === source || tree.has(next)) continue;
        tree.set(next, { from: node, link });
        // Hosts do not forward.
        if (this.#switches.has(next)) queue.push(next);
      }
    }
    this.#trees.set(source, tree);
    return tree;
  }
}

/** RTT of one full data frame and its acknowledgement on an idle path, headers included. */
export function baseRtt(path: Path, frames: FrameSizes): Duration {
  const switches = path.length - 1;
  const ack = ackBytes(frames, switches);
  return path.reduce((total, { rate, delay, backRate = rate, backDelay = delay }, i) => {
    const there = serialisationTime(frames.data + i * frames.hop, rate) + delay;
    return total + there + serialisationTime(ack, backRate) + backDelay;
  }, 0);
}
