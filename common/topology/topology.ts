import { assert } from '../assert';
import type { BitsPerSecond, Bytes, Duration, PortNumber } from '../units/units';

/** A network: who is there, and which port is wired to which. */
export interface Topology {
  readonly name: string;
  readonly switches: readonly SwitchNode[];
  readonly hosts: readonly HostNode[];
  readonly links: readonly Link[];
}

export interface SwitchNode {
  readonly name: string;
  /** P4Runtime device id; 0, bmv2's default, is none to the specification. */
  readonly deviceId: number;
  /** Identity in telemetry, unique in the network, 1 to 65535. */
  readonly nodeId: number;
  /** Address of its P4Runtime server, if the topology has it. */
  readonly grpcAddress?: string;
  /** Nanoseconds in one unit of the data plane's clock: 1000 on bmv2. */
  readonly clockUnitNs: number;
  /** Bytes in one unit of the data plane's queue depth: on bmv2 the size of a packet. */
  readonly queueDepthUnitBytes: Bytes;
  /** Unit to which telemetry truncates the port's byte counter, a power of two; 1 unless given. */
  readonly txUnitBytes?: Bytes;
}

export interface HostNode {
  readonly name: string;
  /** IPv4 address as an unsigned 32-bit number. */
  readonly ipv4: number;
  /** MAC address as an unsigned 48-bit number. */
  readonly mac: number;
  /** IPv6 address in its text form. */
  readonly ipv6?: string;
  /** Largest IP packet that the host takes; that of its link unless given. */
  readonly mtu?: Bytes;
}

export interface LinkEnd {
  /** Name of a switch or host. */
  readonly node: string;
  readonly port: PortNumber;
}

/** A full-duplex link; each direction has the rate for itself. */
export interface Link {
  readonly a: LinkEnd;
  readonly b: LinkEnd;
  /** Rate from `a` to `b`. */
  readonly rate: BitsPerSecond;
  /** Propagation delay from `a` to `b`. */
  readonly delay: Duration;
  /** Rate from `b` to `a`; that of the other direction unless given. */
  readonly backRate?: BitsPerSecond;
  /** Propagation delay from `b` to `a`; that of the other direction unless given. */
  readonly backDelay?: Duration;
  /** Largest IP packet on the link, {@link DEFAULT_MTU} unless given. */
  readonly mtu?: Bytes;
  /** False while no route may lead over the link. */
  readonly up?: boolean;
}

export const DEFAULT_MTU: Bytes = 1500;

/** The part of a link that differs between its directions. */
type TwoWay<End> = { readonly a: End; readonly b: End } & Pick<
  Link,
  'rate' | 'delay' | 'backRate' | 'backDelay'
>;

/** The link as both of its ends see it: `a` is the end itself, and `rate` and `delay` lead away from it. */
export function bothWays<End, L extends TwoWay<End>>(link: L): readonly [L, L] {
  const { a, b, rate, delay, backRate = rate, backDelay = delay } = link;
  const turned = { a: b, b: a, rate: backRate, delay: backDelay };
  return [link, { ...link, ...turned, backRate: rate, backDelay: delay }];
}

/** The link as the node at one of its ends sees it. */
export function linkFrom<L extends TwoWay<{ readonly node: string }>>(link: L, node: string): L {
  return link.a.node === node ? link : bothWays<L['a'], L>(link)[1];
}

/** A port of a node, its link as the port sees it, and what is at the other end. */
export interface Attachment {
  readonly port: PortNumber;
  readonly peer: LinkEnd;
  readonly link: Link;
}

/** The ports of every node in ascending order, by the node's name. */
export function attachments(topology: Topology): ReadonlyMap<string, readonly Attachment[]> {
  const nodes = [...topology.switches, ...topology.hosts];
  const found = new Map<string, Attachment[]>(nodes.map(({ name }) => [name, []]));
  for (const link of topology.links) {
    for (const way of bothWays(link)) {
      found.get(way.a.node)?.push({ port: way.a.port, peer: way.b, link: way });
    }
  }
  for (const ports of found.values()) ports.sort((x, y) => x.port - y.port);
  return found;
}

const LOCALLY_ADMINISTERED = 0x0200_0000_0000;

/**
 * MAC address of a switch's port as a 48-bit number: 02:00, which means "locally administered",
 * then the node id and the port in two bytes each.
 */
export function switchPortMac(nodeId: number, port: PortNumber): number {
  assert(nodeId >= 0 && nodeId <= 0xffff, `a node id has 16 bits, but ${nodeId} has more`);
  assert(port >= 0 && port <= 0xffff, `a port has 16 bits, but ${port} has more`);
  return LOCALLY_ADMINISTERED + nodeId * 0x1_0000 + port;
}

/** MAC address at one end of a link: the host's own, or that of the switch's port. */
export function macAt(topology: Topology, { node, port }: LinkEnd): number {
  const host = topology.hosts.find((each) => each.name === node);
  if (host !== undefined) return host.mac;
  const sw = topology.switches.find((each) => each.name === node);
  assert(sw !== undefined, `links lead to known nodes, but '${node}' is not one`);
  return switchPortMac(sw.nodeId, port);
}

/** Text of addresses, which the project keeps as numbers. */

/** Dotted decimal of an unsigned 32-bit number. */
export function formatIpv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}

/** Reads dotted decimal; undefined for anything else. */
export function parseIpv4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  const bytes = match?.slice(1).map(Number);
  if (bytes === undefined || bytes.some((byte) => byte > 255)) return undefined;
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Six hexadecimal pairs with colons, of an unsigned 48-bit number. */
export function formatMac(address: number): string {
  const digits = address.toString(16).padStart(12, '0');
  return (digits.match(/../g) ?? []).join(':');
}

/** Reads six hexadecimal pairs with colons; undefined for anything else. */
export function parseMac(text: string): number | undefined {
  if (!/^([\da-f]{2}:){5}[\da-f]{2}$/i.test(text)) return undefined;
  return parseInt(text.replaceAll(':', ''), 16);
}
