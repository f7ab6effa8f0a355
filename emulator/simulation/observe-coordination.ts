import { defaultSwitchAddress } from '../../controller/intent/routing/switch-address';
import type { Bytes, Duration } from '../../common/units/units';
import type { MacFunction } from '../../host-agent/feedback/key-ring';
import { CoordinationObserver } from '../coordination/coordination-observer';
import type { ObservedScene } from '../coordination/coordination-observer';
import { CoordinationRecorder } from '../coordination/coordination-recorder';
import { FairRates } from '../coordination/fair-rates';
import { ObservationLog } from '../coordination/observation-log';
import type { EventPlace } from '../coordination/observation-log';
import { OpenFlows } from '../coordination/open-flows';
import { coordinationWatches, hasRightCode } from '../coordination/watches';
import type { NotificationView } from '../coordination/watches';
import type { NetworkPlan } from '../network/plan';
import { coordinationOf } from '../scenario/data-plane-schema';
import type { ScenarioDocument } from '../scenario/schema';
import type { Connection } from '../workload/connection';
import type { Network } from './build-network';
import { earliestStart } from './flow-runner';
import type { RunningFlow } from './flow-runner';
import { hostCoordination } from './host-settings';

export interface ObservingOptions {
  readonly scenario: ScenarioDocument;
  readonly plan: NetworkPlan;
  readonly baseRtt: Duration;
  readonly connections: readonly Connection[];
  readonly mac: MacFunction;
  /** The present place among the events of the run. */
  readonly place: EventPlace;
  /** True if other workers run the rest of the network. */
  readonly isPart: boolean;
  /** True if the run is checked for broken laws. */
  readonly isChecked: boolean;
  /** Length of the largest frame. */
  readonly frameBytes: Bytes;
  /** Called for each broken law. */
  readonly report: (text: string) => void;
  /** Hosts, switches and flows, which are made later; not called before the run. */
  readonly network: () => Network;
  readonly flows: () => readonly RunningFlow[];
}

/** Observer of coordinating switches and hosts, and the recorder or log that it writes to. */
export interface ObservedCoordination {
  readonly observer: CoordinationObserver;
  /** Recorder of the whole run; absent where only a part of it is run. */
  readonly recorder: CoordinationRecorder | undefined;
  /** Log of a part of a run. */
  readonly log: ObservationLog | undefined;
}

/** Undefined where switches do not coordinate. */
export function observeCoordination(options: ObservingOptions): ObservedCoordination | undefined {
  if (coordinationOf(options.scenario) === undefined) return undefined;
  const scene = observedScene(options);
  if (options.isPart) {
    const log = new ObservationLog(options.place, nodeNames(options.plan));
    return { observer: new CoordinationObserver(scene, log), recorder: undefined, log };
  }
  const recorder = newRecorder(options, scene.nodeAt);
  return { observer: new CoordinationObserver(scene, recorder), recorder, log: undefined };
}

/** Hosts and switches, in the same order in every part of a run. */
export const nodeNames = ({ topology }: NetworkPlan): string[] =>
  [...topology.hosts, ...topology.switches].map(({ name }) => name);

function observedScene(options: ObservingOptions): ObservedScene {
  const { topology } = options.plan;
  const { keys } = hostCoordination(options.scenario, options.plan, options.mac) ?? {};
  const isGenuine = (view: NotificationView): boolean =>
    keys !== undefined && hasRightCode(keys, view);
  const numbers = new Map<string, number>();
  return {
    nodeAt: new Map([
      ...topology.hosts.map(({ ipv4, name }) => [ipv4, name] as const),
      ...topology.switches.map(({ nodeId, name }) => [defaultSwitchAddress(nodeId), name] as const),
    ]),
    numberOf: (sender, id) => {
      if (numbers.size === 0) {
        for (const flow of options.flows()) numbers.set(`${flow.source}/${flow.id}`, flow.number);
      }
      return numbers.get(`${sender}/${id}`);
    },
    hasLink: (node, port) => options.network().switches.get(node)?.channel(port) !== undefined,
    isGenuine: options.isChecked ? isGenuine : undefined,
  };
}

function newRecorder(
  options: ObservingOptions,
  nodeAt: ReadonlyMap<number, string>,
): CoordinationRecorder {
  const { plan, scenario, baseRtt, frameBytes, report } = options;
  const { topology, links } = plan;
  const section = coordinationOf(scenario);
  const hosts = topology.hosts.map(({ name }) => name);
  const isHost = new Set(hosts);
  const ends = options.connections.map((connection) => {
    const { from: source, to: destination } = connection;
    return { source, destination, startsAt: earliestStart(connection) };
  });
  const flows = new OpenFlows(ends, new FairRates(links, hosts));
  const watches = options.isChecked
    ? coordinationWatches({
        plan,
        baseRtt,
        frameBytes,
        report,
        hosts: hostCoordination(scenario, plan, options.mac),
        framing: scenario.parameters.framing,
        isOver: (flow) => flows.isOver(flow),
      })
    : undefined;
  const scene = {
    baseRtt,
    nodeAt,
    flows,
    isSprayed: section?.balancing === 'spray' && section.mode !== 'ecmp',
    switchOf: new Map(topology.switches.map(({ nodeId, name }) => [nodeId, name])),
    behind: (node: string, port: number) => {
      const name = options.network().switches.get(node)?.channel(port)?.to.node.name;
      return name === undefined ? undefined : { name, isHost: isHost.has(name) };
    },
  };
  return new CoordinationRecorder(scene, watches);
}
