import { assert } from '../../common/assert';
import { ETHERNET_LENGTH } from '../../common/wire/ip/ethernet';
import { isMacControl } from '../../common/wire/ip/mac-control';
import { arrayOf, startOf, storedLength } from '../executor/packet-pool';
import { CloneSessions, PacketFlow } from './packet-flow';
import { MulticastGroups } from '../state/multicast-groups';
import { ProgramState } from '../state/program-state';
import { Pipeline } from './pipeline';
import { findStandardMetadata } from './standard-metadata';
import { PortRows, noDrops } from './switch-counters';
import { PauseControl } from './pause-control';
import type { PauseControlOptions } from './pause-control';
import { TrafficManager } from './traffic-manager';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant, InstantCell, PortNumber } from '../../common/units/units';
import type { QueueControl } from '../control/packet-control';
import type { SwitchControl } from '../control/table-control';
import type { Program } from '../ir/nodes';
import type { InFlight } from './in-flight';
import type { LinkPortOptions, PortOptions, SwitchOptions } from './options';
import type { QueuePeak } from './output-port';
import type { DropReason, SwitchCounters } from './switch-counters';

const BMV2_CLOCK_UNIT_NS = 1000;
const BMV2_DROP_PORT = 511;

/** A loaded program with its state. */
interface Loaded {
  readonly state: ProgramState;
  readonly flow: PacketFlow;
}

/**
 * A v1model switch without clock or sockets: packets and instants in, transmissions out.
 *
 *   handlePacket -> parse, ingress -> queue of the port -> egress, deparse -> transmit
 *
 * Calls must come in order of time. The egress pipeline runs at the instant at which transmission
 * starts, so a packet's egress timestamp is the time of its first bit. How programs are read is a matter of its kinds.
 */
export abstract class V1ModelDevice implements SwitchControl {
  readonly multicast = new MulticastGroups();
  readonly cloneSessions = new CloneSessions();
  readonly #options: SwitchOptions & Required<Pick<SwitchOptions, 'executor'>>;
  readonly #clockUnitNs: number;
  readonly #dropPort: PortNumber;
  readonly #traffic: TrafficManager<InFlight>;
  /** Pause control, where ports share a buffer. */
  readonly pauses: PauseControl<InFlight> | undefined;
  readonly #drops = noDrops();
  readonly #portCounters = new PortRows();
  readonly #portsDown = new Set<PortNumber>();
  #loaded: Loaded | undefined;

  constructor(options: SwitchOptions & Required<Pick<SwitchOptions, 'executor'>>) {
    const { cpuPort, priorityQueues } = options;
    this.#options = options;
    this.#clockUnitNs = options.clockUnitNs ?? BMV2_CLOCK_UNIT_NS;
    this.#dropPort = options.dropPort ?? BMV2_DROP_PORT;
    assert(this.#clockUnitNs > 0, 'a tick of the clock lasts more than 0 ns');
    const unit = options.queueUnit ?? { kind: 'packets' };
    const priorities = priorityQueues ?? 1;
    const dropped = (packets: number): void => {
      this.#drops['pause-storm'] += packets;
    };
    const pauses = pauseControl(options, { unit, priorities, dropped });
    this.pauses = pauses;
    this.#traffic = new TrafficManager(
      [],
      { unit, priorities },
      pauses && ((port) => pauses.createPort(port)),
    );
    for (const port of options.ports) this.addPort(port);
    if (cpuPort !== undefined) this.addPort({ pacing: 'bmv2 packets/s', port: cpuPort });
  }

  get pipeline(): ProgramState | undefined {
    return this.#loaded?.state;
  }

  /** Rates and depths of the queues; they outlive programs. */
  get queues(): QueueControl {
    return this.#traffic;
  }

  /** Reads BMv2 JSON. @throws InputError */
  protected abstract readProgram(json: string): Program;

  verifyProgram(json: string): void {
    findStandardMetadata(this.readProgram(json));
  }

  /**
   * Packets that wait in queues belong to the old program and are dropped; multicast groups and
   * clone sessions are forgotten.
   */
  loadProgram(json: string): void {
    const program = this.readProgram(json);
    const state = new ProgramState(program);
    state.now = this.#loaded?.state.now ?? 0;
    this.#run(program, state);
    this.multicast.clear();
    this.cloneSessions.clear();
  }

  replaceProgram(json: string): boolean {
    const program = this.readProgram(json);
    findStandardMetadata(program);
    const state = this.#loaded?.state.successor(program);
    if (state === undefined) return false;
    this.#run(program, state);
    return true;
  }

