import { InputError } from '../../../common/errors';
import { attachments, formatIpv4 } from '../../../common/topology/topology';
import type { Attachment, Topology } from '../../../common/topology/topology';
import type { SourcePaths, SourceRoutes } from '../../../common/wire/ip/source-paths';
import {
  adjacencyUsid,
  emitUsids,
  HOST_BLOCK,
  USID_HOSTS_MAX,
  USID_SWITCHES_MAX,
  USIDS_MAX,
} from '../../../common/wire/ip/usid';
import { hopsTo, portsInUse } from './routes';

/** A link as a path goes over it. */
interface Step {
  readonly node: string;
  readonly port: number;
  readonly next: string;
  readonly nextPort: number;
}

/** Source ports, which tell paths apart. */
const PATHS_MAX = 0x1_0000;

/**
 * The shortest paths between hosts as stacks of uSIDs, from the network as it was planned: what fails later is for
 * hosts to notice. The paths back are in the same order as the paths there. Found when needed, for pairs of switches.
 */
export class UsidPaths {
  readonly #topology: Topology;
  readonly #ports: ReadonlyMap<string, readonly Attachment[]>;
  readonly #nodeIds: ReadonlyMap<string, number>;
  /** The switch of each host, by the host's IPv4 address. */
  readonly #switches: ReadonlyMap<number, string>;
  readonly #known = new Map<string, SourcePaths>();

  /** @throws InputError for a network that has no room for its paths. */
  constructor(topology: Topology) {
    this.#topology = topology;
    this.#ports = portsInUse(topology);
    this.#nodeIds = new Map(topology.switches.map(({ name, nodeId }) => [name, nodeId]));
    checkRoom(topology);
    this.#switches = new Map(
      topology.hosts.flatMap(({ name, ipv4 }) => {
        const [link] = this.#ports.get(name) ?? [];
        return link === undefined ? [] : [[ipv4, link.peer.node]];
      }),
    );
    this.#checkLengths();
  }

  /**
   * The paths that a host may write into its packets.
   * @throws InputError for an address of no host.
   */
  from(address: number): SourceRoutes {
    const own = this.#switches.get(address);
    if (own === undefined)
      throw noPaths(`no host has ${formatIpv4(address)} and a link that is up`);
    // PERF: asked for each frame.
    const byHost = new Map<number, SourcePaths>();
    return (destination) => {
      const known = byHost.get(destination);
      if (known !== undefined) return known;
      const last = this.#switches.get(destination);
      const found = last === undefined ? undefined : this.#between(own, last);
      if (found !== undefined) byHost.set(destination, found);
      return found;
    };
  }

  /** Undefined where no path leads. */
  #between(first: string, last: string): SourcePaths | undefined {
    const key = `${first} ${last}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const isForwards = (this.#nodeIds.get(first) ?? 0) <= (this.#nodeIds.get(last) ?? 0);
    const paths = isForwards
      ? this.#walk(first, last)
      : this.#walk(last, first).map((steps) => steps.map(backwards).toReversed());
    const [some] = paths;
    if (some === undefined) return undefined;
    const found = {
      destinations: paths.map((steps) => emitUsids(HOST_BLOCK, this.#usidsOf(steps, last))),
      hostAt: 4 + 2 * (some.length + 1),
    };
    this.#known.set(key, found);
    return found;
  }

  /** All shortest paths from one switch to another, by ascending ports. */
  #walk(first: string, last: string): readonly (readonly Step[])[] {
    const distance = hopsTo(last, this.#topology, this.#ports);
    const found: (readonly Step[])[] = [];
    const walk = (node: string, steps: readonly Step[]): void => {
      if (node === last) found.push(steps);
      if (found.length > PATHS_MAX) {
        throw noPaths(
          `more than ${PATHS_MAX} paths lead from ${first} to ${last}, and source ports tell no more apart`,
        );
      }
      for (const { port, peer } of this.#ports.get(node) ?? []) {
        if (distance.get(peer.node) !== (distance.get(node) ?? NaN) - 1) continue;
        walk(peer.node, [...steps, { node, port, next: peer.node, nextPort: peer.port }]);
      }
    };
    if (distance.has(first)) walk(first, []);
    return found;
  }

  /**
   * Each switch by its node; up to the last of several links side by side each by its port, since who routes to a
   * node cannot route to the port of another one.
   */
  #usidsOf(steps: readonly Step[], last: string): readonly number[] {
    const lastOfSeveral = steps.findLastIndex(({ node, next }) => {
      const links = (this.#ports.get(node) ?? []).filter(({ peer }) => peer.node === next);
      return links.length > 1;
    });
    const usids = steps.map(({ node, port }, i) =>
      i <= lastOfSeveral ? adjacencyUsid(port) : (this.#nodeIds.get(node) ?? 0),
    );
    return [...usids, this.#nodeIds.get(last) ?? 0];
  }

  /** @throws InputError for two hosts with more switches between them than a destination has room for. */
  #checkLengths(): void {
    const ends = new Set(this.#switches.values());
    for (const last of ends) {
      const distance = hopsTo(last, this.#topology, this.#ports);
      for (const first of ends) {
        const switches = (distance.get(first) ?? 0) + 1;
        if (switches < USIDS_MAX) continue;
        throw noPaths(
          `paths from ${first} to ${last} have ${switches} switches, and an IPv6 destination has room for ${USIDS_MAX - 1} and the host`,
        );
      }
    }
  }
}

const backwards = ({ node, port, next, nextPort }: Step): Step => ({
  node: next,
  port: nextPort,
  next: node,
  nextPort: port,
});

const noPaths = (reason: string): InputError => new InputError(`paths of uSIDs: ${reason}`);

function checkRoom(topology: Topology): void {
  const { hosts, switches } = topology;
  if (hosts.length > USID_HOSTS_MAX || switches.length > USID_SWITCHES_MAX) {
    throw noPaths(
      `there is room for ${USID_HOSTS_MAX} hosts and ${USID_SWITCHES_MAX} switches at most`,
    );
  }
  const beyond = switches.find(({ nodeId }) => nodeId > USID_SWITCHES_MAX);
  if (beyond !== undefined) {
    const { name, nodeId } = beyond;
    throw noPaths(`node ids are up to ${USID_SWITCHES_MAX}, and that of ${name} is ${nodeId}`);
  }
  const ports = attachments(topology);
  const several = hosts.find(({ name }) => (ports.get(name) ?? []).length > 1);
  if (several !== undefined) {
    throw noPaths(`host ${several.name} has several links, and paths begin at one`);
  }
}
