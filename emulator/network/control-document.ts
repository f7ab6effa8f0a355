import { topologyDocument } from '../../controller/document/topology-document';
import type { SwitchText } from '../../controller/document/topology-document';
import type { NetworkText } from '../../controller/document/schema';
import { HOST_BLOCK_TEXT } from '../../common/wire/ip/usid';
import { dataPlaneFor } from '../scenario/algorithm-needs';
import { ipv6Of } from '../scenario/carrier-needs';
import type { ScenarioDocument } from '../scenario/schema';
import type { NetworkPlan, PlannedLink } from './plan';

/** Inputs of the controller besides the plan. */
export interface ControllerInputs {
  readonly scenario: ScenarioDocument;
  /** Seed of the switches' ECMP seeds. */
  readonly seed: number;
  /** Address of the P4Runtime server of all switches. */
  readonly address: string;
  /** Links that the controller knows to be down. */
  readonly linksDown: ReadonlySet<PlannedLink>;
}

/** The document from which the controller sets up and keeps an emulated network. */
export function controlDocument(plan: NetworkPlan, inputs: ControllerInputs): NetworkText {
  const { scenario, seed, address, linksDown } = inputs;
  const up = plan.links.map((link) => !linksDown.has(link));
  const links = plan.topology.links.map((link, i) => ({ ...link, up: up[i] ?? true }));
  const hosts = plan.topology.hosts.map((host) => {
    const ipv6 = ipv6Of(scenario, host.ipv4);
    return ipv6 === undefined ? host : { ...host, ipv6 };
  });
  const document = topologyDocument({ ...plan.topology, hosts, links }, () => address);
  const { profile, telemetry } = dataPlaneFor(scenario);
  return {
    ...document,
    program: profile,
    ecmpSeed: seed >>> 0,
    watchPorts: scenario.reaction.watchPorts,
    telemetry: { ...telemetry, txUnitBytes: scenario.parameters.txUnitBytes },
    ...(scenario.spray !== undefined && { spray: scenario.spray }),
    ...(scenario.trim !== undefined && { trim: scenario.trim }),
    ...(scenario.sourceRouting !== undefined && { usid: { block: HOST_BLOCK_TEXT } }),
    ...(scenario.coordination !== undefined && { coordination: scenario.coordination }),
    switches: document.switches.map((own) => ({ ...own, ...switchText(plan, own.name, scenario) })),
  };
}

function switchText(
  plan: NetworkPlan,
  name: string,
  scenario: ScenarioDocument,
): Partial<SwitchText> {
  const untrusted = new Set(scenario.untrustedHosts);
  const ports = plan.links.flatMap(({ a, b }) => {
    const [own, peer] = a.node === name ? [a, b] : [b, a];
    const isOurs = own.node === name && untrusted.has(peer.node);
    return isOurs ? [{ port: own.port, untrusted: true }] : [];
  });
  const program = scenario.switchProfiles[name];
  return { target: 'embedded', ports, ...(program !== undefined && { program }) };
}
