import { RpcError } from '../../common/p4runtime/codes';
import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import type { ServerClock } from './streams/clock';
import type { ServedPipeline, ServedSwitch } from './state/served-switch';
import { DigestStreams } from './streams/digest-streams';
import type { Compatibility } from './roles/compatibility';
import { IdleTimeouts, mortalEntries } from './streams/idle-timeouts';
import type { IdleTimeoutOptions } from './streams/idle-timeouts';
import { Replication } from './replication/replication';
import { Limits } from './limits/limits';
import { inScope, Roles } from './roles/roles';
import { Turns } from './turns/turns';
import { startedPipeline, forgetEntry, openInitialTables } from './state/running-pipeline';
import type { PipelineConfig, RunningPipeline, SharedState } from './state/running-pipeline';
import { PlainUpdates } from './tables/plain-updates';
import type { Role } from './roles/roles';
import type { P4InfoIndex } from '../../common/p4runtime/p4info';
import type { PacketHeaderInfo } from '../../common/p4runtime/p4info-externs';
import { packPacketOut, unpackPacketIn } from './streams/packet-metadata';
import type { RoleScope } from '../../common/p4runtime/role-config';
import type { LimitName } from './limits/limits';
import { StateVersion } from './state/state-version';

export interface DeviceOptions {
  readonly id: bigint;
  readonly control: ServedSwitch;
  readonly compatible: Compatibility;
  readonly clock: ServerClock;
  /** The usual ones unless given. */
  readonly limits?: Limits;
  /** Shared by the devices of a server. */
  readonly turns?: Turns;
  readonly version?: StateVersion;
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
  /** Version of what Reads and requests for the program show. */
  readonly version: StateVersion;
  /** Whatever changes the state, one after the other; what reads looks between two of them. */
  readonly writing: RequestQueue;
  readonly reading: RequestQueue;
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
    this.version = options.version ?? new StateVersion();
    const writes = { atOnce: 1, waiting: 'writes-waiting', what: 'Writes' } as const;
    this.writing = new RequestQueue({ ...writes, limits, turns });
    const reads = { atOnce: limits.of('reads-at-once'), waiting: 'reads-waiting' } as const;
    this.reading = new RequestQueue({ ...reads, what: 'Reads', limits, turns });
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

  /**
   * The quick way for updates, which holds until others have had their turn; undefined for controllers and rules for
   * which there is more to look at.
   */
  plainUpdates(role: string, electionId: bigint | undefined): PlainUpdates | undefined {
    if (this.running === undefined || this.compatible !== 'specification') return undefined;
    return this.roles.isPrimaryOfAll(role, electionId) ? PlainUpdates.of(this.running) : undefined;
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
    this.version.changed();
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
    changed: () => this.version.changed(),
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
        roles.sendToPrimaries(message, (scope) => inScope(scope, table.id));
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

/** Parts of a device that its packet I/O needs. */
interface PacketDevice {
  readonly roles: Roles;
  /** P4Info of the running program. @throws RpcError FAILED_PRECONDITION before the first. */
  p4info(): P4InfoIndex;
  /** Takes a packet in at the CPU port; undefined when the switch has no such port. */
  readonly inject: ((bytes: Uint8Array) => void) | undefined;
  /** Handling of metadata that a packet-out leaves out. */
  readonly missingMetadata: 'refused' | 'zero';
}

/** Packets between the controllers and the CPU port of one device. */
class ControllerPackets {
  constructor(private readonly device: PacketDevice) {}

  /** @throws RpcError when the metadata is not that of the program, or there is no CPU port. */
  send(packet: p4.PacketOut): void {
    const info = this.device.p4info();
    const header = headerOf(info, 'packet_out');
    const bytes = packPacketOut(header, packet, this.device.missingMetadata);
    const { inject } = this.device;
    if (inject === undefined) {
      throw new RpcError('UNIMPLEMENTED', 'packet-out: this switch has no CPU port');
    }
    inject(bytes);
  }

  /** A packet has left through the CPU port. One without room for its header is dropped. */
  receive(bytes: Uint8Array): void {
    const { roles } = this.device;
    if (roles.losesPacketIn()) return;
    const packet = unpackPacketIn(headerOf(this.device.p4info(), 'packet_in'), bytes);
    if (packet === undefined) return;
    const message = new p4.StreamMessageResponse({ packet });
    roles.sendToPrimaries(message, (scope) => wantsPacket(scope, packet));
  }
}

function headerOf(info: P4InfoIndex, name: string): PacketHeaderInfo | undefined {
  return info.packetHeaders.all.find((each) => each.name === name);
}

function wantsPacket(scope: RoleScope | undefined, packet: p4.PacketIn): boolean {
  if (scope === undefined) return true;
  const { packetInFilter: filter, receivesPacketIns } = scope;
  if (!receivesPacketIns || filter === undefined) return receivesPacketIns;
  const found = packet.metadata.find((each) => each.metadataId === filter.metadataId);
  return found !== undefined && Buffer.from(found.value).equals(filter.value);
}

interface RequestQueueOptions {
  readonly limits: Limits;
  /** Number of requests served at a time. */
  readonly atOnce: number;
  /** Limit that bounds the waiting requests. */
  readonly waiting: LimitName;
  /** Name of the waiting things, in the plural, for errors. */
  readonly what: string;
  /** A request that has waited begins at its next turn. */
  readonly turns: Turns;
}

/** Serves callers in the order in which they came, a few at a time. */
export class RequestQueue {
  #queue: { readonly start: () => void; readonly isGone: () => boolean }[] = [];
  #served = 0;

  constructor(private readonly options: RequestQueueOptions) {}

  /**
   * Does something when it is the caller's turn.
   * @param isGone whether the caller no longer waits; then its place may go to another.
   * @throws RpcError RESOURCE_EXHAUSTED when too many wait already, or what `act` throws.
   */
  async serve<Result>(act: () => Promise<Result>, isGone = (): boolean => false): Promise<Result> {
    const waits = this.#served >= this.options.atOnce;
    if (waits) await this.#wait(isGone);
    else this.#served += 1;
    try {
      // The previous answer leaves first, so that its client works meanwhile.
      if (waits) await this.options.turns.next();
      return await act();
    } finally {
      // The next caller takes over the place, so that none can come in between.
      const next = this.#queue.shift();
      if (next === undefined) this.#served -= 1;
      else next.start();
    }
  }

  #wait(isGone: () => boolean): Promise<void> {
    const { limits, waiting, what } = this.options;
    const most = limits.of(waiting);
    if (this.#queue.length >= most) this.#queue = this.#queue.filter((each) => !each.isGone());
    if (this.#queue.length < most) {
      return new Promise((start) => this.#queue.push({ start, isGone }));
    }
    limits.met(waiting);
    const reason = `${this.#queue.length} ${what} wait already (limit ${waiting})`;
    throw new RpcError('RESOURCE_EXHAUSTED', reason);
  }
}
