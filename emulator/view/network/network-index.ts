import type { DrawnLine, Network, NetworkGroup } from './network';
import type { Series } from './network-loads';

/** A direction of one link, and the picture that shows it. */
export interface ShownLink {
  /** As results call it: `s1:2->h1:1`. */
  readonly name: string;
  readonly group: number;
  readonly series: Series | undefined;
}

/** A node or a link that a reader may look for. */
export interface Found {
  readonly text: string;
  readonly group: number;
  /** Names of the nodes to mark. */
  readonly names: readonly string[];
}

/** Finds nodes and links of a network in its pictures. */
export class NetworkIndex {
  readonly #groups: readonly NetworkGroup[];
  /** Number of the picture that shows a node from within. */
  readonly #homes = new Map<string, number>();
  /** Directions of links that are drawn one by one. */
  readonly links: readonly ShownLink[];

  constructor({ groups }: Network) {
    this.#groups = groups;
    const links = new Map<string, ShownLink>();
    groups.forEach(({ nodes, lines }, group) => {
      for (const { name, kind, isOutside } of nodes) {
        if (kind !== 'group' && isOutside !== true) this.#homes.set(name, group);
      }
      for (const line of lines) {
        for (const each of directions(groups[group] as NetworkGroup, line)) {
          if (!links.has(each.name)) links.set(each.name, { ...each, group });
        }
      }
    });
    this.links = [...links.values()];
  }

  homeOf(node: string): number | undefined {
    return this.#homes.get(node);
  }

  /** Numbers of a picture and of those around it, the whole network first. */
  wayTo(group: number): number[] {
    const { parent } = this.#groups[group] ?? {};
    return parent === undefined ? [group] : [...this.wayTo(parent), group];
  }

  /**
   * Nodes whose name contains the text, and links between two that contain its parts: `leaf-1 h7`,
   * `leaf-1:7->h7:1`. Equal names come first, then those that begin so.
   */
  find(text: string, most: number): Found[] {
    const words = text.split(/->|\s+(?:to\s+)?/).filter((word) => word !== '');
    const [word = '', other] = words;
    if (word === '') return [];
    if (other !== undefined) return this.#linksBetween(word, other).slice(0, most);
    const named = [...this.#homes.keys()].filter((name) => name.includes(word));
    const rank = (name: string): number => (name === word ? 0 : name.startsWith(word) ? 1 : 2);
    return named
      .toSorted((a, b) => rank(a) - rank(b) || a.length - b.length)
      .slice(0, most)
      .map((name) => ({ text: name, group: this.#homes.get(name) ?? 0, names: [name] }));
  }

  #linksBetween(word: string, other: string): Found[] {
    const rank = (name: string): number => {
      const [from = '', to = ''] = name.split('->');
      return Number(withoutPort(from) !== word) + Number(withoutPort(to) !== other);
    };
    return this.links
      .filter(({ name }) => {
        const [from = '', to = ''] = name.split('->');
        return from.includes(word) && to.includes(other);
      })
      .toSorted((a, b) => rank(a.name) - rank(b.name))
      .map(({ name, group }) => ({ text: name, group, names: endsOf(name) }));
  }
}

/** Names of the nodes at both ends of a direction. */
export const endsOf = (name: string): string[] => name.split('->').map(withoutPort);

const withoutPort = (end: string): string => end.replace(/:\d+$/, '');

/** Both directions of a line that is one link. */
function directions(
  { nodes }: NetworkGroup,
  { a, b, ports, there, back }: DrawnLine,
): Omit<ShownLink, 'group'>[] {
  if (ports === undefined) return [];
  const [from, to] = [a, b].map((node, i) => `${nodes[node]?.name ?? ''}:${ports[i] ?? 0}`);
  return [
    { name: `${from}->${to}`, series: there },
    { name: `${to}->${from}`, series: back },
  ];
}

/** Load in thousandths and queue of a series in an interval. */
export function at(
  series: Series | undefined,
  interval: number,
): { readonly load: number; readonly queueBytes: number } {
  const { load = [], queueBytes = [] } = series ?? {};
  return {
    load: (load.length === 1 ? load[0] : load[interval]) ?? 0,
    queueBytes: (queueBytes.length === 1 ? queueBytes[0] : queueBytes[interval]) ?? 0,
  };
}

/** The interval that holds an instant, of those that there are. */
export const intervalAt = (
  { intervals, intervalUs }: Pick<Network, 'intervals' | 'intervalUs'>,
  us: number,
): number => Math.min(intervals - 1, Math.max(0, Math.floor(us / intervalUs)));
