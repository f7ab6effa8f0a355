import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../../../common/errors';
import { expandTopology, participantsOf } from '../../scenario/expand-topology';
import type { ScenarioDocument } from '../../scenario/schema';
import { simulatorFlows, simulatorTopology } from '../../scenario/simulator-output';
import { connectionsOf } from '../../workload/kinds/connections';
import { withWorkloadFiles } from './workload-files';
import { writeAtomically } from '../../../common/io/atomic-file';

/** Written topology and flow files, with their figures. */
export interface FlowFiles {
  readonly topologyFile: string;
  readonly flowFile: string;
  readonly flows: number;
  readonly bytes: number;
  /** Start of the last flow after that of the first. */
  readonly lastStartUs: number;
  /** Payload over what the hosts' links carry from the first start to the last. */
  readonly load: number;
}

/**
 * Writes what a scenario sends as `topology.txt` and `flows.txt` of the HPCC simulator.
 * @throws InputError for a scenario that these formats cannot say, or a folder that cannot be written.
 */
export function writeFlowFiles(given: ScenarioDocument, seed: number, folder: string): FlowFiles {
  const scenario = withWorkloadFiles(given, process.cwd());
  const topology = expandTopology(scenario.topology);
  const hosts = participantsOf(topology);
  const { connections } = connectionsOf(scenario, { seed, hosts });
  if (connections.length === 0) {
    throw new InputError(`${scenario.name} has no flows: give flows, workloads or --distribution`);
  }
  const topologyFile = path.join(folder, 'topology.txt');
  const flowFile = path.join(folder, 'flows.txt');
  const texts = [simulatorTopology(topology), simulatorFlows(connections, topology)] as const;
  try {
    fs.mkdirSync(folder, { recursive: true });
    writeAtomically(topologyFile, texts[0]);
    writeAtomically(flowFile, texts[1]);
  } catch (error) {
    throw new InputError(`cannot write to ${folder}: ${(error as Error).message}`);
  }
  const messages = connections.flatMap((connection) => connection.messages);
  const bytes = messages.reduce((sum, message) => sum + message.bytes, 0);
  const starts = messages.map(({ startUs }) => startUs).sort((a, b) => a - b);
  const lastStartUs = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
  const capacityGbps = hosts.reduce((sum, { rateGbps }) => sum + rateGbps, 0);
  const load = lastStartUs > 0 ? (bytes * 8) / (lastStartUs * capacityGbps * 1000) : 0;
  return { topologyFile, flowFile, flows: connections.length, bytes, lastStartUs, load };
}
