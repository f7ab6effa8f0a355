import { defaultSwitchAddress } from '../../controller/intent/routing/switch-address';
import { FairRates } from '../coordination/fair-rates';
import type { Duration } from '../../common/units/units';
import type { CoordinationScene } from '../coordination/coordination-recorder';
import type { NetworkPlan } from '../network/plan';
import type { Network } from './build-network';
import type { RunningFlow } from './flow-runner';

export interface SceneParts {
  readonly plan: NetworkPlan;
  readonly baseRtt: Duration;
  readonly isSprayed: boolean;
  /** Hosts, switches and flows, which are made after the scene; not asked before the run. */
  readonly network: () => Network;
  readonly flows: () => readonly RunningFlow[];
}

/** What the coordination recorder has to know of an emulated network. */
export function coordinationScene(parts: SceneParts): CoordinationScene {
  const { topology, links } = parts.plan;
  const hosts = topology.hosts.map(({ name }) => name);
  const isHost = new Set(hosts);
  const fairRates = new FairRates(links, hosts);
  const numbers = new Map<string, number>();
  return {
    baseRtt: parts.baseRtt,
    isSprayed: parts.isSprayed,
    nodeAt: new Map([
      ...topology.hosts.map(({ ipv4, name }) => [ipv4, name] as const),
      ...topology.switches.map(({ nodeId, name }) => [defaultSwitchAddress(nodeId), name] as const),
    ]),
    switchOf: new Map(topology.switches.map(({ nodeId, name }) => [nodeId, name])),
    numberOf: (sender, id) => {
      if (numbers.size === 0) {
        for (const flow of parts.flows()) numbers.set(`${flow.source}/${flow.id}`, flow.number);
      }
      return numbers.get(`${sender}/${id}`);
    },
    behind: (node, port) => {
      const name = parts.network().switches.get(node)?.channel(port)?.to.node.name;
      return name === undefined ? undefined : { name, isHost: isHost.has(name) };
    },
    fairRate: (number, now) => {
      const isOpen = ({ startsAt, completedAt }: RunningFlow): boolean =>
        startsAt <= now && (completedAt === undefined || completedAt >= now);
      const open = parts.flows().filter((flow) => flow.number === number || isOpen(flow));
      const at = open.findIndex((flow) => flow.number === number);
      return fairRates.of(open)[at] ?? Infinity;
    },
  };
}
