import { difference } from '../plan/diff';
import type { KeptEntity } from '../entities/identity';
import { initialDefaults } from '../plan/manage';
import type { SwitchPlan } from '../plan/switch-plan';
import type { P4RuntimeClient } from '../p4runtime/client';
import { connectTo } from './connect';
import type { ConnectOptions } from './connect';
import { forEachSwitch } from './for-each-switch';
import { pendingQueues } from './queue-records';
import type { QueueRecords } from './queue-records';
import type { PreparedSwitch } from './prepare';
import { pendingPorts } from './switch-ports';
import { programMissing, readManaged } from './read-state';

/**
 * Compares every switch with what it shall hold. Nothing changes, and no switch is taken over.
 * @throws InputError naming every switch that cannot be asked.
 */
export async function planNetwork(
  switches: readonly PreparedSwitch[],
  options: ConnectOptions,
  records: QueueRecords,
): Promise<readonly SwitchPlan[]> {
  return forEachSwitch(switches, async (each) => {
    const client = await connectTo(each.spec, options);
    try {
      const queues = await pendingQueues(each, records, options.deadline);
      const ports = await pendingPorts(each, options);
      return { ...(await planSwitch(client, each)), queues, ports };
    } finally {
      client.close();
    }
  });
}

/** Finds the changes that one switch needs over P4Runtime. @throws SwitchError */
export async function planSwitch(
  client: P4RuntimeClient,
  prepared: PreparedSwitch,
): Promise<SwitchPlan> {
  const { spec, program, management } = prepared;
  const load = await programMissing(client, program);
  const plan = { switch: spec.node.name, queues: [], ports: [] };
  if (load !== undefined) {
    const stages = difference(management.desired, initialState(prepared));
    return { ...plan, load, stages };
  }
  client.useP4Info(program.pipeline.p4info);
  const stages = difference(management.desired, await readManaged(client, prepared));
  return { ...plan, stages };
}

/** Entities of a switch right after the program is loaded: the program's defaults. */
function initialState({ program, management }: PreparedSwitch): readonly KeptEntity[] {
  return initialDefaults(program.index).filter((each) => management.manages(each));
}
