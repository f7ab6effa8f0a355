import type { Packet } from '../../common/packet/packet';
import type { Bytes } from '../../common/units/units';
import { SlabMemory } from './slab-memory';
import type { PacketMemory } from './executor';

/** Longer packets are rare, and are forgotten like any object. */
const LARGEST = 2048;

const NO_IDENTITY = { id: undefined, tail: undefined };

/** A packet that observers know by `id`. */
export const identified = ({ bytes, length, tail }: Packet, id: number): Packet =>
  tail === undefined ? { bytes, length, id } : { bytes, length, tail, id };

/** A packet whose memory is used again. */
class PooledPacket implements Packet {
  length: Bytes = 0;
  tail: Uint8Array | undefined = undefined;
  id: number | undefined = undefined;

  constructor(
    readonly bytes: Uint8Array,
    readonly view: DataView,
    readonly start: number,
  ) {}
}

/**
 * Pool of the packets of a network's switches and hosts, which reuse their memory. Code that ends a
 * packet gives it back when nothing else refers to it; one that is not given back costs only
 * memory.
 * PERF: making a packet and its view costs several times as much as filling it in, and the memory
 * of those in flight stays in the processor's caches.
 */
export class PacketPool implements PacketMemory {
  readonly #fresh = new SlabMemory();
  /** Idle packets by the number of stored bytes. */
  readonly #idle = Array.from({ length: LARGEST + 1 }, (): PooledPacket[] => []);
  #last = this.#make(0);

  get view(): DataView {
    return this.#last.view;
  }

  get start(): number {
    return this.#last.start;
  }

  take(length: Bytes): Uint8Array {
    this.#last = this.#idle[length]?.pop() ?? this.#make(length);
    return this.#last.bytes;
  }

  /** True if these are the bytes that were taken last. */
  isLast(bytes: Uint8Array): boolean {
    return this.#last.bytes === bytes;
  }

  /** The packet whose bytes were taken last: of that length, and otherwise like another one. */
  taken(length: Bytes, { id, tail }: Pick<Packet, 'id' | 'tail'>): Packet {
    const packet = this.#last;
    packet.length = length;
    packet.id = id;
    packet.tail = tail;
    return packet;
  }

  /** A packet whose bytes were taken last. */
  frame(_bytes: Uint8Array, length: Bytes): Packet {
    return this.taken(length, NO_IDENTITY);
  }

  /** A packet that observers know by `id`; the same one where it is of the pool. */
  named(packet: Packet, id: number): Packet {
    if (packet instanceof PooledPacket) {
      packet.id = id;
      return packet;
    }
    return identified(packet, id);
  }

  /** Takes a packet back that is no longer in use; packets of other origin are left alone. */
  give(packet: Packet): void {
    if (packet instanceof PooledPacket) this.#idle[packet.bytes.length]?.push(packet);
  }

  #make(length: Bytes): PooledPacket {
    const bytes = this.#fresh.take(length);
    return new PooledPacket(bytes, this.#fresh.view, this.#fresh.start);
  }
}
