import type { PortNumber } from '../../common/units/units';
import type { PlannedEnd, PlannedLink } from '../network/plan';

/** Whether the queue of a switch's port is too long for more traffic. */
export type IsLoaded = (node: string, port: PortNumber) => boolean;

/**
 * Whether a shortest path between two hosts is light: all its switch ports, that to the receiver
 * included, since no other path helps where all of them end in one full port.
 */
export class LightPaths {
  readonly #ports = new Map<string, (PlannedEnd & { readonly own: PortNumber })[]>();
  readonly #hosts: ReadonlySet<string>;
  readonly #distances = new Map<string, ReadonlyMap<string, number>>();

  constructor(links: readonly PlannedLink[], hosts: readonly string[]) {
    this.#hosts = new Set(hosts);
    for (const { a, b } of links) {
      this.#portsOf(a.node).push({ ...b, own: a.port });
      this.#portsOf(b.node).push({ ...a, own: b.port });
    }
  }

  exists(source: string, destination: string, isLoaded: IsLoaded): boolean {
    const distances = this.#distancesTo(destination);
    const known = new Map<string, boolean>();
    const leads = (node: string): boolean => {
      if (node === destination) return true;
      const before = known.get(node);
      if (before !== undefined) return before;
      const distance = distances.get(node) ?? Infinity;
      const found = this.#portsOf(node).some(
        (next) =>
          (distances.get(next.node) ?? Infinity) < distance &&
          (this.#hosts.has(node) || !isLoaded(node, next.own)) &&
          leads(next.node),
      );
      known.set(node, found);
      return found;
    };
    return leads(source);
  }

  /** Links to the destination, by node; other hosts are on no path. */
  #distancesTo(destination: string): ReadonlyMap<string, number> {
    const known = this.#distances.get(destination);
    if (known !== undefined) return known;
    const distances = new Map([[destination, 0]]);
    const queue = [destination];
    for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
      if (this.#hosts.has(node) && node !== destination) continue;
      for (const next of this.#portsOf(node)) {
        if (distances.has(next.node)) continue;
        distances.set(next.node, (distances.get(node) ?? 0) + 1);
        queue.push(next.node);
      }
    }
    this.#distances.set(destination, distances);
    return distances;
  }

  #portsOf(node: string): (PlannedEnd & { readonly own: PortNumber })[] {
    const known = this.#ports.get(node);
    if (known !== undefined) return known;
    const fresh: (PlannedEnd & { readonly own: PortNumber })[] = [];
    this.#ports.set(node, fresh);
    return fresh;
  }
}
