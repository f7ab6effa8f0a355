import { applyDocument } from '../../controller/io/apply-network';
import type { AppliedNetwork } from '../../controller/io/apply-network';
import type { SwitchControl } from '../../switch/control/table-control';
import { LIMITS, Limits } from '../../switch/server/limits/limits';
import { startP4RuntimeServer } from '../../switch/server/server';
import type { P4RuntimeServer } from '../../switch/server/server';
import { controlDocument } from '../network/control-document';
import type { ControllerInputs } from '../network/control-document';
import type { NetworkPlan } from '../network/plan';
import type { ScenarioDocument } from '../scenario/schema';

/** Generous: a loaded machine is slow to set up hundreds of switches in one process. */
const DEADLINE_MS = 600_000;

/** Limits of a server for so many switches, to each of which the controller has a connection at the same time. */
function limitsFor(switches: number): Limits {
  const connections = Math.max(LIMITS['p4runtime-connections'].value, 2 * switches);
  return new Limits(new Map([['p4runtime-connections', connections]]));
}

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
    const limits = limitsFor(devices.size);
    return new ControlPlane(
      network,
      await startP4RuntimeServer({ devices, address: '127.0.0.1:0', limits }),
    );
  }

  /**
   * Brings every switch to what it shall hold while these links are down.
   * @throws InputError when a switch refuses something.
   */
  async apply(linksDown: ControllerInputs['linksDown'] = new Set()): Promise<AppliedNetwork> {
    const { plan, scenario, seed } = this.network;
    const address = `127.0.0.1:${this.server.port}`;
    const document = controlDocument(plan, { scenario, seed, address, linksDown });
    return applyDocument(document, DEADLINE_MS);
  }

  /** Reports a port of a switch that has come up or gone down to its server. */
  portChanged(deviceId: number, port: number, up: boolean): void {
    this.server.setPortUp(deviceId, port, up);
  }

  async stop(): Promise<void> {
    await this.server.stop();
  }
}
