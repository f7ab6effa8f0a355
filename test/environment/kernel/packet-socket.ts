import { ERRNO } from './errno';
import type { Descriptor } from './descriptors';
import type { Interface, Listener } from './interfaces';
import type { Memory } from './memory';
import type { SystemParts } from './system';
import type { Address } from '../../../common/io/net/libc';

/** Offsets in `struct tpacket2_hdr`, and where frames begin in a slot. */
const STATUS = 0;
const LENGTH = 4;
const STORED = 8;
const MAC = 12;
const SECONDS = 16;
const NANOSECONDS = 20;
const FRAME_AT = 80;
const KERNEL = 0;
const USER = 1;

/** Sizes and offsets of `struct mmsghdr` and `struct iovec`. */
const MESSAGE_BYTES = 64;
const VECTOR_AT = 16;

const NS_PER_SECOND = 1e9;
const MS_PER_SECOND = 1000;
const ETHERNET_AND_TAGS = 22;

/** A packet socket with its ring, as packet(7) and the kernel's packet_mmap text describe them. */
export class PacketSocketDescriptor implements Descriptor, Listener {
  readonly kind = 'packet';
  readonly #parts: SystemParts;
  readonly #readable: () => void;
  #interface: Interface | undefined;
  #boundIndex: number | undefined;
  #slotBytes = 0;
  #slots = 0;
  #ring: DataView | undefined;
  #next = 0;
  /** Slots that have ever held a frame. */
  #touched = 0;
  #lost = 0;
  #error = 0;

  constructor(parts: SystemParts, readable: () => void) {
    this.#parts = parts;
    this.#readable = readable;
  }

  /** Frames that nobody has fetched, or an error that nobody has read. */
  get isReadable(): boolean {
    if (this.#error !== 0) return true;
    if (this.#ring === undefined) return false;
    const last = (this.#next + this.#slots - 1) % this.#slots;
    return this.#ring.getUint32(last * this.#slotBytes + STATUS, true) !== KERNEL;
  }

  bind(index: number): number {
    const found = this.#parts.interfaces.indexed(index);
    if (found === undefined) return -ERRNO.ENODEV;
    this.#interface = found;
    this.#boundIndex = index;
    found.listeners.add(this);
    return 0;
  }

  /** @param request `struct tpacket_req`. */
  makeRing(request: Uint32Array): number {
    const [, , slotBytes = 0, slots = 0] = request;
    this.#slotBytes = slotBytes;
    this.#slots = slots;
    return 0;
  }

  mapRing(memory: Memory, length: number): Address {
    const address = memory.map(length, {
      touched: () => this.#touched * this.#slotBytes,
      // Frames that come until the socket is closed are in nobody's memory.
      unmapped: () => (this.#ring = undefined),
    });
    this.#ring = new DataView(memory.buffer(address));
    return address;
  }

  /** Frames that found no room since the last question. */
  takeLost(): number {
    const lost = this.#lost;
    this.#lost = 0;
    return lost;
  }

  takeError(): number {
    const error = this.#error;
    this.#error = 0;
    return error;
  }

  receive(frame: Uint8Array): void {
    const ring = this.#ring;
    const at = this.#next * this.#slotBytes;
    if (ring === undefined || ring.getUint32(at + STATUS, true) !== KERNEL) {
      this.#lost += 1;
      return;
    }
    const stored = Math.min(frame.length, this.#slotBytes - FRAME_AT);
    new Uint8Array(ring.buffer).set(frame.subarray(0, stored), at + FRAME_AT);
    const ms = this.#parts.wallMs();
    const seconds = Math.floor(ms / MS_PER_SECOND);
    ring.setUint32(at + LENGTH, frame.length, true);
    ring.setUint32(at + STORED, stored, true);
    ring.setUint16(at + MAC, FRAME_AT, true);
    ring.setUint32(at + SECONDS, seconds, true);
    const rest = (ms / MS_PER_SECOND - seconds) * NS_PER_SECOND;
    ring.setUint32(at + NANOSECONDS, Math.floor(rest), true);
    ring.setUint32(at + STATUS, USER, true);
    this.#next = (this.#next + 1) % this.#slots;
    this.#touched = Math.max(this.#touched, this.#next === 0 ? this.#slots : this.#next);
    this.#readable();
  }

  linkLost(): void {
    this.#error = ERRNO.ENETDOWN;
    this.#parts.faults.note('enetdown');
    this.#readable();
  }

  /** sendmmsg(2): how many of the messages were taken, or a negative error of the first. */
  send(memory: Memory, messages: Address, count: number): number {
    const { faults } = this.#parts;
    if (this.#error !== 0) return -this.takeError();
    if (faults.strikes('eintr')) return -ERRNO.EINTR;
    if (faults.strikesFor('enobufs', 2e6)) return -ERRNO.ENOBUFS;
    const most = faults.strikes('partial-send') ? 1 + faults.below(count) : count;
    const { buffer, offset } = memory.place(messages);
    const view = new DataView(buffer);
    // Messages, vectors and frames lie in one mapping.
    const base = messages - BigInt(offset);
    for (let i = 0; i < most; i++) {
      const at = offset + i * MESSAGE_BYTES;
      const result = this.#sendOne(view, base, at);
      if (result < 0) return i === 0 ? result : i;
    }
    return most;
  }

  close(): void {
    this.#interface?.listeners.delete(this);
  }

  #sendOne(view: DataView<ArrayBuffer>, base: Address, at: number): number {
    const { interfaces } = this.#parts;
    const one = this.#interface;
    if (one === undefined || one.index !== this.#boundIndex) return -ERRNO.ENXIO;
    if (!one.isUp) return -ERRNO.ENETDOWN;
    const vector = Number(view.getBigUint64(at + VECTOR_AT, true) - base);
    const length = view.getUint32(vector + 8, true);
    if (length > one.mtu + ETHERNET_AND_TAGS) return -ERRNO.EMSGSIZE;
    const start = Number(view.getBigUint64(vector, true) - base);
    // Without a carrier the kernel takes frames and forgets them.
    if (interfaces.hasCarrier(one)) {
      interfaces.carry(one, new Uint8Array(view.buffer.slice(start, start + length)));
    }
    return 0;
  }
}
