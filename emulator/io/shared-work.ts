import { assert } from '../../common/assert';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { SwitchOutcome } from '../../controller/plan/apply-report';
import type { LoadedProgram } from '../../controller/io/program-files';
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

/** Text and pipeline of a program, which switches share. */
interface GivenProgram {
  readonly text: string;
  readonly config: PipelineConfig;
}

/** Pipeline and entries of a switch, as its P4Runtime server took them. */
interface GivenSwitch {
  readonly deviceId: number;
  readonly program: GivenProgram;
  readonly updates: readonly p4.Update[];
}

const UPDATE_TYPES = {
  insert: p4.UpdateType.INSERT,
  modify: p4.UpdateType.MODIFY,
  delete: p4.UpdateType.DELETE,
} as const;

/** Enough for runs of some networks in turns; more of them would keep what nobody asks for again. */
const NETWORKS_KEPT = 8;

/**
 * Remembers the updates that a controller wrote to the switches of a network, so that the next run
 * of an equal network gets them without a controller. Only the latest few networks are remembered.
 * PERF: for hundreds of short runs, which a controller and a server per run would make several
 * times as long. The same updates go through the same functions of the server; only gRPC is left
 * out.
 */
class KnownSetUp {
  /** Switches of each network, the one that was remembered first at the beginning. */
  readonly #given = new Map<string, readonly GivenSwitch[]>();

  /** @param network everything that the set-up depends on, as text. */
  remember(network: string, { switches, outcomes }: AppliedNetwork): void {
    const loaded = new Set(switches.map(({ program }) => program));
    const programs = new Map([...loaded].map((program) => [program, givenProgram(program)]));
    const given = switches.map(({ spec, program }, i) => {
      const outcome = outcomes[i];
      assert(outcome?.status === 'done', 'the controller has set up all switches');
      assert(outcome.queuesSet.length === 0, 'emulated switches have no settings of queues');
      const known = programs.get(program);
      assert(known !== undefined, 'each program is among them');
      const { deviceId } = spec.node;
      return { deviceId, program: known, updates: updatesOf(program, outcome) };
    });
    this.#given.set(network, given);
    const [oldest] = this.#given.keys();
    if (oldest !== undefined && this.#given.size > NETWORKS_KEPT) this.#given.delete(oldest);
  }

  /** Gives new switches what equal ones got before. Returns false if there are none. */
  restore(network: string, devices: ReadonlyMap<number, SwitchControl>): boolean {
    const given = this.#given.get(network);
    if (given === undefined) return false;
    for (const each of given) {
      const control = devices.get(each.deviceId);
      assert(control !== undefined, `device ${each.deviceId} is part of the network`);
      giveAgain(control, each);
    }
    return true;
  }
}

function givenProgram({ pipeline: { p4info, deviceConfig } }: LoadedProgram): GivenProgram {
  const text = Buffer.from(deviceConfig).toString('utf8');
  const message = new p4.ForwardingPipelineConfig({ p4info, p4DeviceConfig: deviceConfig });
  return { text, config: { message, info: dataPlaneIndex(p4info, readProgram(text)) } };
}

const updatesOf = ({ index }: LoadedProgram, { done }: SwitchOutcome): readonly p4.Update[] =>
  done.map(
    ({ type, entity }) =>
      new p4.Update({ type: UPDATE_TYPES[type], entity: encodeEntity(index, entity) }),
  );

function giveAgain(control: SwitchControl, { deviceId, program, updates }: GivenSwitch): void {
  control.loadProgram(program.text);
  const device = new Device({
    id: BigInt(deviceId),
    control,
    compatible: 'specification',
    clock: SYSTEM_CLOCK,
  });
  device.started(program.config);
  const running = device.requirePipeline();
  for (const { type, entity } of updates) applyUpdate(running, type, entity);
  device.stop();
}
