import { PS_PER_NS } from '../../common/units/units';
import { KeptPackets } from '../executor/kept-packets';
import { storedLength } from '../executor/packet-pool';
import { FlightPool, NO_PACKET } from './in-flight';
import { findStandardMetadata, saturating, setWrapping } from './standard-metadata';
import type { Packet } from '../../common/packet/packet';
import type { Bytes, Duration, Instant, PortNumber } from '../../common/units/units';
import type { Executor, PacketMemory, PacketState } from '../executor/executor';
import type { MetadataReader, MetadataWriter } from '../executor/executor';
import type { PacketPool } from '../executor/packet-pool';
import type { Program, FieldListLayout } from '../ir/nodes';
import type { InFlight } from './in-flight';
import type { StandardMetadata } from './standard-metadata';

/** Results of ingress other than an egress port. */
export const DROPPED = -1;
export const MULTICAST = -2;

export interface PipelineOptions {
  readonly program: Program;
  readonly executor: Executor;
  readonly clockUnitNs: number;
  readonly dropPort: PortNumber;
  /** Packets may share memory, because each is done with before the next is emitted. */
  readonly reusesMemory?: boolean;
  /** Owns what comes in and goes out, instead. */
  readonly packets?: PacketPool | undefined;
}

/** Values of `instance_type`, as bmv2 numbers them. */
const NORMAL = 0;
const INGRESS_CLONE = 1;
const EGRESS_CLONE = 2;
const RECIRCULATED = 4;
const REPLICATED = 5;
const RESUBMITTED = 6;

/**
 * The P4 side of the switch: a function of bytes, tables, registers and metadata. It has no queues;
 * the traffic manager passes queueing times and depths in.
 */
export class Pipeline {
  readonly #program: Program;
  readonly #executor: Executor;
  readonly #metadata: StandardMetadata;
  readonly #clockUnit: Duration;
  readonly #dropPort: PortNumber;
  /** Value that bmv2 presets before egress: one above the drop port, cut to the field. */
  readonly #egressPreset: number;
  /**
   * Writers of the metadata of a packet that arrives, has been parsed, enters a queue, and leaves
   * it.
   */
  readonly #arrival: MetadataWriter;
  readonly #parsing: MetadataWriter;
  readonly #entry: MetadataWriter;
  readonly #departure: MetadataWriter;
  /** Writes what kind of packet leaves ingress. */
  readonly #kind: MetadataWriter;
  readonly #group: MetadataReader;
  readonly #spec: MetadataReader;
  readonly #queue: MetadataReader;
  readonly #flights: FlightPool;
  #tickedAt: Instant = NaN;
  #lastTicks = 0;
  readonly #reused: PacketMemory | undefined;
  readonly #packets: PacketPool | undefined;
  readonly #kept = new KeptPackets();
  /** Takes packets back. */
  readonly #owner: PacketPool | KeptPackets;

