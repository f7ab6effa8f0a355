import { formatIpv4, formatMac } from '../../common/topology/topology';
import type { LinkEnd, SwitchNode, Topology } from '../../common/topology/topology';
import { PS_PER_NS } from '../../common/units/units';
import type { NetworkText } from './schema';

export type SwitchText = NetworkText['switches'][number];

/**
 * The document of a network that a program has planned. It says what the topology says, and leaves
 * programs, telemetry and everything else at the defaults of documents.
 * @param addressOf where the P4Runtime server of a switch listens, as host and port; what the
 * topology says unless given.
 */
export function topologyDocument(
  { name, switches, hosts, links }: Topology,
  addressOf: (own: SwitchNode) => string | undefined = (own) => own.grpcAddress,
): NetworkText & { readonly switches: readonly SwitchText[] } {
  const linkCounts = new Map(hosts.map((each) => [each.name, 0]));
  for (const { node } of links.flatMap(({ a, b }) => [a, b])) {
    const count = linkCounts.get(node);
    if (count !== undefined) linkCounts.set(node, count + 1);
  }
  const end = ({ node, port }: LinkEnd): string =>
    linkCounts.get(node) === 1 ? node : `${node}:${port}`;
  return {
    network: name,
    telemetry: { txUnitBytes: switches[0]?.txUnitBytes },
    switches: switches.map((own) => ({
      name: own.name,
      address: addressOf(own),
      deviceId: own.deviceId,
      nodeId: own.nodeId,
      clockUnitNs: own.clockUnitNs,
      queueUnitBytes: own.queueDepthUnitBytes,
    })),
    hosts: hosts.map((each) => ({
      name: each.name,
      ipv4: formatIpv4(each.ipv4),
      mac: formatMac(each.mac),
      ipv6: each.ipv6,
      mtu: each.mtu,
    })),
    links: links.map(({ a, b, rate, delay, backRate, backDelay, mtu, up = true }) => ({
      between: [end(a), end(b)],
      rate: `${rate} bit/s`,
      delay: `${delay / PS_PER_NS} ns`,
      ...(backRate !== undefined && { backRate: `${backRate} bit/s` }),
      ...(backDelay !== undefined && { backDelay: `${backDelay / PS_PER_NS} ns` }),
      mtu,
      up,
    })),
  };
}
