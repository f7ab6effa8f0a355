import { checked, libc, socketMemory } from './libc';
import { Lateness } from './lateness';
import type { SharedMemory, SocketOption } from './libc';
import { assert } from '../../assert';

const SOL_PACKET = 263;
const PACKET_RX_RING: SocketOption = { level: SOL_PACKET, name: 5 };
const PACKET_VERSION: SocketOption = { level: SOL_PACKET, name: 10 };
const TPACKET_V2 = 1;

/** Byte offsets in the C structure tpacket2_hdr, which precedes each frame. */
const HEADER = {
  status: 0,
  length: 4,
  stored: 8,
  mac: 12,
  seconds: 16,
  nanoseconds: 20,
  vlanTci: 24,
  vlanTpid: 26,
} as const;
const NS_PER_SECOND = 1e9;
const STATUS_KERNEL = 0;
const STATUS_USER = 1;
const STATUS_VLAN_VALID = 1 << 4;
const STATUS_VLAN_TPID_VALID = 1 << 6;
const ETHERTYPE_VLAN = 0x8100;

/** Room that the kernel takes before a frame, and the headers that an MTU does not count. */
const OVERHEAD_BYTES = 128;
/** As much as libpcap takes, which bmv2 receives with: 1024 frames of Ethernet, 20 ms of 50,000 packets/s. */
export const RING_BYTES = 2 * 1024 * 1024;
const FRAMES_MIN = 256;

/** Takes a frame over; the bytes are the receiver's until it returns. */
export type FrameHandler = (frame: Uint8Array) => void;

/**
 * The receiving side of a packet socket: slots in memory shared with the kernel, which it fills in
 * turn and which go back in batches. What finds no free slot is lost, and counted by the kernel.
 * PERF: a system call per batch copies every frame on this side; the ring costs no call at all, and
 * frames are read where they are.
 */
export class PacketRing {
  /** Frames that were longer than a slot: segments that network offloads have joined. */
  oversized = 0;
  readonly lateness = new Lateness();
  readonly #memory: SharedMemory;
  readonly #status: Int32Array;
  readonly #slotBytes: number;
  readonly #slots: number;
  /** The frame that each slot held last: most traffic has frames of few lengths. */
  readonly #views: (Uint8Array | undefined)[];
  readonly #fence = new Int32Array(1);
  readonly #takesCutFrames: boolean;
  #next = 0;
  /** Number of frames from `#next` on that have been taken and not given back. */
  #taken = 0;
  /** Byte offset of the slot that is being read. */
  #slotAt = 0;

