import { RpcError } from '../../common/p4runtime/codes';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { ServerClock } from './streams/clock';
import type { ServedPipeline, ServedSwitch } from './state/control-faces';
import { ControllerPackets } from './streams/controller-packets';
import { DigestStreams } from './streams/digest-streams';
import type { Compatibility } from './roles/compatibility';
import { IdleTimeouts, mortalEntries } from './streams/idle-timeouts';
import type { IdleTimeoutOptions } from './streams/idle-timeouts';
import { Replication } from './replication/replication';
import { Limits } from './limits/limits';
import { inScope } from './roles/role-scope';
import { Turns } from './turns/turns';
import { WaitingLine } from './turns/waiting-line';
import { startedPipeline, forgetEntry, openInitialTables } from './state/running-pipeline';
import type { PipelineConfig, RunningPipeline, SharedState } from './state/running-pipeline';
import type { Role } from './roles/roles';
import { Roles } from './roles/roles';

export interface DeviceOptions {
  readonly id: bigint;
  readonly control: ServedSwitch;
  readonly compatible: Compatibility;
  readonly clock: ServerClock;
  /** The usual ones unless given. */
  readonly limits?: Limits;
  /** Shared by the devices of a server. */
  readonly turns?: Turns;
}

/** One device of the server: its switch, its configurations and its controllers. */
export class Device {
  readonly id: bigint;
  readonly control: ServedSwitch;
  readonly compatible: Compatibility;
  readonly roles: Roles;
  readonly digests: DigestStreams;
  readonly packets: ControllerPackets;
  readonly limits: Limits;
  readonly turns: Turns;
  /** Whatever changes the state, one after the other; what reads looks between two of them. */
  readonly writing: WaitingLine;
  readonly reading: WaitingLine;
  private readonly portsDown = new Set<number>();
  private readonly replication: Replication;
  private readonly clock: ServerClock;
  private running: RunningPipeline | undefined;
  private idle: IdleTimeouts | undefined;
  committed: PipelineConfig | undefined;
  /** Verified by VERIFY_AND_SAVE and waiting for COMMIT; reads and writes ignore it until then. */
  saved: PipelineConfig | undefined;

  constructor(options: DeviceOptions) {
    const { id, control, compatible, clock, limits = new Limits(), turns = new Turns() } = options;
    this.id = id;
    this.control = control;
    this.compatible = compatible;
    this.limits = limits;
    this.turns = turns;
    const writes = { atOnce: 1, waiting: 'writes-waiting', what: 'Writes' } as const;
    this.writing = new WaitingLine({ ...writes, limits, turns });
    const reads = { atOnce: limits.of('reads-at-once'), waiting: 'reads-waiting' } as const;
    this.reading = new WaitingLine({ ...reads, what: 'Reads', limits, turns });
    this.roles = new Roles(id, compatible, limits);
    this.digests = new DigestStreams(this.roles, clock, limits);
    this.replication = new Replication(control);
    this.clock = clock;
    const port = control.controllerPort;
    this.packets = new ControllerPackets({
      roles: this.roles,
      p4info: () => this.requirePipeline().info,
      inject: port && ((bytes) => port.inject(bytes)),
      missingMetadata: compatible === 'bmv2' ? 'zero' : 'refused',
    });
    port?.onPacket((bytes) => this.packets.receive(bytes));
  }

  /** @throws RpcError NOT_FOUND for an unknown role, PERMISSION_DENIED unless primary. */
  requirePrimary(role: string, electionId: bigint | undefined): Role {
    return this.roles.requirePrimary(role, electionId);
  }

  /** @throws RpcError FAILED_PRECONDITION before the first configuration. */
  requirePipeline(): RunningPipeline {
    if (this.running !== undefined) return this.running;
    throw new RpcError('FAILED_PRECONDITION', `device ${this.id}: no pipeline configuration yet`);
  }

  /** Notes that `config` has been loaded into the switch, which has cleared all state. */
  started(config: PipelineConfig): void {
    const control = this.requireControl();
    this.stop();
    this.replication.clear();
    const { info } = config;
    const { replication, digests } = this;
    const idle = this.idleTimeouts(() => mortalEntries(running));
    const running = startedPipeline({ info, control, replication, digests, idle }, this.portsDown);
    this.goesOnWith(config, running, idle);
  }

  /** Notes that `config` has been loaded into the switch, which has kept all state. */
  continued(config: PipelineConfig): void {
    const control = this.requireControl();
    const before = this.requirePipeline();
    this.idle?.stop();
    const idle = this.idleTimeouts(() => mortalEntries(running));
    const running: RunningPipeline = { ...before, info: config.info, control, idle };
    openInitialTables(running);
    this.goesOnWith(config, running, idle);
    idle.watch();
  }

  private goesOnWith(config: PipelineConfig, running: RunningPipeline, idle: IdleTimeouts): void {
    this.committed = config;
    this.saved = undefined;
    this.idle = idle;
    running.control.onDigest?.((name, sample) => {
      const digest = config.info.digests.all.find((each) => each.name === name);
      if (digest !== undefined) this.digests.learn(digest.id, sample);
    });
    this.running = running;
  }

  private requireControl(): ServedPipeline {
    const { pipeline } = this.control;
    if (pipeline !== undefined) return pipeline;
    throw new RpcError('INTERNAL', `device ${this.id}: the switch runs no program after loading`);
  }

  /** A port has come up or gone down; all begin as up. */
  setPortUp(port: number, up: boolean): void {
    if (up) this.portsDown.delete(port);
    else this.portsDown.add(port);
    this.running?.watched.refresh();
  }

  /** For a server that changes the same state. */
  readonly shared: SharedState = {
    ownsProgram: () => this.committed !== undefined,
    ownsProfile: (profile) => this.running?.oneShots.uses(profile) === true,
    entryChanged: (table, entry) => {
      if (this.running !== undefined) forgetEntry(this.running, table, entry);
    },
    defaultChanged: (table) => void this.running?.defaults.delete(table),
    stateReset: () => {
      if (this.committed !== undefined) this.started(this.committed);
    },
  };

  /** Sends nothing more of what comes by time. */
  stop(): void {
    this.digests.clear();
    this.idle?.stop();
  }

  private idleTimeouts(entries: IdleTimeoutOptions['entries']): IdleTimeouts {
    const { clock, roles } = this;
    return new IdleTimeouts({
      clock,
      entries,
      notify: (table, notice) => {
        const message = new p4.StreamMessageResponse({ idleTimeoutNotification: notice });
        roles.tellPrimaries(message, (scope) => inScope(scope, table.id));
      },
    });
  }
}

/** The devices of a server by id. */
export type Devices = ReadonlyMap<bigint, Device>;

/** @throws RpcError NOT_FOUND */
export function deviceOf(devices: Devices, id: string): Device {
  const device = devices.get(BigInt(id));
  if (device !== undefined) return device;
  const known = [...devices.keys()].join(', ');
  throw new RpcError('NOT_FOUND', `no device ${id}; this server has: ${known || 'none'}`);
}
