import { configurationOf, routeOf } from '../../host-agent/settings/configuration';
import type { TraceScene } from '../record/verdict-trace';
import type { Simulation } from '../simulation/simulation';

/** Properties of a run that a trace uses; computed before the run begins. */
export function traceScene(simulation: Simulation): TraceScene {
  const { plan, scenario, baseRtt } = simulation;
  const { carrier } = simulation.hostFrames;
  const { switches, hosts } = plan.topology;
  const controlsAtReceiver = routeOf(scenario.parameters).algorithmAt === 'receiver';
  const {
    targetUtilization = 1,
    maxStage = 0,
    latestQueueFrom = Infinity,
    queueShare,
  } = configurationOf(scenario.parameters).tuning;
  const hostAt = new Map(hosts.map(({ ipv4, name }) => [ipv4, name]));
  const nodeIds = new Map(switches.map(({ name, nodeId }) => [name, nodeId]));
  const switchOf = new Map(switches.map(({ name, nodeId }) => [nodeId, name]));
  const flows = new Map(
    simulation.runner.flows.map(({ sender, id, number }) => [`${sender.name} ${id}`, number]),
  );
  return {
    reading: { carrier, reader: carrier.newReader(baseRtt), controlsAtReceiver },
    eta: targetUtilization,
    maxStage,
    baseRtt,
    latestQueueFrom,
    queueShare,
    hostAt: (address) => hostAt.get(address),
    flowNumber: (host, id) => flows.get(`${host ?? ''} ${id}`),
    nodeId: (name) => nodeIds.get(name),
    linkName: ({ switchId, portId }) => `${switchOf.get(switchId) ?? switchId}:${portId}`,
  };
}