  /** @param takesCutFrames hands over the beginning of frames that do not fit or that a filter cut. */
  constructor(fd: number, mtu: number, takesCutFrames = false) {
    this.#takesCutFrames = takesCutFrames;
    this.#slotBytes = slotBytes(mtu);
    this.#slots = Math.max(FRAMES_MIN, RING_BYTES / this.#slotBytes);
    const version = new Uint8Array(new Int32Array([TPACKET_V2]).buffer);
    checked(libc().setsockopt(fd, PACKET_VERSION, version, 4), 'choosing the ring format');
    const blockBytes = Math.max(this.#slotBytes, 65536);
    const total = this.#slots * this.#slotBytes;
    const request = new Uint32Array([blockBytes, total / blockBytes, this.#slotBytes, this.#slots]);
    const bytes = new Uint8Array(request.buffer);
    checked(libc().setsockopt(fd, PACKET_RX_RING, bytes, bytes.length), 'making a receive ring');
    this.#memory = socketMemory(fd, total);
    this.#status = new Int32Array(this.#memory.bytes.buffer);
    this.#views = new Array<Uint8Array | undefined>(this.#slots).fill(undefined);
  }

  /** Hands over up to `limit` frames that have arrived; returns how many. */
  drain(limit: number, handle: FrameHandler): number {
    const count = this.open(limit);
    if (count === 0) return 0;
    for (let i = 0; i < count; i++) this.take(handle);
    this.giveBack();
    return count;
  }

  /**
   * Number of frames that have arrived, up to a limit; so many may be taken before they go back. None while others
   * are being handed over, whose handler may have come here again.
   */
  open(limit: number): number {
    if (this.#taken > 0) return 0;
    // A ring that is full has no end: behind its last slot the first one is found again.
    const count = this.#arrived(Math.min(limit, this.#slots));
    if (count === 0) return 0;
    // The kernel writes a frame before its status, and may write again once the status says so:
    // nothing of a frame may be read before this or behind `giveBack`.
    Atomics.exchange(this.#fence, 0, 0);
    this.lateness.note(this.#waitedMs(this.#next));
    return count;
  }

  /** Bytes of one of them on the wire, counted from the one that is next. */
  lengthOf(index: number): number {
    const slot = this.#slot(this.#next + this.#taken + index);
    return this.#memory.view.getUint32(slot * this.#slotBytes + HEADER.length, true);
  }

  /** Hands over the next one of them, unless it was cut. */
  take(handle: FrameHandler): void {
    const frame = this.#read(this.#slot(this.#next + this.#taken));
    this.#taken++;
    if (frame !== undefined) handle(frame);
  }

  /** The kernel gets the slots of all that were taken. */
  giveBack(): void {
    const count = this.#taken;
    Atomics.exchange(this.#fence, 0, 0);
    for (let i = 0; i < count; i++) {
      this.#status[(this.#slot(this.#next + i) * this.#slotBytes) >> 2] = STATUS_KERNEL;
    }
    this.#next = this.#slot(this.#next + count);
    this.#taken = 0;
  }

  /** When the kernel had the frame that is being handled, in nanoseconds since 1970. */
  get arrivedAt(): number {
    const { view } = this.#memory;
    const seconds = view.getUint32(this.#slotAt + HEADER.seconds, true);
    return seconds * NS_PER_SECOND + view.getUint32(this.#slotAt + HEADER.nanoseconds, true);
  }

  /** Time that the frame of a slot has waited, by the clock that the kernel stamps frames with. */
  #waitedMs(slot: number): number {
    const { view } = this.#memory;
    const at = slot * this.#slotBytes;
    const seconds = view.getUint32(at + HEADER.seconds, true);
    return Date.now() - 1e3 * seconds - 1e-6 * view.getUint32(at + HEADER.nanoseconds, true);
  }

  release(): void {
    this.#memory.release();
  }

  /** Number of consecutive slots that hold frames, up to a limit. */
  #arrived(limit: number): number {
    for (let count = 0; count < limit; count++) {
      const status = this.#status[(this.#slot(this.#next + count) * this.#slotBytes) >> 2] ?? 0;
      if ((status & STATUS_USER) === 0) return count;
    }
    return limit;
  }

  #slot(index: number): number {
    return index < this.#slots ? index : index - this.#slots;
  }

  #read(index: number): Uint8Array | undefined {
    const { view } = this.#memory;
    const slot = index * this.#slotBytes;
    this.#slotAt = slot;
    const stored = view.getUint32(slot + HEADER.stored, true);
    if (!this.#takesCutFrames && stored < view.getUint32(slot + HEADER.length, true)) {
      this.oversized += 1;
      return undefined;
    }
    const frame = this.#view(index, slot + view.getUint16(slot + HEADER.mac, true), stored);
    const status = view.getUint32(slot + HEADER.status, true);
    if ((status & STATUS_VLAN_VALID) === 0) return frame;
    const tpid = status & STATUS_VLAN_TPID_VALID;
    return tagged(frame, {
      tpid: tpid === 0 ? ETHERTYPE_VLAN : view.getUint16(slot + HEADER.vlanTpid, true),
      tci: view.getUint16(slot + HEADER.vlanTci, true),
    });
  }

  /** PERF: making a view costs as much as parsing the headers in it. */
  #view(index: number, start: number, length: number): Uint8Array {
    const last = this.#views[index];
    if (last?.length === length && last.byteOffset === start) return last;
    const view = this.#memory.bytes.subarray(start, start + length);
    this.#views[index] = view;
    return view;
  }
}

/** The power of two that holds a frame of the interface, so that slots never straddle a page. */
function slotBytes(mtu: number): number {
  return 2 ** Math.ceil(Math.log2(mtu + OVERHEAD_BYTES));
}

interface VlanTag {
  /** The EtherType of the tag itself: 0x8100 or 0x88a8. */
  readonly tpid: number;
  /** Priority, drop eligibility and VLAN id. */
  readonly tci: number;
}

const ADDRESSES_BYTES = 12;
const TAG_BYTES = 4;

/**
 * Puts a tag back where it was on the wire (IEEE 802.1Q clause 9.3): after both addresses. The
 * kernel takes outer tags off received frames and reports them beside; P4 programs expect them in.
 */
export function tagged(frame: Uint8Array, { tpid, tci }: VlanTag): Uint8Array {
  assert(frame.length >= ADDRESSES_BYTES, 'the kernel takes tags only off Ethernet frames');
  const result = new Uint8Array(frame.length + TAG_BYTES);
  result.set(frame.subarray(0, ADDRESSES_BYTES));
  result.set([tpid >> 8, tpid & 0xff, tci >> 8, tci & 0xff], ADDRESSES_BYTES);
  result.set(frame.subarray(ADDRESSES_BYTES), ADDRESSES_BYTES + TAG_BYTES);
  return result;
}
