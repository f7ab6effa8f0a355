import { InputError } from '../../common/errors';
import { applyNetwork } from '../../controller/io/apply-network';
import { planNetwork } from '../../controller/io/plan-network';
import { prepareDocument } from '../../controller/io/network-file';
import { QueueRecords } from '../../controller/io/queue-records';
import type { PreparedSwitch } from '../../controller/io/prepare';
import type { SwitchOutcome } from '../../controller/plan/apply-report';
import { startP4RuntimeServer } from '../../switch/server/server';
import type { P4RuntimeServer } from '../../switch/server/server';
import { V1ModelSwitch } from '../../switch/v1model/v1model-switch';
import { LEAF_SPINE_SWITCHES, leafSpine } from '../networks/leaf-spine';

const DEADLINE_MS = 120_000;
/** The switch that loses its state. */
const VICTIM = 4;

/**
 * A leaf-spine network of 32 embedded switches, each behind a P4Runtime server of its own: the first
 * apply, a second one that has nothing to do, and the repair after one switch was restarted.
 */
export async function benchController(): Promise<object> {
  const servers = await Promise.all(
    Array.from({ length: LEAF_SPINE_SWITCHES }, (_, i) => serve(i + 1, '127.0.0.1:0')),
  );
  try {
    const network = prepareDocument(leafSpine(servers.map(({ port }) => `127.0.0.1:${port}`)));
    const { switches } = await network;
    const first = await timedApply(switches);
    const second = await timedApply(switches);
    await restart(servers, VICTIM);
    const repair = await timedApply(switches);
    const plans = await planNetwork(switches, connection(), QueueRecords.inMemory());
    if (plans.some(({ stages }) => stages.length > 0))
      throw new InputError('the plan is not empty');
    return { switches: switches.length, entities: entities(switches), first, second, repair };
  } finally {
    await Promise.all(servers.map((each) => each.stop()));
  }
}

function serve(deviceId: number, address: string): Promise<P4RuntimeServer> {
  const output = { transmit: () => undefined, schedulePort: () => undefined };
  const device = new V1ModelSwitch({ ports: [], output });
  return startP4RuntimeServer({ devices: new Map([[deviceId, device]]), address });
}

async function restart(servers: P4RuntimeServer[], index: number): Promise<void> {
  const victim = servers[index];
  if (victim === undefined) return;
  await victim.stop();
  servers[index] = await serve(index + 1, `127.0.0.1:${victim.port}`);
}

function connection(): { electionId: bigint; deadline: number; folder: string } {
  return { electionId: 1n, deadline: DEADLINE_MS, folder: '.' };
}

async function timedApply(switches: readonly PreparedSwitch[]): Promise<object> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const outcomes = await applyNetwork(switches, {
    ...connection(),
    records: QueueRecords.inMemory(),
    retries: 0,
  });
  const wall = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const touched = outcomes.filter(isTouched);
  return {
    seconds: Number(wall.toFixed(2)),
    cpuSeconds: Number(((user + system) / 1e6).toFixed(2)),
    updates: outcomes.reduce((sum, { done }) => sum + done.length, 0),
    programsLoaded: outcomes.filter(({ programLoaded }) => programLoaded).length,
    switchesTouched: touched.length,
    ...(touched.length <= 1 && { touched: touched.map((each) => each.switch) }),
  };
}

const isTouched = ({ done, programLoaded }: SwitchOutcome): boolean =>
  programLoaded || done.length > 0;

const entities = (switches: readonly PreparedSwitch[]): number =>
  switches.reduce((sum, { management }) => sum + management.desired.length, 0);