  /** @throws InputError when the program does not have the metadata of v1model programs. */
  constructor(options: PipelineOptions) {
    this.#program = options.program;
    this.#executor = options.executor;
    this.#flights = new FlightPool(options.executor);
    this.#metadata = findStandardMetadata(options.program);
    this.#clockUnit = options.clockUnitNs * PS_PER_NS;
    this.#dropPort = options.dropPort;
    this.#packets = options.packets;
    this.#owner = options.packets ?? this.#kept;
    this.#reused = options.reusesMemory === true ? new ReusedBytes() : undefined;
    const { executor } = options;
    const m = this.#metadata;
    this.#arrival = executor.metadataWriter([
      m.ingress_port,
      m.packet_length,
      m.ingress_global_timestamp,
    ]);
    this.#parsing = executor.metadataWriter([m.parser_error, m.checksum_error]);
    this.#entry = executor.metadataWriter([m.enq_timestamp, saturating(m.enq_qdepth)]);
    this.#departure = executor.metadataWriter([
      m.egress_port,
      m.egress_spec,
      m.egress_global_timestamp,
      m.deq_timedelta,
      saturating(m.deq_qdepth),
      m.qid,
      m.packet_length,
    ]);
    this.#kind = executor.metadataWriter([m.instance_type]);
    this.#group = executor.metadataReader(m.mcast_grp);
    this.#spec = executor.metadataReader(m.egress_spec);
    this.#queue = executor.metadataReader(m.priority);
    this.#egressPreset = (options.dropPort + 1) % this.#metadata.egress_spec.modulus;
  }

  /** Parses a packet that arrives and fills in the metadata of its arrival. */
  receive(packet: Packet, port: PortNumber, now: Instant): InFlight {
    const flight = this.#begin(packet, port, 0);
    const { state } = flight;
    this.#arrival.write(state, port, packet.length, this.#ticks(now));
    this.#parse(flight, now);
    return flight;
  }

  /** The packet as it came, for ingress again; of its metadata only the field list survives. */
  resubmit(flight: InFlight, fieldList: number, now: Instant): InFlight {
    this.#share(flight);
    return this.#again(flight, flight.packet, { fieldList, type: RESUBMITTED, now });
  }

  /** The packet as it would leave, for ingress again. */
  recirculate(flight: InFlight, packet: Packet, fieldList: number, now: Instant): InFlight {
    return this.#again(flight, packet, { fieldList, type: RECIRCULATED, now });
  }

  /** The packet as it came, for egress; it is parsed again, with its ingress port alone. */
  cloneIngress(flight: InFlight, fieldList: number, now: Instant): InFlight {
    this.#share(flight);
    const clone = this.#begin(flight.packet, flight.ingressPort, flight.passes + 1);
    clone.state.writeMetadata(this.#metadata.ingress_port.slot, flight.ingressPort);
    this.#parse(clone, now);
    clone.state.clearMetadata();
    this.#keep(flight, clone, fieldList, INGRESS_CLONE);
    return clone;
  }

  /** The packet with its present headers, for egress. */
  cloneEgress(flight: InFlight, fieldList: number): InFlight {
    const clone = this.#copy(flight);
    clone.passes = flight.passes + 1;
    clone.state.clearMetadata();
    this.#keep(flight, clone, fieldList, EGRESS_CLONE);
    return clone;
  }

  /** A copy with all headers and metadata, for the given instance of a multicast group. */
  replicate(flight: InFlight, instance: number): InFlight {
    const copy = this.#copy(flight);
    copy.state.requests.truncateTo = flight.state.requests.truncateTo;
    setWrapping(copy.state, this.#metadata.egress_rid, instance);
    return copy;
  }

  ingress(flight: InFlight, now: Instant): void {
    flight.state.now = now;
    this.#executor.ingress(flight.state);
  }

  /** The egress port that ingress chose, DROPPED or MULTICAST (a multicast group wins). */
  verdict({ state }: InFlight): number {
    const isMulticast = this.#group.read(state) !== 0;
    const port = this.#spec.read(state);
    if (!isMulticast && port === this.#dropPort) return DROPPED;
    this.#kind.write(state, isMulticast ? REPLICATED : NORMAL);
    return isMulticast ? MULTICAST : port;
  }

  multicastGroup({ state }: InFlight): number {
    return this.#group.read(state);
  }

  /** The queue that the packet wants to wait in. */
  priority({ state }: InFlight): number {
    return this.#queue.read(state);
  }

  /** Notes when the packet enters a queue and how much waits there before it. */
  enqueue(flight: InFlight, now: Instant, depth: number): void {
    const ticks = this.#ticks(now);
    flight.enqueuedTicks = ticks;
    this.#entry.write(flight.state, ticks, depth);
  }

  /**
   * Runs egress at the start of transmission.
   * @param depth what waits behind the packet, in the unit of the metadata.
   */
  egress(flight: InFlight, port: PortNumber, now: Instant, depth: number): void {
    const { state, enqueuedTicks, priority } = flight;
    const ticks = this.#ticks(now);
    const waited = ticks - enqueuedTicks;
    const { packetLength } = state;
    state.now = now;
    this.#departure.write(
      state,
      port,
      this.#egressPreset,
      ticks,
      waited,
      depth,
      priority,
      packetLength,
    );
    this.#executor.egress(state);
  }

  /** The packet to send behind egress, or undefined when egress dropped it. */
  emit(flight: InFlight): Packet | undefined {
    const { state, packet } = flight;
    if (this.#spec.read(state) === this.#dropPort) return undefined;
    const { truncateTo, recirculate } = state.requests;
    const pool = this.#packets;
    // A packet that goes round is still read when others have left.
    if (pool !== undefined && recirculate === 0 && truncateTo === Infinity)
      return this.#rewrite(flight, pool);
    const bytes = this.#executor.deparse(state, recirculate === 0 ? this.#reused : undefined);
    const length = packet.length - storedLength(packet) + bytes.length;
    if (length <= truncateTo) return sameIdentity(packet, bytes, length);
    // Whatever is cut off, the tail is.
    const cut = bytes.subarray(0, truncateTo);
    return sameIdentity({ id: packet.id }, cut, truncateTo);
  }

  /** Writes a packet where it came, if that is a row of the pool. */
  #rewrite(flight: InFlight, pool: PacketPool): Packet {
    const { packet } = flight;
    const virtual = packet.length - storedLength(packet);
    const stored = this.#executor.deparseTo(pool.rewriting(packet), flight.state);
    const sent = pool.taken(stored + virtual, packet);
    if (sent === packet) flight.packet = NO_PACKET;
    return sent;
  }

  /** Copies the bytes of a packet that has to wait, because their owner takes them back. */
  keepBytes(flight: InFlight): void {
    flight.packet = this.#kept.keep(flight.packet);
    flight.state.moveTo(flight.packet.bytes);
  }

  /** Takes the object back when its packet has left or is dropped. */
  release(flight: InFlight): void {
    this.#owner.give(flight.packet);
    this.#flights.give(flight);
  }

  #again(
    flight: InFlight,
    packet: Packet,
    how: { readonly fieldList: number; readonly type: number; readonly now: Instant },
  ): InFlight {
    const again = this.#begin(packet, flight.ingressPort, flight.passes + 1);
    this.#keep(flight, again, how.fieldList, how.type);
    setWrapping(again.state, this.#metadata.packet_length, packet.length);
    this.#parse(again, how.now);
    return again;
  }

  #begin(packet: Packet, ingressPort: PortNumber, passes: number): InFlight {
    const flight = this.#flights.take();
    flight.packet = packet;
    flight.ingressPort = ingressPort;
    flight.passes = passes;
    this.#executor.reset(flight.state, packet);
    return flight;
  }

  #copy(flight: InFlight): InFlight {
    this.#share(flight);
    const copy = this.#flights.take();
    copy.packet = flight.packet;
    copy.ingressPort = flight.ingressPort;
    copy.passes = flight.passes;
    copy.state.copyFrom(flight.state);
    return copy;
  }

  /** Another one will have the same packet, so that none may write it in place. */
  #share(flight: InFlight): void {
    const shared = this.#owner.takenOut(flight.packet);
    if (shared === flight.packet) return;
    flight.packet = shared;
    flight.state.moveTo(shared.bytes);
  }

  #parse({ state }: InFlight, now: Instant): void {
    state.now = now;
    this.#executor.parse(state);
    this.#parsing.write(state, state.parserError, state.checksumError ? 1 : 0);
  }

  #keep(from: InFlight, to: InFlight, fieldList: number, type: number): void {
    copyFields(this.#program.fieldLists.get(fieldList), from.state, to.state);
    setWrapping(to.state, this.#metadata.instance_type, type);
  }

  /**
   * The instant in clock ticks. PERF: remembered, as it is used several times per instant and a
   * division takes long.
   */
  #ticks(now: Instant): number {
    if (now === this.#tickedAt) return this.#lastTicks;
    this.#tickedAt = now;
    this.#lastTicks = Math.floor(now / this.#clockUnit);
    return this.#lastTicks;
  }
}

