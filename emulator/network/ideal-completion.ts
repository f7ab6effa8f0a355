import { bothWays } from '../../common/topology/topology';
import { assert } from '../../common/assert';
import type { BitsPerSecond, Bytes, Duration } from '../../common/units/units';
import { serialisationTime } from '../../common/units/units';
import type { FrameSizes, Path } from './paths';
import type { NetworkPlan, PlannedLink } from './plan';

/**
 * The time from the first byte of a flow to the acknowledgement of its last when it is alone on the
 * path at line rate: every frame leaves a switch when it has come in whole and the link is free.
 * @param bytes of payload; the last frame carries what full ones have left.
 */
export function idealCompletionTime(path: Path, frames: FrameSizes, bytes: Bytes): Duration {
  const { data, payload, hop, acknowledgement, echoedHop } = frames;
  const segments = Math.max(1, Math.ceil(bytes / payload));
  const missing = segments * payload - bytes;
  const ack = acknowledgement + (path.length - 1) * echoedHop;
  // Times at which the last full frame, and the last frame, have left the link before.
  let [full, last] = [0, 0];
  let slowest = 0;
  let arrived = 0;
  let back = 0;
  path.forEach(({ rate, delay, backRate = rate, backDelay = delay }, i) => {
    const time = serialisationTime(data + i * hop, rate);
    slowest = Math.max(slowest, time);
    arrived += time;
    full = segments === 1 ? 0 : arrived + (segments - 2) * slowest;
    last = Math.max(last, full) + serialisationTime(data + i * hop - missing, rate) + delay;
    arrived += delay;
    back += serialisationTime(ack, backRate) + backDelay;
  });
  return Math.round(last + back);
}

interface Step {
  readonly from: string;
  readonly link: PlannedLink;
  /** Propagation and a full frame's time on each link from the root. */
  readonly cost: number;
}

/**
 * Computes completion times of flows in the idle network on the best of all paths, whichever the
 * switches choose: no flow is faster. The best path is the quickest of those without links below
 * some rate, whichever rate that is.
 */
export class IdealTimes {
  /** The links of each node, as it sees them. */
  readonly #neighbours = new Map<string, PlannedLink[]>();
  readonly #rates: readonly BitsPerSecond[];
  /** Trees by root and least rate. */
  readonly #trees = new Map<string, ReadonlyMap<string, Step>>();

  readonly #switches: ReadonlySet<string>;

  constructor(
    { links, topology }: NetworkPlan,
    private readonly frames: FrameSizes,
  ) {
    this.#switches = new Set(topology.switches.map(({ name }) => name));
    const ways = links.flatMap((link) => bothWays(link));
    for (const way of ways) {
      const { node } = way.a;
      this.#neighbours.set(node, [...(this.#neighbours.get(node) ?? []), way]);
    }
    this.#rates = [...new Set(ways.map(({ rate }) => rate))].sort((a, b) => a - b);
  }

  /** The hosts are those of a validated network, so there is a path. */
  of(source: string, destination: string, bytes: Bytes): Duration {
    const times = this.#rates.flatMap((least) => {
      const path = this.#path(source, destination, least);
      return path === undefined ? [] : [idealCompletionTime(path, this.frames, bytes)];
    });
    assert(times.length > 0, `a path leads from ${source} to ${destination}`);
    return Math.min(...times);
  }

  #path(source: string, destination: string, least: BitsPerSecond): Path | undefined {
    // Hosts behind one link share the tree of the switch there.
    const links = this.#neighbours.get(source) ?? [];
    const [access] = links.length === 1 ? links : [];
    if (access !== undefined && access.rate < least) return undefined;
    const next = access === undefined ? source : access.b.node;
    const root = this.#switches.has(next) ? next : source;
    const tree = this.#tree(root, least);
    const path: PlannedLink[] = [];
    for (let node = destination; node !== root;) {
      const step = tree.get(node);
      if (step?.link === undefined) return undefined;
      path.unshift(step.link);
      node = step.from;
    }
    return access === undefined || root === source ? path : [access, ...path];
  }

  #tree(root: string, least: BitsPerSecond): ReadonlyMap<string, Step> {
    const key = `${least} ${root}`;
    const known = this.#trees.get(key);
    if (known !== undefined) return known;
    const tree = new Map<string, Step>();
    // A node is looked at again whenever a quicker way to it is found.
    const queue = [root];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      const before = tree.get(node)?.cost ?? 0;
      for (const link of this.#neighbours.get(node) ?? []) {
        const next = link.b.node;
        if (link.rate < least || next === root) continue;
        const cost = before + link.delay + serialisationTime(this.frames.data, link.rate);
        if (cost >= (tree.get(next)?.cost ?? Infinity)) continue;
        tree.set(next, { from: node, link, cost });
        // Hosts do not forward.
        if (this.#switches.has(next)) queue.push(next);
      }
    }
    this.#trees.set(key, tree);
    return tree;
  }
}
