import { PS_PER_NS } from '../../common/units/units';
import { findStandardMetadata, setSaturating, setWrapping } from './standard-metadata';
import type { Packet } from '../../common/packet/packet';
import type { Duration, Instant, PortNumber } from '../../common/units/units';
import type { Executor, PacketState } from '../executor';
import type { Program } from '../ir/nodes';
import type { MetadataField, StandardMetadata } from './standard-metadata';

/** A packet between reception and transmission. Objects are reused; {@link Pipeline} owns them. */
export interface InFlight {
  readonly state: PacketState;
  packet: Packet;
  enqueuedAt: Instant;
}

/** What ingress decided, when it is not an egress port. */
export const DROPPED = -1;
export const MULTICAST = -2;

/** What egress is told about the packet's stay in the queue, in the units of the metadata. */
export interface Departure {
  readonly port: PortNumber;
  readonly now: Instant;
  /** What waits behind the packet. */
  readonly depth: number;
}

export interface PipelineOptions {
  readonly program: Program;
  readonly executor: Executor;
  readonly clockUnitNs: number;
  readonly dropPort: PortNumber;
}

const NORMAL_INSTANCE = 0;
const NO_PACKET: Packet = { bytes: new Uint8Array(0), length: 0 };

/**
 * The P4 side of the switch: a function of bytes, tables, registers and metadata. It knows nothing
 * of queues; whoever holds packets between ingress and egress tells it how long and how deep.
 */
export class Pipeline {
  readonly #executor: Executor;
  readonly #metadata: StandardMetadata;
  readonly #clockUnit: Duration;
  readonly #dropPort: PortNumber;
  /** What bmv2 presets before egress: one above the drop port, cut to the field. */
  readonly #egressPreset: number;
  readonly #idle: InFlight[] = [];

  /** @throws InputError when the program lacks metadata that v1model programs have. */
  constructor(options: PipelineOptions) {
    this.#executor = options.executor;
    this.#metadata = findStandardMetadata(options.program);
    this.#clockUnit = options.clockUnitNs * PS_PER_NS;
    this.#dropPort = options.dropPort;
    this.#egressPreset = (options.dropPort + 1) % this.#metadata.egress_spec.modulus;
  }

  /** Parses a packet that arrives and fills in the metadata of its arrival. */
  receive(packet: Packet, port: PortNumber, now: Instant): InFlight {
    const flight = this.#idle.pop() ?? this.#create();
    flight.packet = packet;
    const { state } = flight;
    const metadata = this.#metadata;
    this.#executor.reset(state, packet);
    state.writeMetadata(metadata.ingress_port.slot, port);
    setWrapping(state, metadata.packet_length, packet.length);
    setWrapping(state, metadata.instance_type, NORMAL_INSTANCE);
    setWrapping(state, metadata.ingress_global_timestamp, this.#ticks(now));
    this.#executor.parse(state);
    setWrapping(state, metadata.parser_error, state.parserError);
    setWrapping(state, metadata.checksum_error, state.checksumError ? 1 : 0);
    return flight;
  }

  /** Runs ingress. Returns the egress port, DROPPED or MULTICAST (a multicast group wins). */
  ingress(flight: InFlight): number {
    const { state } = flight;
    this.#executor.ingress(state);
    if (read(state, this.#metadata.mcast_grp) !== 0) return MULTICAST;
    const port = read(state, this.#metadata.egress_spec);
    return port === this.#dropPort ? DROPPED : port;
  }

  /** Notes when the packet enters a queue and how much waits there before it. */
  enqueue(flight: InFlight, now: Instant, depth: number): void {
    flight.enqueuedAt = now;
    setWrapping(flight.state, this.#metadata.enq_timestamp, this.#ticks(now));
    setSaturating(flight.state, this.#metadata.enq_qdepth, depth);
  }

  /** Runs egress at the start of transmission. Returns the packet to send, unless it is dropped. */
  egress(flight: InFlight, departure: Departure): Packet | undefined {
    const { state } = flight;
    const metadata = this.#metadata;
    const ticks = this.#ticks(departure.now);
    state.writeMetadata(metadata.egress_port.slot, departure.port);
    state.writeMetadata(metadata.egress_spec.slot, this.#egressPreset);
    setWrapping(state, metadata.egress_global_timestamp, ticks);
    setWrapping(state, metadata.deq_timedelta, ticks - this.#ticks(flight.enqueuedAt));
    setSaturating(state, metadata.deq_qdepth, departure.depth);
    setWrapping(state, metadata.packet_length, state.packetLength);
    this.#executor.egress(state);
    if (read(state, metadata.egress_spec) === this.#dropPort) return undefined;
    return withBytes(flight.packet, this.#executor.deparse(state));
  }

  /** Takes the object back when its packet has left or is dropped. */
  release(flight: InFlight): void {
    flight.packet = NO_PACKET;
    this.#idle.push(flight);
  }

  #create(): InFlight {
    return { state: this.#executor.createState(), packet: NO_PACKET, enqueuedAt: 0 };
  }

  #ticks(now: Instant): number {
    return Math.floor(now / this.#clockUnit);
  }
}

function read(state: PacketState, field: MetadataField | undefined): number {
  return field === undefined ? 0 : state.readMetadata(field.slot);
}

/** The same packet with other stored bytes; what is not stored stays as long as it is. */
function withBytes(packet: Packet, bytes: Uint8Array): Packet {
  const length = packet.length - packet.bytes.length + bytes.length;
  return packet.id === undefined ? { bytes, length } : { bytes, length, id: packet.id };
}
