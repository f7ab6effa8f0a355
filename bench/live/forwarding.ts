import { InputError } from '../../common/errors';
import { topologyDocument } from '../../controller/document/topology-document';
import { applyDocument } from '../../controller/io/apply-network';
import { planNetwork } from '../../emulator/network/plan';
import { expandTopology } from '../../emulator/scenario/expand-topology';
import { startSwitchProcess } from './switch-process';
import { makeLeg, removeLeg } from './test-bed';
import type { SwitchProcess } from './switch-process';
import type { Leg } from './test-bed';

const DEADLINE_MS = 20_000;

/** A switch that runs hpcc.p4 between two hosts. */
export interface TestBed {
  readonly sender: Leg;
  readonly receiver: Leg;
  readonly device: SwitchProcess;
}

/**
 * Starts the switch between two namespaces, configures it and takes everything away after `use`.
 * @param configure brings program and entries; hpcc.p4 as for a star of two hosts unless given.
 * @throws InputError without root rights.
 */
export async function withForwarding<Result>(
  command: readonly string[],
  use: (bed: TestBed) => Promise<Result>,
  configure: (address: string) => Promise<void> = setUp,
): Promise<Result> {
  if (process.getuid?.() !== 0) {
    throw new InputError('needs root, because it makes network namespaces');
  }
  const legs: Leg[] = [];
  try {
    // Port 1 leads to host 1, the receiver; port 2 to host 2, the sender.
    const receiver = makeLeg();
    legs.push(receiver);
    const sender = makeLeg();
    legs.push(sender);
    const interfaces = legs.map(({ outer }) => outer);
    const device = await startSwitchProcess(command, interfaces);
    try {
      await configure(device.address);
      return await use({ sender, receiver, device });
    } finally {
      await device.stop();
    }
  } finally {
    legs.forEach(removeLeg);
  }
}

async function setUp(address: string): Promise<void> {
  // bmv2's units, which both switches have by default.
  const units = { clockUnitNs: 1000, queueDepthUnitBytes: 1024, txUnitBytes: 1 };
  const plain = expandTopology({ kind: 'star', hosts: 2, rateGbps: 10, delayNs: 1000 });
  const { topology } = planNetwork(plain, units);
  await applyDocument(
    topologyDocument(topology, () => address),
    DEADLINE_MS,
  );
}
