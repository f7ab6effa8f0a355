import type { TraceScene } from '../record/verdict-trace';
import { tuningOf } from './host-settings';
import type { Simulation } from './simulation';

/** What a trace has to know of a run; asked for before the run begins. */
export function traceScene(simulation: Simulation): TraceScene {
  const { plan, scenario, baseRtt } = simulation;
  const { carrier } = simulation.hostFrames;
  const { switches, hosts } = plan.topology;
  const {
    targetUtilization = 1,
    maxStage = 0,
    latestQueueFrom = Infinity,
    queueShare,
  } = tuningOf(scenario.parameters);
  const hostAt = new Map(hosts.map(({ ipv4, name }) => [ipv4, name]));
  const nodeIds = new Map(switches.map(({ name, nodeId }) => [name, nodeId]));
  const switchOf = new Map(switches.map(({ name, nodeId }) => [nodeId, name]));
  const flows = new Map(
    simulation.runner.flows.map(({ sender, id, number }) => [`${sender.name} ${id}`, number]),
  );
  return {
    reading: { carrier, reader: carrier.newReader(baseRtt) },
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
