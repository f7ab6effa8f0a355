import type { P4Artifacts } from '../../common/io/p4-artifacts';
import type { Topology } from '../../common/topology/topology';
import { applyNetwork } from '../../controller/io/apply-network';
import { applyTopology } from '../../controller/p4runtime/set-up';
import { compiledPipeline } from '../../controller/io/load-pipeline';
import { prepareDocument } from '../../controller/io/network-file';
import { QueueRecords } from '../../controller/io/queue-records';
import type { SwitchControl } from '../../switch/control/table-control';
import { startP4RuntimeServer } from '../../switch/server/server';
import type { P4RuntimeServer } from '../../switch/server/server';
import { controlDocument } from '../network/control-document';
import type { ControlSituation } from '../network/control-document';
import type { NetworkPlan } from '../network/plan';
import type { AppliedNetwork } from './known-set-up';
import type { ScenarioDocument } from '../scenario/schema';

/** Generous: a loaded machine is slow to set up hundreds of switches in one process. */
const DEADLINE_MS = 60_000;

export interface ControlledNetwork {
  readonly scenario: ScenarioDocument;
  readonly plan: NetworkPlan;
  /** The plan's switches by device id. */
  readonly devices: ReadonlyMap<number, SwitchControl>;
  /** Seed of the switches' ECMP seeds. */
  readonly seed: number;
}

/**
 * The controller of an emulated network: it gives switches their programs and entries as they would
 * get them on any other target, over a P4Runtime server for all of them on loopback.
 */
export class ControlPlane {
  private constructor(
    private readonly network: ControlledNetwork,
    private readonly server: P4RuntimeServer,
  ) {}

  static async start(network: ControlledNetwork): Promise<ControlPlane> {
    const { devices } = network;
    return new ControlPlane(
      network,
      await startP4RuntimeServer({ devices, address: '127.0.0.1:0' }),
    );
  }

  /**
   * Brings every switch to what it shall hold while these links are down.
   * @throws InputError when a switch refuses something.
   */
  async apply(linksDown: ControlSituation['linksDown'] = new Set()): Promise<AppliedNetwork> {
    const { plan, scenario, seed } = this.network;
    const address = `127.0.0.1:${this.server.port}`;
    const document = controlDocument(plan, { scenario, seed, address, linksDown });
    const { switches, folder } = await prepareDocument(document);
    const records = QueueRecords.inMemory();
    const options = { electionId: 1n, deadline: DEADLINE_MS, folder, records, retries: 0 };
    return { switches, outcomes: await applyNetwork(switches, options) };
  }

  /** A switch tells its server that a port has come up or gone down. */
  portChanged(deviceId: number, port: number, up: boolean): void {
    this.server.setPortUp(deviceId, port, up);
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}

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
