import { assert } from '../../common/assert';
import { createInterpreter } from '../interpreter/interpreter';
import { readProgram } from '../ir/read-program';
import { ProgramState } from '../state/program-state';
import { DROPPED, MULTICAST, Pipeline } from './pipeline';
import { findStandardMetadata } from './standard-metadata';
import { noDrops, noTraffic } from './switch-counters';
import { TrafficManager } from './traffic-manager';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Instant, PortNumber } from '../../common/units/units';
import type { SwitchControl } from '../tables/types';
import type { SwitchOptions, SwitchOutput } from './options';
import type { InFlight } from './pipeline';
import type { DropReason, PortCounters, SwitchCounters } from './switch-counters';
import type { OutputPort, QueuePeak } from './traffic-manager';

const BMV2_CLOCK_UNIT_NS = 1000;
const BMV2_DROP_PORT = 511;

/** A loaded program with its state. */
interface Loaded {
  readonly state: ProgramState;
  readonly pipeline: Pipeline;
}

/**
 * A v1model switch without clock or sockets: packets and instants in, transmissions out.
 *
 *   handlePacket -> parse, ingress -> queue of the port -> egress, deparse -> transmit
 *
 * Calls must come in order of time. The egress pipeline runs at the instant at which transmission
 * starts, so a packet's egress timestamp is the time of its first bit.
 */
export class V1ModelSwitch implements SwitchControl {
  readonly #options: SwitchOptions;
  readonly #output: SwitchOutput;
  readonly #clockUnitNs: number;
  readonly #dropPort: PortNumber;
  readonly #traffic: TrafficManager<InFlight>;
  readonly #drops = noDrops();
  readonly #portCounters = new Map<PortNumber, PortCounters>();
  #loaded: Loaded | undefined;

  constructor(options: SwitchOptions) {
    this.#options = options;
    this.#output = options.output;
    this.#clockUnitNs = options.clockUnitNs ?? BMV2_CLOCK_UNIT_NS;
    this.#dropPort = options.dropPort ?? BMV2_DROP_PORT;
    assert(this.#clockUnitNs > 0, 'a tick of the clock lasts more than 0 ns');
    this.#traffic = new TrafficManager(options.ports, options.queueUnit ?? { kind: 'packets' });
    for (const { port } of options.ports) this.#portCounters.set(port, noTraffic());
  }

  get pipeline(): ProgramState | undefined {
    return this.#loaded?.state;
  }

  verifyProgram(json: string): void {
    findStandardMetadata(readProgram(json));
  }

  /** Packets that wait in queues belong to the old program and are dropped. */
  loadProgram(json: string): void {
    const program = readProgram(json);
    const state = new ProgramState(program);
    const createExecutor = this.#options.executor ?? createInterpreter;
    const dropPort = this.#dropPort;
    const executor = createExecutor({ program, state, dropPort, log: this.#options.log });
    const clockUnitNs = this.#clockUnitNs;
    const pipeline = new Pipeline({ program, executor, clockUnitNs, dropPort });
    for (const { queue } of this.#traffic.ports()) {
      while (queue.dequeue() !== undefined) this.#drop('program-replaced');
    }
    this.#loaded = { state, pipeline };
  }

  /** A packet whose last bit arrives at `now` on `port`. */
  handlePacket(now: Instant, port: PortNumber, packet: Packet): void {
    assert(packet.bytes.length <= packet.length, 'a packet stores at most its length');
    const counters = this.#portCounters.get(port);
    if (counters === undefined) {
      this.#drop('unknown-port');
      return;
    }
    counters.rxPackets += 1;
    counters.rxBytes += packet.length;
    if (this.#loaded === undefined) {
      this.#drop('no-program');
      return;
    }
    const { pipeline } = this.#loaded;
    const flight = pipeline.receive(packet, port, now);
    const reason = this.#forward(pipeline, flight, now);
    if (reason === undefined) return;
    pipeline.release(flight);
    this.#drop(reason);
  }

  /** The instant that `schedulePort` asked for. */
  handlePortFree(port: PortNumber, now: Instant): void {
    const output = this.#traffic.port(port);
    assert(output !== undefined, `port ${port} asked to be woken up`);
    output.awaitsWakeup = false;
    this.#serve(output, now);
  }

  /** Bytes that wait at a port, without the packet in service, in the lengths of their arrival. */
  queueBytes(port: PortNumber): Bytes {
    return this.#traffic.port(port)?.queue.bytes ?? 0;
  }

  /** The longest queue of a port so far, without the packet in service. */
  queuePeak(port: PortNumber): QueuePeak {
    return this.#traffic.port(port)?.peak ?? { bytes: 0, at: 0 };
  }

  /** Packets that wait at a port, without the one in service. */
  queuePackets(port: PortNumber): number {
    return this.#traffic.port(port)?.queue.packets ?? 0;
  }

  /** Live counters: reading them later shows later values. */
  counters(): SwitchCounters {
    return { drops: this.#drops, ports: this.#portCounters };
  }

  /** Runs ingress and puts the packet into a queue, or tells why not. */
  #forward(pipeline: Pipeline, flight: InFlight, now: Instant): DropReason | undefined {
    const verdict = pipeline.ingress(flight);
    if (verdict === MULTICAST) return 'multicast-unsupported';
    if (verdict === DROPPED) return 'ingress-drop';
    const output = this.#traffic.port(verdict);
    if (output === undefined) return 'unknown-port';
    pipeline.enqueue(flight, now, this.#traffic.depth(output));
    if (!output.queue.enqueue(flight, flight.packet.length)) return 'queue-full';
    this.#serve(output, now);
    output.notePeak(now);
    return undefined;
  }

  /** Sends what can be sent now, and asks for a wake-up when something has to wait. */
  #serve(output: OutputPort<InFlight>, now: Instant): void {
    while (output.isFree(now)) {
      const flight = output.queue.dequeue();
      if (flight === undefined) return;
      this.#depart(output, flight, now);
    }
    if (output.queue.packets === 0 || output.awaitsWakeup) return;
    output.awaitsWakeup = true;
    this.#output.schedulePort(output.port, output.busyUntil);
  }

  #depart(output: OutputPort<InFlight>, flight: InFlight, now: Instant): void {
    assert(this.#loaded !== undefined, 'packets wait only while a program is loaded');
    const { pipeline } = this.#loaded;
    const depth = this.#traffic.depth(output);
    const packet = pipeline.egress(flight, { port: output.port, now, depth });
    pipeline.release(flight);
    if (packet === undefined) {
      this.#drop('egress-drop');
      return;
    }
    const counters = this.#portCounters.get(output.port);
    if (counters !== undefined) {
      counters.txPackets += 1;
      counters.txBytes += packet.length;
    }
    const end = output.start(now, packet.length);
    this.#output.transmit(output.port, packet, now, end);
  }

  #drop(reason: DropReason): void {
    this.#drops[reason] += 1;
  }
}
