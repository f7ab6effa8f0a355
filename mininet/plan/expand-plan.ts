import { InputError } from '../../common/errors';
import { formatIpv4, formatMac, DEFAULT_MTU, attachments } from '../../common/topology/topology';
import { macAt } from '../../common/topology/topology';
import type { Attachment, HostNode, Link, LinkEnd } from '../../common/topology/topology';
import { PS_PER_US } from '../../common/units/units';
import type { SwitchSpec } from '../../controller/document/network';
import { portInterface, switchCommand } from './commands';
import type { SwitchParts } from './commands';
import { logged, runProcesses } from './run-processes';
import type { HostPlaceAt, PlanSetting } from './run-processes';
import { shareProcesses } from './share-processes';
import type { ExperimentCase } from '../experiment/load-experiment';
import type { ExpandedNetwork } from './network-text';
import { PLAN_SCHEMA } from './plan';
import type { Plan, PlanHost, PlanProcess, PlanSwitch } from './plan';

const SETUP_SECONDS = 60;
const CPU_MS = 500;
/** Interval of port samples: a view of the run shows nothing newer. */
const PORTS_MS = 250;
/** Headers and telemetry of many hops. */
const SNAP_LENGTH = 256;
/** Text in the output of a process that logs with pino, in its JSON form. */
const WATCHING = '"level"';

/**
 * Spells out a run.
 * @throws InputError for flows, events and a bottleneck that are not in the network.
 */
export function expandPlan(
  own: ExperimentCase,
  network: ExpandedNetwork,
  setting: PlanSetting,
): Plan {
  const { document } = own;
  const { topology, switches } = network.spec;
  const ports = attachments(topology);
  checkPlaces(own, network);
  const portsOf = (name: string): readonly Attachment[] => ports.get(name) ?? [];
  const places = new Map(topology.hosts.map((host) => [host.name, place(host, portsOf)]));
  const processes = runProcesses(own, setting, places);
  const { classes = [] } = network.text.telemetry ?? {};
  const trims = network.text.trim !== undefined;
  const shared = shareProcesses(
    {
      switches: switches.map((each) => {
        return planSwitch(
          each,
          { ports: portsOf(each.node.name), buffer: document.buffer, classes, trims },
          setting,
        );
      }),
      services: [
        ...(document.controller === 'watch' ? [controller('watch', setting)] : []),
        ...processes.services,
      ],
      timeline: processes.timeline,
    },
    setting.programs,
  );
  return {
    schema: PLAN_SCHEMA,
    run: setting.run,
    experiment: document.experiment,
    output: setting.output,
    ...shared,
    hosts: topology.hosts.map((host) => planHost(host, network, portsOf)),
    links: topology.links.map(planLink),
    setup: [{ process: controller('apply', setting), deadlineSeconds: SETUP_SECONDS }],
    captures: setting.pcap ? capturesOf(document.bottleneck) : [],
    sampling: { cpuMs: CPU_MS, portsMs: PORTS_MS },
  };
}

function place(host: HostNode, portsOf: (name: string) => readonly Attachment[]): HostPlaceAt {
  const links = portsOf(host.name).map(({ port, link }) => ({
    interface: portInterface(host.name, port),
    rateBps: link.rate,
  }));
  return { name: host.name, links, address: formatIpv4(host.ipv4) };
}

function planSwitch(
  each: SwitchSpec,
  parts: SwitchParts,
  { programs, artifacts }: PlanSetting,
): PlanSwitch {
  const { node, document } = each;
  checkBuffer(each, parts, programs);
  return {
    name: node.name,
    kind: programs.kind,
    deviceId: node.deviceId,
    process: logged(node.name, switchCommand(each, parts, programs)),
    p4runtime: document.address ?? '',
    thrift: document.thrift ?? '',
    program: artifacts,
    ports: parts.ports.map(({ port, link }) => ({
      port,
      interface: portInterface(node.name, port),
      mac: formatMac(0x0200_0000_0000 + node.nodeId * 0x1_0000 + port),
      mtu: link.mtu ?? DEFAULT_MTU,
      rateBps: link.rate,
      queueDepthPackets: document.queues?.depthPackets ?? null,
    })),
  };
}

