import { z } from 'zod';
import { parseLocated } from '../../common/document/located-document';
import { withHostPorts } from './host-ports';
import type { NetworkText } from './schema';

/** Links without a bandwidth have no limit in Mininet; telemetry still wants a number. */
const UNLIMITED = '10 Gb/s';

const nodeSchema = z.looseObject({
  id: z.string(),
  isHost: z.boolean().optional(),
  isP4Switch: z.boolean().optional(),
  device_id: z.number().nullish(),
  grpc_port: z.number().nullish(),
  thrift_port: z.number().nullish(),
  json_path: z.string().nullish(),
  p4rt_path: z.string().nullish(),
});

const linkSchema = z.looseObject({
  node1: z.string(),
  node2: z.string(),
  port1: z.number().nullish(),
  port2: z.number().nullish(),
  addr1: z.string().nullish(),
  addr2: z.string().nullish(),
  ip1: z.string().nullish(),
  ip2: z.string().nullish(),
  bw: z.number().nullish(),
  delay: z.string().nullish(),
});

/** The topology file that p4-utils writes for controllers: nodes and links of a graph. */
const graphSchema = z.looseObject({
  nodes: z.array(nodeSchema),
  links: z.array(linkSchema),
});

type GraphNode = z.infer<typeof nodeSchema>;
type GraphLink = z.infer<typeof linkSchema>;
type SwitchText = NetworkText['switches'][number];
type HostText = NonNullable<NetworkText['hosts']>[number];

/** True if a parsed file looks like a topology that p4-utils has written. */
export function isP4UtilsTopology(content: unknown): boolean {
  const { nodes, links } = (content ?? {}) as Readonly<Record<string, unknown>>;
  return Array.isArray(nodes) && Array.isArray(links);
}

/**
 * Reads the topology file of p4-utils: P4 switches with their ports, programs and addresses, hosts,
 * and the links between them. Other nodes, such as routers, are passed over with their links.
 * @throws InputError naming file, line and path.
 */
export function parseP4UtilsTopology(text: string, file: string): NetworkText {
  const { value } = parseLocated(text, file, graphSchema, 'topology');
  const switches = value.nodes.filter(({ isP4Switch }) => isP4Switch);
  const hosts = value.nodes.filter(({ isHost }) => isHost);
  const known = new Set([...switches, ...hosts].map(({ id }) => id));
  const links = value.links.filter(({ node1, node2 }) => known.has(node1) && known.has(node2));
  const hostNames = new Set(hosts.map(({ id }) => id));
  return withHostPorts({
    network: 'p4-utils',
    switches: switches.map((each, i) => switchText(each, i, links)),
    hosts: hosts.map((each) => hostText(each, links)),
    links: links.map((each) => ({
      between: [
        endText(each.node1, each.port1, hostNames),
        endText(each.node2, each.port2, hostNames),
      ],
      rate: each.bw ? `${each.bw} Mb/s` : UNLIMITED,
      ...(each.delay && { delay: each.delay }),
    })),
  });
}

function switchText(node: GraphNode, index: number, links: readonly GraphLink[]): SwitchText {
  const { id, device_id: device, grpc_port: grpc, thrift_port: thrift } = node;
  const limited = links.filter(({ bw }) => bw);
  const ports = [
    ...limited.flatMap(({ node1, port1 }) => (node1 === id ? [port1] : [])),
    ...limited.flatMap(({ node2, port2 }) => (node2 === id ? [port2] : [])),
  ].flatMap((port) => port ?? []);
  const { json_path: config, p4rt_path: p4info } = node;
  return {
    name: id,
    deviceId: device ?? index + 1,
    ...(grpc && { address: `127.0.0.1:${grpc}` }),
    ...(thrift && { thrift: `127.0.0.1:${thrift}` }),
    ...(config && p4info && { program: { p4info, config } }),
    queues: { enforceRate: false },
    ports: ports.map((port) => ({ port, enforceRate: true })),
  };
}

function hostText({ id }: GraphNode, links: readonly GraphLink[]): HostText {
  const ends = links.flatMap(({ node1, node2, addr1, addr2, ip1, ip2 }) => [
    { node: node1, mac: addr1, ip: ip1 },
    { node: node2, mac: addr2, ip: ip2 },
  ]);
  const own = ends.find(({ node }) => node === id);
  return {
    name: id,
    ...(own?.mac && { mac: own.mac }),
    ...(own?.ip && { ipv4: own.ip.replace(/\/\d+$/, '') }),
  };
}

function endText(
  node: string,
  port: number | null | undefined,
  hosts: ReadonlySet<string>,
): string {
  return hosts.has(node) || port === undefined || port === null ? node : `${node}:${port}`;
}
