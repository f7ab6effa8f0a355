import type { NetworkText } from '../../controller/document/schema';
import { formatIpv4, formatMac } from '../../common/topology/addresses';
import { PS_PER_NS } from '../../common/units/units';
import type { ScenarioDocument } from '../scenario/schema';
import type { NetworkPlan, PlannedEnd, PlannedLink } from './plan';

type SwitchText = NetworkText['switches'][number];

/** What the controller is told besides the plan. */
export interface ControlSituation {
  readonly scenario: ScenarioDocument;
  /** Seed of the switches' ECMP seeds. */
  readonly seed: number;
  /** Where the P4Runtime server of all switches listens. */
  readonly address: string;
  /** Links that the controller knows to be down. */
  readonly linksDown: ReadonlySet<PlannedLink>;
}

/** The document from which the controller sets up and keeps an emulated network. */
export function controlDocument(plan: NetworkPlan, situation: ControlSituation): NetworkText {
  const { scenario, seed, linksDown } = situation;
  const { topology, links } = plan;
  const hosts = new Set(topology.hosts.map(({ name }) => name));
  const end = ({ node, port }: PlannedEnd): string => (hosts.has(node) ? node : `${node}:${port}`);
  return {
    network: topology.name,
    program: scenario.profile,
    ecmpSeed: seed >>> 0,
    watchPorts: scenario.reaction.watchPorts,
    telemetry: { ...scenario.telemetry, txUnitBytes: scenario.parameters.txUnitBytes },
    ...(scenario.coordination !== undefined && { coordination: scenario.coordination }),
    switches: topology.switches.map((own) => ({
      ...switchText(plan, own.name, situation),
      deviceId: own.deviceId,
      nodeId: own.nodeId,
      clockUnitNs: own.clockUnitNs,
      queueUnitBytes: own.queueDepthUnitBytes,
    })),
    hosts: topology.hosts.map(({ name, ipv4, mac }) => ({
      name,
      ipv4: formatIpv4(ipv4),
      mac: formatMac(mac),
    })),
    links: links.map((link, i) => ({
      between: [end(link.a), end(link.b)],
      rate: `${link.rate} bit/s`,
      delay: `${link.delay / PS_PER_NS} ns`,
      mtu: topology.links[i]?.mtu,
      up: !linksDown.has(link),
    })),
  };
}

function switchText(
  plan: NetworkPlan,
  name: string,
  { scenario, address }: ControlSituation,
): SwitchText {
  const untrusted = new Set(scenario.untrustedHosts);
  const ports = plan.links.flatMap(({ a, b }) => {
    const [own, peer] = a.node === name ? [a, b] : [b, a];
    const isOurs = own.node === name && untrusted.has(peer.node);
    return isOurs ? [{ port: own.port, untrusted: true }] : [];
  });
  const program = scenario.switchProfiles[name];
  return { name, address, target: 'embedded', ports, ...(program !== undefined && { program }) };
}
