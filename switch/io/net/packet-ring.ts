import { checked, libc, socketMemory } from './libc';
import { tagged } from './vlan-tag';
import type { SharedMemory, SocketOption } from './libc';

const SOL_PACKET = 263;
const PACKET_RX_RING: SocketOption = { level: SOL_PACKET, name: 5 };
const PACKET_VERSION: SocketOption = { level: SOL_PACKET, name: 10 };
const TPACKET_V2 = 1;

/** Byte offsets in the C structure tpacket2_hdr, which precedes each frame. */
const HEADER = { status: 0, length: 4, stored: 8, mac: 12, vlanTci: 24, vlanTpid: 26 } as const;
const STATUS_KERNEL = 0;
const STATUS_USER = 1;
const STATUS_VLAN_VALID = 1 << 4;
const STATUS_VLAN_TPID_VALID = 1 << 6;
const ETHERTYPE_VLAN = 0x8100;

/** Room that the kernel takes before a frame, and the headers that an MTU does not count. */
const OVERHEAD_BYTES = 128;
const RING_BYTES = 4 * 1024 * 1024;
const FRAMES_MIN = 256;

/** Takes a frame over; the bytes belong to the receiver. */
export type FrameHandler = (frame: Uint8Array) => void;

/**
 * The receiving side of a packet socket: slots in memory shared with the kernel, which it fills in
 * turn and which go back one by one. What finds no free slot is lost, and counted by the kernel.
 * PERF: a system call per batch copies every frame on this side; the ring costs no call at all.
 */
export class PacketRing {
  /** Frames that were longer than a slot: segments that network offloads have joined. */
  oversized = 0;
  readonly #memory: SharedMemory;
  readonly #status: Int32Array;
  readonly #slotBytes: number;
  readonly #slots: number;
  readonly #copies = new FrameCopies();
  #next = 0;

  constructor(fd: number, mtu: number) {
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
  }

  /** Hands over up to `limit` frames that have arrived; returns how many. */
  drain(limit: number, handle: FrameHandler): number {
    for (let count = 0; count < limit; count++) {
      const slot = this.#next * this.#slotBytes;
      const status = Atomics.load(this.#status, slot >> 2);
      if ((status & STATUS_USER) === 0) return count;
      const frame = this.#read(slot, status);
      Atomics.store(this.#status, slot >> 2, STATUS_KERNEL);
      this.#next = this.#next + 1 === this.#slots ? 0 : this.#next + 1;
      if (frame !== undefined) handle(frame);
    }
    return limit;
  }

  release(): void {
    this.#memory.release();
  }

  #read(slot: number, status: number): Uint8Array | undefined {
    const { view, bytes } = this.#memory;
    const stored = view.getUint32(slot + HEADER.stored, true);
    if (stored < view.getUint32(slot + HEADER.length, true)) {
      this.oversized += 1;
      return undefined;
    }
    const start = slot + view.getUint16(slot + HEADER.mac, true);
    const frame = this.#copies.take(bytes.subarray(start, start + stored));
    if ((status & STATUS_VLAN_VALID) === 0) return frame;
    const tpid = status & STATUS_VLAN_TPID_VALID;
    return tagged(frame, {
      tpid: tpid === 0 ? ETHERTYPE_VLAN : view.getUint16(slot + HEADER.vlanTpid, true),
      tci: view.getUint16(slot + HEADER.vlanTci, true),
    });
  }
}

/** The power of two that holds a frame of the interface, so that slots never straddle a page. */
function slotBytes(mtu: number): number {
  return 2 ** Math.ceil(Math.log2(mtu + OVERHEAD_BYTES));
}

/**
 * Copies frames out of the ring, because they may wait in queues longer than the kernel can.
 * PERF: one allocation serves hundreds of frames, and goes when the last of them has gone.
 */
class FrameCopies {
  static readonly SLAB_BYTES = 512 * 1024;
  #slab: Uint8Array = new Uint8Array(0);
  #used = 0;

  take(frame: Uint8Array): Uint8Array {
    if (this.#used + frame.length > this.#slab.length) {
      // Every byte that is handed out is overwritten first, so nothing needs to be cleared.
      const { buffer } = Buffer.allocUnsafeSlow(Math.max(FrameCopies.SLAB_BYTES, frame.length));
      this.#slab = new Uint8Array(buffer);
      this.#used = 0;
    }
    const copy = this.#slab.subarray(this.#used, this.#used + frame.length);
    copy.set(frame);
    this.#used += frame.length;
    return copy;
  }
}
