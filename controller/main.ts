import type { Topology } from '../common/topology/topology';
import { setUpNetwork } from './p4runtime/set-up';
import type { Pipeline } from './p4runtime/pipeline';
import type { ConfiguredSwitch } from './p4runtime/set-up';

export { registerController } from './io/commands/register';
export { compiledPipeline, loadPipeline } from './io/load-pipeline';
export { applyNetwork } from './io/apply-network';
export { planNetwork } from './io/plan-network';
export { prepareDocument } from './io/network-file';
export { QueueRecords } from './io/queue-records';
export type { NetworkText } from './document/schema';
export type { PreparedSwitch } from './io/prepare';
export type { SwitchOutcome } from './plan/apply-report';

export interface ApplyOptions {
  readonly topology: Topology;
  readonly pipeline: Pipeline;
  /** P4Runtime addresses by switch name; those of the topology unless given. */
  readonly addresses?: ReadonlyMap<string, string>;
  /** Defaults to 1: the first controller of a network. */
  readonly electionId?: bigint;
  /** How long to wait for each connection and call, in ms; 5000 unless given. */
  readonly deadline?: number;
  /** Defaults to 0. */
  readonly ecmpSeed?: number;
}

/**
 * Sets up all switches of a topology with a compiled program.
 * @returns the switches; whoever has them closes their clients.
 * @throws InputError for a topology that makes no sense, unreachable switches and refused updates.
 */
export async function applyTopology(options: ApplyOptions): Promise<readonly ConfiguredSwitch[]> {
  return setUpNetwork({ electionId: 1n, deadline: 5000, ecmpSeed: 0, ...options });
}
