import { nanoseconds } from '../../common/units/units';
import type { Simulation } from '../simulation/simulation';
import { Tracer } from '../trace/tracer';
import type { TraceOptions } from '../trace/tracer';

/** Traces a run, as its watcher. */
export function tracerOf(simulation: Simulation, options: TraceOptions): Tracer {
  const { queue, runner, ports, network, baseRtt, scenario, hostFrames: frames } = simulation;
  const interval = nanoseconds(scenario.record.flowIntervalNs);
  const hosts = network.hosts.values();
  const scene = { queue, flows: runner.flows, ports, hosts, interval, baseRtt, frames };
  return new Tracer(scene, options);
}
