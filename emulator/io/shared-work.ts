import { assert } from '../../common/assert';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { SwitchOutcome } from '../../controller/plan/apply-report';
import type { PreparedSwitch } from '../../controller/io/prepare';
import { encodeEntity } from '../../controller/p4runtime/entities/entity';
import { readProgram } from '../../switch/ir/lowering/read-program';
import { SYSTEM_CLOCK } from '../../switch/server/streams/clock';
import { dataPlaneIndex } from '../../switch/server/pipeline/data-plane-widths';
import { Device } from '../../switch/server/device';
import type { PipelineConfig } from '../../switch/server/state/running-pipeline';
import { applyUpdate } from '../../switch/server/entities/entities';
import type { SwitchControl } from '../../switch/control/table-control';
import { controlDocument } from '../network/control-document';
import type { AppliedNetwork } from '../../controller/io/apply-network';
import type { ControlledNetwork } from './control-plane';

/**
 * Work that runs of one process share, for tests and campaigns of hundreds of short runs. Results
 * are those of runs that share nothing.
 */
export class SharedWork {
  readonly #setUp = new KnownSetUp();
  #commit: string | undefined;

  /** Gives the switches what those of an equal network got. Returns false if there is none. */
  restore(network: ControlledNetwork): boolean {
    // Where links fail, a controller must know what the switches have.
    if (network.scenario.events.length > 0) return false;
    return this.#setUp.restore(textOf(network), network.devices);
  }

  remember(network: ControlledNetwork, applied: AppliedNetwork): void {
    this.#setUp.remember(textOf(network), applied);
  }

  /** The commit that is checked out, looked up once. */
  commit(ask: () => string): string {
    return (this.#commit ??= ask());
  }
}

/** All inputs of the controller, without the addresses of the switches. */
function textOf({ plan, scenario, seed }: ControlledNetwork): string {
  const situation = { scenario, seed, address: '', linksDown: new Set<never>() };
  return JSON.stringify(controlDocument(plan, situation));
}

/** Pipeline and entries of a switch, as its P4Runtime server took them. */
interface GivenSwitch {
  readonly deviceId: number;
  readonly program: string;
  readonly config: PipelineConfig;
  readonly updates: readonly p4.Update[];
}

const UPDATE_TYPES = {
  insert: p4.UpdateType.INSERT,
  modify: p4.UpdateType.MODIFY,
  delete: p4.UpdateType.DELETE,
} as const;

/**
 * Remembers the updates that a controller wrote to the switches of a network, so that the next run
 * of an equal network gets them without a controller. Only the latest network is remembered.
 * PERF: for hundreds of short runs, which a controller and a server per run would make several
 * times as long. The same updates go through the same functions of the server; only gRPC is left
 * out.
 */
class KnownSetUp {
  #network: string | undefined;
  #given: readonly GivenSwitch[] = [];

  /** @param network everything that the set-up depends on, as text. */
  remember(network: string, { switches, outcomes }: AppliedNetwork): void {
    this.#given = switches.map((prepared, i) => {
      const outcome = outcomes[i];
      assert(outcome?.status === 'done', 'the controller has set up all switches');
      assert(outcome.queuesSet.length === 0, 'emulated switches have no settings of queues');
      return givenSwitch(prepared, outcome);
    });
    this.#network = network;
  }

  /** Gives new switches what equal ones got before. Returns false if there are none. */
  restore(network: string, devices: ReadonlyMap<number, SwitchControl>): boolean {
    if (network !== this.#network) return false;
    for (const each of this.#given) {
      const control = devices.get(each.deviceId);
      assert(control !== undefined, `device ${each.deviceId} is part of the network`);
      giveAgain(control, each);
    }
    return true;
  }
}

function givenSwitch({ spec, program }: PreparedSwitch, outcome: SwitchOutcome): GivenSwitch {
  const { p4info, deviceConfig } = program.pipeline;
  const text = Buffer.from(deviceConfig).toString('utf8');
  const message = new p4.ForwardingPipelineConfig({ p4info, p4DeviceConfig: deviceConfig });
  const info = dataPlaneIndex(p4info, readProgram(text));
  return {
    deviceId: spec.node.deviceId,
    program: text,
    config: { message, info },
    updates: outcome.done.map(
      ({ type, entity }) =>
        new p4.Update({ type: UPDATE_TYPES[type], entity: encodeEntity(program.index, entity) }),
    ),
  };
}

function giveAgain(
  control: SwitchControl,
  { deviceId, program, config, updates }: GivenSwitch,
): void {
  control.loadProgram(program);
  const device = new Device({
    id: BigInt(deviceId),
    control,
    compatible: 'specification',
    clock: SYSTEM_CLOCK,
  });
  device.started(config);
  const running = device.requirePipeline();
  for (const { type, entity } of updates) applyUpdate(running, type, entity);
  device.stop();
}