interface Identity {
  readonly id?: number | undefined;
  readonly tail?: Uint8Array | undefined;
}

/** PERF: a literal costs a fraction of spreading the packet. */
function sameIdentity({ id, tail }: Identity, bytes: Uint8Array, length: Bytes): Packet {
  if (tail !== undefined) return { bytes, length, tail, ...(id !== undefined && { id }) };
  return id === undefined ? { bytes, length } : { bytes, length, id };
}

/** Copies the fields of a list from one packet to another; nothing without a list. */
function copyFields(list: FieldListLayout | undefined, from: PacketState, to: PacketState): void {
  for (const element of list?.elements ?? []) {
    if (element.kind !== 'field') continue;
    to.writeField(element.field.slot, from.readField(element.field.slot));
  }
}

/** Values of a digest: unsigned, in the order of its elements. */
export function sampleOf(list: FieldListLayout, state: PacketState): bigint[] {
  return list.elements.map((element) => {
    if (element.kind === 'constant') return element.value;
    const { slot, width } = element.field;
    return BigInt.asUintN(width, state.readField(slot));
  });
}

/** Longer packets are rare; they get memory of their own. */
const LARGEST = 16_384;

/**
 * Memory for one packet at a time: what is taken last overwrites what was taken before.
 * PERF: a view of each length is made once, as making one costs more than filling in the headers.
 */
export class ReusedBytes implements PacketMemory {
  readonly #memory = new Uint8Array(LARGEST);
  readonly #viewOfMemory = new DataView(this.#memory.buffer);
  readonly start = 0;
  bytes = this.#memory;
  view = this.#viewOfMemory;
  #length: Bytes = 0;
  /** By length, up to the longest that came. */
  readonly #views: (Uint8Array | undefined)[] = [];

  reserve(length: Bytes): void {
    const isLong = length > LARGEST;
    this.#length = length;
    this.bytes = isLong ? new Uint8Array(length) : this.#memory;
    this.view = isLong ? new DataView(this.bytes.buffer) : this.#viewOfMemory;
  }

  reserved(): Uint8Array {
    const length = this.#length;
    if (length > LARGEST) return this.bytes;
    return this.#views[length] ?? this.#newView(length);
  }

  #newView(length: Bytes): Uint8Array {
    // An array with a wide gap would become a hash table.
    while (this.#views.length <= length) this.#views.push(undefined);
    return (this.#views[length] = new Uint8Array(this.#memory.buffer, 0, length));
  }

  /** Memory of `length` bytes with undefined contents. */
  take(length: Bytes): Uint8Array {
    this.reserve(length);
    return this.reserved();
  }
}