  /** Packets that wait belong to the old program. */
  #run(program: Program, state: ProgramState): void {
    const createExecutor = this.#options.executor;
    const dropPort = this.#dropPort;
    const { log, random, packets } = this.#options;
    const executor = createExecutor({ program, state, dropPort, log, random });
    const clockUnitNs = this.#clockUnitNs;
    const reusesMemory = this.#options.output.copiesPackets === true;
    const memory = { reusesMemory, packets };
    const pipeline = new Pipeline({ program, executor, clockUnitNs, dropPort, ...memory });
    for (const port of this.#traffic.usedPorts()) {
      this.#dropAll(port.drain(), 'program-replaced');
    }
    this.#loaded = { state, flow: this.#createFlow(pipeline, program.digests, state) };
  }

  /** Adds a port that the switch does not have. */
  addPort(options: PortOptions): void {
    this.#traffic.addPort(options);
    this.#portCounters.add(options.port);
  }

  /** Takes a port away; what waits there is dropped. Its counters stay. */
  removePort(port: PortNumber): void {
    this.#dropAll(this.#traffic.removePort(port), 'unknown-port');
  }

  /** Sets a port up or down, which decides which backup replicas send; all ports begin as up. */
  setPortUp(port: PortNumber, up: boolean): void {
    if (up) this.#portsDown.delete(port);
    else this.#portsDown.add(port);
  }

  /** Moves the present on that idle times are measured from. */
  advanceTo(now: Instant): void {
    if (this.#loaded !== undefined) this.#loaded.state.now = now;
  }

  /** A packet whose last bit arrives at `now` on `port`. */
  handlePacket(now: Instant, port: PortNumber, packet: Packet): void {
    assert(storedLength(packet) <= packet.length, 'a packet stores at most its length');
    if (this.pauses !== undefined && isForTheLink(packet)) {
      this.pauses.receive(port, packet.bytes, now);
      this.handlePortFree(port, now);
      return;
    }
    if (this.#traffic.port(port) === undefined) {
      this.#drop('unknown-port');
      return;
    }
    this.#portCounters.noteReceived(port, packet.length);
    if (this.#loaded === undefined) {
      this.#drop('no-program');
      return;
    }
    this.#loaded.state.now = now;
    this.#loaded.flow.receive(packet, port, now);
  }

  /** A packet that a controller sends; it enters ingress from the CPU port. */
  handlePacketOut(now: Instant, packet: Packet): void {
    assert(this.#options.cpuPort !== undefined, 'the switch has a CPU port');
    this.handlePacket(now, this.#options.cpuPort, packet);
  }

  /** Serves a port at the instant that `schedulePort` set. */
  handlePortFree(port: PortNumber, now: Instant): void {
    const output = this.#traffic.port(port);
    if (output === undefined || this.#loaded === undefined) return;
    if ((output.wakeupAt[0] as number) <= now) output.wakeupAt[0] = Infinity;
    this.#loaded.state.now = now;
    this.#loaded.flow.serve(output, now);
  }

  /** Bytes that wait at a port, without the packet in service, in the lengths of their arrival. */
  queueBytes(port: PortNumber): Bytes {
    return this.#traffic.port(port)?.bytes ?? 0;
  }

  /** The same of one of its queues. */
  priorityQueueBytes(port: PortNumber, priority: number): Bytes {
    return this.#traffic.port(port)?.bytesOf(priority) ?? 0;
  }

  /** The longest queue of a port so far, without the packet in service. */
  queuePeak(port: PortNumber): QueuePeak {
    return this.#traffic.port(port)?.peak ?? { bytes: 0, at: 0 };
  }

  /** Packets that wait at a port, without the one in service. */
  queuePackets(port: PortNumber): number {
    return this.#traffic.port(port)?.packets ?? 0;
  }

  /** Packets dropped so far, for whatever reason. PERF: without the figures of ports. */
  get dropped(): number {
    return Object.values(this.#drops).reduce((sum, count) => sum + count, 0);
  }

  /** Counters up to now. */
  counters(): SwitchCounters {
    return { drops: { ...this.#drops }, ports: this.#portCounters.figures() };
  }

  #createFlow(pipeline: Pipeline, digests: Program['digests'], state: ProgramState): PacketFlow {
    return new PacketFlow({
      pipeline,
      digests,
      traffic: this.#traffic,
      multicast: this.multicast,
      cloneSessions: this.cloneSessions,
      portsDown: this.#portsDown,
      lendsPackets: this.#options.output.lendsPackets === true,
      learn: (digest, sample) => state.learn(digest, sample),
      drop: (reason) => this.#drop(reason),
      transmit: (port, packet, start, end) => this.#transmit(port, packet, start, end),
      schedulePort: (port, at) => this.#options.output.schedulePort(port, at),
    });
  }

  #transmit(port: PortNumber, packet: Packet, start: Instant, end: InstantCell): void {
    this.#portCounters.noteSent(port, packet.length);
    const { output, cpuPort } = this.#options;
    if (port === cpuPort) output.packetIn?.(output.copiesPackets ? copied(packet) : packet, start);
    else output.transmit(port, packet, start, end);
  }

  /** Drops packets of the program that runs. */
  #dropAll(flights: readonly InFlight[], reason: DropReason): void {
    this.#loaded?.flow.discard(flights);
    this.#drops[reason] += flights.length;
  }

  #drop(reason: DropReason): void {
    this.#drops[reason] += 1;
  }
}

/** Pause control of the memory that ports with links share; undefined where they share none. */
function pauseControl(
  { buffer, ports, output, pauseWatch: watch, pauseStormed: stormed }: SwitchOptions,
  shape: Pick<PauseControlOptions, 'unit' | 'priorities' | 'dropped'>,
): PauseControl<InFlight> | undefined {
  if (buffer === undefined) return undefined;
  const links = ports.filter((port): port is LinkPortOptions => port.pacing !== 'bmv2 packets/s');
  return new PauseControl<InFlight>({ buffer, ports: links, output, watch, stormed, ...shape });
}

/** True for a frame that its link's other end has sent to this one. */
function isForTheLink(packet: Packet): boolean {
  return storedLength(packet) >= ETHERNET_LENGTH && isMacControl(arrayOf(packet), startOf(packet));
}

/** Packets for controllers are few, and wait for their turn to be sent. */
function copied(packet: Packet): Packet {
  return { ...packet, bytes: packet.bytes.slice() };
}
