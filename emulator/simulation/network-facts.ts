import { InputError } from '../../common/errors';
import type { Duration } from '../../common/units/units';
import { nanoseconds } from '../../common/units/units';
import { baseRtt } from '../network/paths';
import type { FrameSizes, Paths } from '../network/paths';
import type { NetworkPlan } from '../network/plan';
import type { RecordedPort } from '../record/recorder';
import type { ScenarioDocument } from '../scenario/schema';
import type { Connection } from '../workload/connection';
import type { Network } from './build-network';

/**
 * Whether flows lead from one host of the network to another.
 * @throws InputError naming the first that does not.
 */
export function checkConnections(
  connections: readonly Connection[],
  { topology }: NetworkPlan,
): void {
  if (connections.length === 0) throw new InputError('a scenario needs flows or workloads');
  const hosts = new Set(topology.hosts.map(({ name }) => name));
  connections.forEach(({ from, to }, i) => {
    const where = `flow ${i + 1}`;
    for (const name of [from, to]) {
      if (!hosts.has(name)) throw new InputError(`${where}: ${name} is no host`);
    }
    if (from === to) throw new InputError(`${where}: source and destination are both ${to}`);
  });
}

/** The scenario's T, or the largest RTT of an idle path that one of its flows takes. */
export function baseRttOf(
  scenario: ScenarioDocument,
  connections: readonly Connection[],
  { paths, frames }: { readonly paths: Paths; readonly frames: FrameSizes },
): Duration {
  const given = scenario.parameters.baseRttNs;
  if (given !== undefined) return nanoseconds(given);
  const rtts = connections.map(({ from, to }) => baseRtt(paths.between(from, to), frames));
  return rtts.reduce((largest, rtt) => Math.max(largest, rtt), 0);
}

/** The ports of all switches. */
export function switchPorts({ channels, switches }: Network): RecordedPort[] {
  return channels.flatMap(({ from, name }) => {
    const node = switches.get(from.node.name);
    return node === undefined ? [] : [{ node, port: from.port, link: name }];
  });
}