/** @throws InputError for memory that the switch does not have, or that a limit of queues undoes. */
function checkBuffer(
  { node, document }: SwitchSpec,
  { buffer }: SwitchParts,
  { kind }: PlanSetting['programs'],
): void {
  if (buffer === undefined) return;
  if (kind === 'bmv2') throw new InputError('buffer: ports of bmv2 share no memory');
  if (buffer.pfc === undefined || document.queues?.depthPackets === undefined) return;
  throw new InputError(
    `buffer.pfc excludes queues.depthPackets of ${node.name}, which would drop lossless packets`,
  );
}

/** All hosts are in one subnet; each neighbour is behind the other end of the link. */
function planHost(
  host: HostNode,
  { spec: { topology } }: ExpandedNetwork,
  portsOf: (name: string) => readonly Attachment[],
): PlanHost {
  const others = topology.hosts.filter(({ name }) => name !== host.name);
  const ports = portsOf(host.name);
  const mtus = ports.map(({ link }) => link.mtu ?? DEFAULT_MTU);
  return {
    name: host.name,
    mac: formatMac(host.mac),
    ipv4: formatIpv4(host.ipv4),
    prefixLength: 8,
    mtu: host.mtu ?? Math.min(...mtus),
    interfaces: ports.map(({ port, peer }) => {
      const gateway = formatMac(macAt(topology, peer));
      return {
        interface: portInterface(host.name, port),
        neighbours: others.map(({ ipv4 }) => ({ ipv4: formatIpv4(ipv4), mac: gateway })),
      };
    }),
  };
}

function planLink(link: Link): Plan['links'][number] {
  const { a, b, delay, backDelay = delay, up = true } = link;
  return {
    name: linkName(link),
    a: end(a),
    b: end(b),
    delayUs: delay / PS_PER_US,
    backDelayUs: backDelay / PS_PER_US,
    routed: up,
  };
}

/** The end of a host with one link has port 0 in the topology, since documents do not say one. */
const isHostEnd = ({ port }: LinkEnd): boolean => port === 0;

const end = (at: LinkEnd): Plan['links'][number]['a'] => ({
  node: at.node,
  interface: portInterface(at.node, at.port),
});

/** As the document has its ends: `h1-s1:1`. */
export const linkName = ({ a, b }: Link): string => `${endName(a)}-${endName(b)}`;

const endName = (at: LinkEnd): string => (isHostEnd(at) ? at.node : `${at.node}:${at.port}`);

function controller(verb: 'apply' | 'watch', { programs, networkFile }: PlanSetting): PlanProcess {
  const process = logged(`controller-${verb}`, [
    ...programs.hpcc,
    'controller',
    verb,
    networkFile,
    '--deadline',
    '30',
  ]);
  if (verb === 'apply') return process;
  const ready = { stream: 'stderr' as const, contains: WATCHING, deadlineSeconds: SETUP_SECONDS };
  return { ...process, ready };
}

function capturesOf(bottleneck: string): Plan['captures'] {
  const [node = '', port = ''] = bottleneck.split(':');
  const name = portInterface(node, Number(port));
  return [{ node, interface: name, file: `${name}.pcap`, snapLength: SNAP_LENGTH }];
}

function checkPlaces({ document }: ExperimentCase, { spec: { topology } }: ExpandedNetwork): void {
  const fail = (what: string, found: string, known: readonly string[]): never => {
    const where = `experiment '${document.experiment}'`;
    throw new InputError(
      `${where}: ${what} '${found}' is not in the network (${known.join(', ')})`,
    );
  };
  const hosts = topology.hosts.map(({ name }) => name);
  for (const { from, to } of document.flows) {
    for (const host of [from, to]) if (!hosts.includes(host)) fail('host', host, hosts);
  }
  for (const { host } of document.services) if (!hosts.includes(host)) fail('host', host, hosts);
  const links = topology.links.map(linkName);
  for (const { link } of document.events) if (!links.includes(link)) fail('link', link, links);
  const ends = topology.links.flatMap(({ a, b }) => [endName(a), endName(b)]);
  if (!ends.includes(document.bottleneck)) fail('port', document.bottleneck, ends);
}
