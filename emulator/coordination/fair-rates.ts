import type { BitsPerSecond } from '../../common/units/units';

/** A link as far as its capacity matters, in any unit. */
export interface CapacityLink {
  readonly a: { readonly node: string };
  readonly b: { readonly node: string };
  /** Rate from `a` to `b`. */
  readonly rate: BitsPerSecond;
  /** Rate from `b` to `a`; that of the other direction unless given. */
  readonly backRate?: BitsPerSecond | undefined;
}

/** A link as the node at one end sees it. */
interface Neighbour {
  readonly node: string;
  /** Rate towards it. */
  readonly rate: BitsPerSecond;
}

/** Sender and receiver of a flow. */
export interface FlowEnds {
  readonly source: string;
  readonly destination: string;
  /** Flows of these ends, which all get the same; 1 unless given. */
  readonly count?: number;
}

/** Links at the same distance from a destination, among which routing may choose. */
interface Pool {
  readonly capacity: BitsPerSecond;
  /** Capacity of the fastest single link: a flow is not divided. */
  readonly most: BitsPerSecond;
}

interface Ask {
  readonly pools: readonly Pool[];
  readonly count: number;
  rate: BitsPerSecond | undefined;
}

/**
 * Computes the max-min fair rates of flows under ideal routing, which always finds the free ones
 * among the shortest paths. Parallel links count as one with the capacity of all, so no routing
 * gives every flow more; links that fail are not taken out.
 */
export class FairRates {
  readonly #neighbours = new Map<string, Neighbour[]>();
  readonly #hosts: ReadonlySet<string>;
  readonly #distances = new Map<string, ReadonlyMap<string, number>>();
  readonly #pools = new Map<string, Pool>();
  readonly #poolsOf = new Map<string, readonly Pool[]>();

  constructor(links: readonly CapacityLink[], hosts: readonly string[]) {
    this.#hosts = new Set(hosts);
    for (const { a, b, rate, backRate = rate } of links) {
      this.#neighboursOf(a.node).push({ node: b.node, rate });
      this.#neighboursOf(b.node).push({ node: a.node, rate: backRate });
    }
  }

  /** Rate of each flow, in their order, on the wire and in the unit of the links. */
  of(flows: readonly FlowEnds[]): BitsPerSecond[] {
    const asks = flows.map((flow): Ask => {
      return { pools: this.#poolsBetween(flow), count: flow.count ?? 1, rate: undefined };
    });
    const free = new Map<Pool, { left: BitsPerSecond; asks: number }>();
    for (const { pools, count } of asks) {
      for (const pool of pools) {
        const share = free.get(pool) ?? { left: pool.capacity, asks: 0 };
        share.asks += count;
        free.set(pool, share);
      }
    }
    // All rise alike until a pool is full or a flow fills a link: those at it have what they get.
    for (let open = asks; open.length > 0; open = open.filter(({ rate }) => rate === undefined)) {
      const limits = open.map(({ pools }) => limitOf(pools, free));
      const least = Math.min(...limits);
      open.forEach((ask, i) => {
        if (limits[i] !== least) return;
        ask.rate = least;
      });
      for (const { pools, count } of open.filter(({ rate }) => rate !== undefined)) {
        for (const pool of pools) take(free.get(pool), least, count);
      }
    }
    return asks.map(({ rate }) => rate ?? 0);
  }

  #poolsBetween({ source, destination }: FlowEnds): readonly Pool[] {
    const key = `${source} ${destination}`;
    const known = this.#poolsOf.get(key);
    if (known !== undefined) return known;
    const distances = this.#distancesTo(destination);
    const pools: Pool[] = [];
    for (let nodes = new Set([source]); !nodes.has(destination);) {
      const steps = [...nodes].flatMap((node) =>
        this.#neighboursOf(node)
          .filter(({ node: next }) => (distances.get(next) ?? NaN) < (distances.get(node) ?? NaN))
          .map(({ node: next, rate }) => ({ next, rate, name: `${node}>${next}` })),
      );
      if (steps.length === 0) break;
      pools.push(this.#poolOf(steps));
      nodes = new Set(steps.map(({ next }) => next));
    }
    this.#poolsOf.set(key, pools);
    return pools;
  }

  #poolOf(steps: readonly { readonly name: string; readonly rate: BitsPerSecond }[]): Pool {
    const names = steps.map(({ name }) => name).sort();
    const key = names.join(' ');
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const rates = steps.map(({ rate }) => rate);
    const capacity = rates.reduce((sum, rate) => sum + rate, 0);
    const pool = { capacity, most: Math.max(...rates) };
    this.#pools.set(key, pool);
    return pool;
  }

  /** Links to the destination, by node; other hosts are on no path. */
  #distancesTo(destination: string): ReadonlyMap<string, number> {
    const known = this.#distances.get(destination);
    if (known !== undefined) return known;
    const distances = new Map([[destination, 0]]);
    const queue = [destination];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      if (this.#hosts.has(node) && node !== destination) continue;
      for (const next of this.#neighboursOf(node)) {
        if (distances.has(next.node)) continue;
        distances.set(next.node, (distances.get(node) ?? 0) + 1);
        queue.push(next.node);
      }
    }
    this.#distances.set(destination, distances);
    return distances;
  }

  #neighboursOf(node: string): Neighbour[] {
    const known = this.#neighbours.get(node);
    if (known !== undefined) return known;
    const fresh: Neighbour[] = [];
    this.#neighbours.set(node, fresh);
    return fresh;
  }
}

type Free = ReadonlyMap<Pool, { left: BitsPerSecond; asks: number }>;

const limitOf = (pools: readonly Pool[], free: Free): BitsPerSecond =>
  pools.reduce((least, pool) => {
    const { left, asks } = free.get(pool) ?? { left: pool.capacity, asks: 1 };
    return Math.min(least, pool.most, left / asks);
  }, Infinity);

function take(
  share: { left: BitsPerSecond; asks: number } | undefined,
  rate: BitsPerSecond,
  count: number,
): void {
  if (share === undefined) return;
  share.left -= rate * count;
  share.asks -= count;
}
