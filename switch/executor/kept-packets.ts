import { assert } from '../../common/assert';
import type { Packet } from '../../common/packet/packet';
import type { Bytes } from '../../common/units/units';

/**
 * Room of a packet: a full frame with telemetry. Longer ones have memory of their own.
 * PERF: no power of two, since the beginnings of rooms would then share few lines of the processor's caches.
 */
const ROOM_BYTES = 2112;
const ROOMS_PER_SLAB = 31;

/** A packet whose bytes were copied, in a room of a slab. */
class KeptPacket implements Packet {
  readonly #room: Uint8Array;
  bytes: Uint8Array;
  length: Bytes = 0;
  tail: Uint8Array | undefined = undefined;
  id: number | undefined = undefined;
  /** True while nobody has the packet. */
  isIdle = true;

  constructor(room: Uint8Array) {
    this.#room = room;
    this.bytes = room;
  }

  fill({ bytes, length, tail, id }: Packet): void {
    this.isIdle = false;
    this.#room.set(bytes);
    // PERF: packets of one length follow each other, and making an array costs more than copying into it.
    if (this.bytes.length !== bytes.length) this.bytes = this.#room.subarray(0, bytes.length);
    this.length = length;
    this.tail = tail;
    this.id = id;
  }
}

/**
 * Copies of packets that wait in a switch while the memory in which they came goes back to its owner. Packets that
 * are not given back cost only memory.
 * PERF: where each had a buffer of its own, allocating and freeing it, with the views that generated code reads it
 * by, took as long as the pipeline.
 */
export class KeptPackets {
  readonly #idle: KeptPacket[] = [];

  /** A copy of a packet; the packet itself if it is one. */
  keep(packet: Packet): Packet {
    if (packet instanceof KeptPacket) return packet;
    if (packet.bytes.length > ROOM_BYTES) return copyOf(packet);
    if (this.#idle.length === 0) this.#addSlab();
    const kept = this.#idle.pop() ?? new KeptPacket(new Uint8Array(ROOM_BYTES));
    kept.fill(packet);
    return kept;
  }

  /** Takes a packet back that is no longer in use; packets of other origin are left alone. */
  give(packet: Packet): void {
    if (!(packet instanceof KeptPacket)) return;
    assert(!packet.isIdle, 'a packet is given back once');
    packet.isIdle = true;
    this.#idle.push(packet);
  }

  /** The packet in memory that is its own, for several who read it. A packet of other origin stays as it is. */
  takenOut(packet: Packet): Packet {
    if (!(packet instanceof KeptPacket)) return packet;
    const own = copyOf(packet);
    this.give(packet);
    return own;
  }

  #addSlab(): void {
    const slab = new Uint8Array(ROOMS_PER_SLAB * ROOM_BYTES);
    for (let at = slab.length - ROOM_BYTES; at >= 0; at -= ROOM_BYTES) {
      this.#idle.push(new KeptPacket(slab.subarray(at, at + ROOM_BYTES)));
    }
  }
}

function copyOf({ bytes, length, tail, id }: Packet): Packet {
  const own = { bytes: bytes.slice(), length };
  return { ...own, ...(tail !== undefined && { tail }), ...(id !== undefined && { id }) };
}
