import type { P4Artifacts } from '../../common/io/p4-artifacts';
import type { Topology } from '../../common/topology/topology';
import { applyTopology, compiledPipeline } from '../../controller/main';
import type { SwitchControl } from '../../switch/tables/types';
import { startP4RuntimeServer } from '../../switch/server/server';

/** Generous: a loaded machine is slow to set up hundreds of switches in one process. */
const DEADLINE_MS = 60_000;

export interface SetUpTarget {
  readonly topology: Topology;
  /** The topology's switches by device id. */
  readonly devices: ReadonlyMap<number, SwitchControl>;
  /** Seed of the switches' ECMP seeds. */
  readonly seed: number;
}

/**
 * Gives embedded switches their program and entries as they would get them on any other
 * target: a P4Runtime server for all of them on loopback, and the controller as its client.
 * @throws InputError when a switch refuses something.
 */
export async function setUpSwitches(target: SetUpTarget, artifacts: P4Artifacts): Promise<void> {
  const { topology } = target;
  const server = await startP4RuntimeServer({
    devices: target.devices,
    address: '127.0.0.1:0',
  });
  try {
    const address = `127.0.0.1:${server.port}`;
    const configured = await applyTopology({
      topology,
      pipeline: compiledPipeline(artifacts),
      addresses: new Map(topology.switches.map(({ name }) => [name, address])),
      deadline: DEADLINE_MS,
      ecmpSeed: target.seed,
    });
    for (const { client } of configured) client.close();
  } finally {
    await server.stop();
  }
}
